import { mkdirSync, mkdtempSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BuiltInGuard, builtInGuardOf } from '../../src/index.ts';
import { toolEvent } from '../scenery.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'piton-own-'));
  mkdirSync(join(base, 'state/installed'), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const record = (name: string, text: string): void => writeFileSync(join(base, 'state/installed', name), text);
const recordOf = (name: string): void => record(`${name}.json`, JSON.stringify({ file: join(base, 'moved', name) }));
const guardWith = (stat?: () => Stats): BuiltInGuard =>
  builtInGuardOf(
    {
      places: { home: join(base, 'state'), config: join(base, 'settings'), sockets: join(base, 'sockets') },
      agents: [],
      env: { HOME: join(base, 'home') },
      gitHooks: { names: [], mark: 'ours' },
    },
    stat,
  );
const writing = (name: string) => ({ ...toolEvent('pre_tool_use', 'Write', { file_path: `moved/${name}` }, 'edit'), cwd: base });

it('a file that an agent’s variable moved is kept, also where another record cannot be read', () => {
  record('a-broken.json', '{');
  recordOf('one');
  expect(guardWith()(writing('one'))).toMatchObject({ kind: 'place' });
  expect(guardWith()(writing('two'))).toBeUndefined();
});

it('a record is seen that is written in the same moment as the one before', () => {
  const young = { ctimeMs: Date.now() } as Stats;
  const guard = guardWith(() => young);
  recordOf('one');
  expect(guard(writing('two'))).toBeUndefined();
  recordOf('two');
  expect(guard(writing('two'))).toMatchObject({ kind: 'place' });
});
