#!/usr/bin/env node
// The command of a clone: it runs what `npm run build` made.
import { existsSync } from 'node:fs';

const built = new URL('../../../dist/cli.mjs', import.meta.url);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`piton needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exitCode = 1;
} else if (existsSync(built)) await import(built.href);
else {
  console.error('piton is not built yet. Run this in the clone:\n\n    npm run build\n');
  process.exitCode = 1;
}
