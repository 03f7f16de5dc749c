// Writes the plugins that agents take in by their own commands, from the tables of these agents. With `--check` it lists what is stale.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { settle } from './generated.mjs';
import { importTypeScript } from './import-typescript.mjs';
import { ROOT } from './sources.mjs';

/** Each is generated whole: what else lies there is stale. */
const FOLDERS = ['plugin', 'codex-plugin', 'gemini-extension'];

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const declared = await Promise.all(
  ['claude', 'codex', 'gemini'].map((agent) => importTypeScript(`packages/agents/src/${agent}/declared-plugin.ts`)),
);
const files = declared.flatMap(({ declaredPlugin }) => declaredPlugin(version));
for (const { path } of files) mkdirSync(dirname(join(ROOT, path)), { recursive: true });
const there = FOLDERS.map((folder) => join(ROOT, folder))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile());
const names = there.map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1));
settle(
  files,
  names.filter((name) => !files.some(({ path }) => path === name)),
  'npm run pages',
);
