#!/usr/bin/env node
// The command of a clone: it runs what `npm run build` made.
import { existsSync } from 'node:fs';

const built = new URL('../../../dist/cli.mjs', import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  console.error('piton is not built yet. Run this in the clone:\n\n    npm run build\n');
  process.exitCode = 1;
}
