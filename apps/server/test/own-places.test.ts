import { mkdirSync, mkdtempSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENTS, findAgent, speakerOf } from '@piton/agents';
import type { OwnGuard } from '@piton/hooks';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hear } from '../src/hearing.ts';
import { ownGuardOf } from '../src/own-places.ts';
import { frame } from './frames.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'piton-own-'));
  mkdirSync(join(base, 'state/installed'), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const record = (name: string, text: string): void => writeFileSync(join(base, 'state/installed', name), text);
const recordOf = (name: string): void => record(`${name}.json`, JSON.stringify({ file: join(base, 'moved', name) }));
const guardWith = (stat?: () => Stats): OwnGuard =>
  ownGuardOf(
    { home: join(base, 'state'), config: join(base, 'settings'), sockets: join(base, 'sockets') },
    AGENTS,
    { HOME: join(base, 'home') },
    [],
    stat,
  );
const writing = (name: string) =>
  hear(
    frame(
      { ...{ session_id: 's', hook_event_name: 'PreToolUse', cwd: base }, tool_name: 'Write', tool_input: { file_path: `moved/${name}` } },
      { nativeEvent: 'PreToolUse', agent: findAgent('claude')?.id ?? '' },
    ),
    speakerOf,
  ).event;

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
