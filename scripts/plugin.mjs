// Writes plugin/ and the marketplace file from the tables of Claude Code. With `--check` it lists what is stale.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { settle } from './generated.mjs';
import { importTypeScript } from './import-typescript.mjs';
import { ROOT } from './sources.mjs';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const { declaredPlugin } = await importTypeScript('packages/agents/src/claude/declared-plugin.ts');
const files = declaredPlugin(version);
for (const { path } of files) mkdirSync(dirname(join(ROOT, path)), { recursive: true });
const there = readdirSync(join(ROOT, 'plugin'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const names = there.map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1));
settle(
  files,
  names.filter((name) => !files.some(({ path }) => path === name)),
  'npm run pages',
);
