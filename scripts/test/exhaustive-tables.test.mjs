import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** It runs in a browser, and is compiled by itself. */
const PAGE = 'apps/dashboard';
const copy = mkdtempSync(join(tmpdir(), 'piton-tables-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** The sources with a `node_modules` in which our own packages are those of the copy. */
function copySources() {
  for (const workspaces of ['packages', 'apps'])
    for (const name of readdirSync(join(root, workspaces)))
      cpSync(join(root, workspaces, name), join(copy, workspaces, name), {
        recursive: true,
        filter: (path) => !['node_modules', 'test', 'dist'].some((folder) => path.endsWith(`${sep}${folder}`)),
      });
  cpSync(join(root, 'hooks-library'), join(copy, 'hooks-library'), { recursive: true });
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  writeFileSync(
    join(copy, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['packages/*/src', 'apps/*/src'], exclude: [PAGE] }),
  );
  writeFileSync(join(copy, 'package.json'), '{ "type": "module" }');
  const ours = join(copy, 'node_modules/@piton');
  mkdirSync(ours, { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@piton' && !name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  for (const workspaces of ['packages', 'apps'])
    for (const name of readdirSync(join(copy, workspaces))) symlinkSync(join(copy, workspaces, name), join(ours, name));
  symlinkSync(join(copy, 'hooks-library'), join(ours, 'hooks-library'));
}

/** The files that the compiler names once a text of the contracts is another; all is as before afterwards. */
function namedAfter(file, text, other) {
  const path = join(copy, 'packages/contracts/src', file);
  const before = readFileSync(path, 'utf8');
  expect(before.split(text)).toHaveLength(2);
  writeFileSync(path, before.replace(text, other));
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const compile = (project) => spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' }).stdout;
    const files = [...`${compile(copy)}${compile(join(copy, PAGE))}`.matchAll(/^(\S.*?)\(\d+,\d+\): error/gm)].map(([, name]) =>
      name.split(sep).join('/'),
    );
    return [...new Set(files.map((name) => name.slice(Math.max(name.search(/(?:packages|apps)\//), 0))))].sort();
  } finally {
    writeFileSync(path, before);
  }
}

/** Written anew with PITON_GOLDEN=1, when a file is renamed or a table added. */
const list = new URL('exhaustive-tables.json', import.meta.url);
function expectNamed(key, files) {
  const expected = JSON.parse(readFileSync(list, 'utf8'));
  if (process.env.PITON_GOLDEN === '1') writeFileSync(list, `${JSON.stringify({ ...expected, [key]: files }, null, 2)}\n`);
  else expect(files).toEqual(expected[key]);
}

describe('the compiler names every place', { timeout: 600_000 }, () => {
  beforeAll(copySources);

  it('that has to know a new event', () => {
    expectNamed('event', namedAfter('events.ts', "  'other',\n", "  'made_up',\n  'other',\n"));
  });

  it('that has to know a new kind of decision', () => {
    const kind = "  | { readonly decision: 'made_up'; readonly reason: string }\n";
    const first = "  | { readonly decision: 'observe' }\n";
    expectNamed('decision', namedAfter('decision.ts', first, kind + first));
  });
});
