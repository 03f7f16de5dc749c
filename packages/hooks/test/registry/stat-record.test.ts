import { chmodSync, mkdirSync, renameSync, rmSync, type Stats, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createRegistry, type HookDefinition, statOf } from '../../src/index.ts';
import { createStatRecord } from '../../src/registry/stat-record.ts';
import { parseSettings, put, script, temporary } from '../scenery.ts';

/** Older than this a file's time tells of every change. */
const SETTLED_MS = 80;

/** Asked for two names, so that what both are made of is looked at twice where the list is made. A registry of a user with one hook, asked once all is quiet; and how often it has looked at something since. */
async function settled() {
  const base = temporary();
  const config = join(base, 'config');
  const project = join(base, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  script(join(config, 'hooks/stop/10-first'), ':');
  put(join(config, 'settings.json'), '{}');
  let looks = 0;
  const stat: typeof statOf = (path) => {
    looks++;
    return statOf(path);
  };
  const registry = createRegistry({ config, trustDir: join(base, 'trust'), parseSettings, stat });
  const ask = (): readonly HookDefinition[] => registry.hooksFor({ cwd: project, sessionRoot: project }, ['stop', 'session_end']);
  await pause(SETTLED_MS);
  ask();
  const counted = (): number => {
    looks = 0;
    ask();
    return looks;
  };
  return { base, config, project, ask, counted, registry };
}
const names = (hooks: readonly HookDefinition[]): string[] => hooks.map(({ name, status, enabled }) => `${name} ${status.kind} ${enabled}`);

describe('a list of hooks that was made before', () => {
  it('is taken again, the very same, while everything that it was made of looks the same', async () => {
    const { ask, counted, registry } = await settled();
    expect(ask()).toBe(ask());
    const again = counted();
    registry.forget();
    expect(counted()).toBeGreaterThan(again);
  });

  it.each<[string, (at: { config: string; base: string; project: string }) => void, string[]]>([
    [
      'another is put beside it',
      ({ config }) => script(join(config, 'hooks/stop/20-next'), ':'),
      ['10-first ready true', '20-next ready true'],
    ],
    ['it is removed', ({ config }) => unlinkSync(join(config, 'hooks/stop/10-first')), []],
    ['it may not be run any more', ({ config }) => chmodSync(join(config, 'hooks/stop/10-first'), 0o644), ['10-first not-executable true']],
    ['its directory is renamed', ({ config }) => renameSync(join(config, 'hooks/stop'), join(config, 'hooks/pre-compact')), []],
    ['all hooks go', ({ config }) => rmSync(join(config, 'hooks'), { recursive: true }), []],
    [
      'hooks are switched off',
      ({ config }) => writeFileSync(join(config, 'settings.json'), '{ "hooks_enabled": false }'),
      ['10-first ready false'],
    ],
    [
      'settings name another',
      ({ config }) => writeFileSync(join(config, 'settings.json'), '{ "hooks": [{ "event": "stop", "name": "said", "command": ":" }] }'),
      ['said ready true', '10-first ready true'],
    ],
    ['settings go', ({ config }) => unlinkSync(join(config, 'settings.json')), ['10-first ready true']],
    [
      'the project gets hooks of its own',
      ({ project }) => script(join(project, '.piton/hooks/stop/own'), ':'),
      ['10-first ready true', 'own not-trusted true'],
    ],
  ])('is made anew at the next event when %s', async (_what, change, expected) => {
    const at = await settled();
    expect(names(at.ask())).toEqual(['10-first ready true']);
    change(at);
    expect(names(at.ask())).toEqual(expected);
  });

  it('is never held where a project’s hooks are in it: their copies are compared by content', async () => {
    const { project, ask, counted } = await settled();
    script(join(project, '.piton/hooks/stop/own'), ':');
    await pause(SETTLED_MS);
    ask();
    const first = counted();
    expect(counted()).toBe(first);
    expect(names(ask())).toEqual(['10-first ready true', 'own not-trusted true']);
  });
});

describe('what was made while it was looked at', () => {
  const file = (ctimeMs: number, size = 1) => ({ ctimeMs, size, ino: 1, mode: 0 }) as Stats;

  it('does not hold where something was young at the look, however long the making took', () => {
    const young = file(Date.now());
    const { stat, during } = createStatRecord(() => young);
    const { holds } = during(() => {
      stat('/a');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLED_MS);
    });
    expect(holds()).toBe(false);
  });

  it('does not hold where something changed between two looks', () => {
    let size = 1;
    const { stat, during } = createStatRecord(() => file(0, size));
    const { holds } = during(() => {
      stat('/a');
      size = 2;
      stat('/a');
    });
    expect(holds()).toBe(false);
  });

  it('holds otherwise', () => {
    const { stat, during } = createStatRecord(() => file(0));
    expect(during(() => stat('/a')).holds()).toBe(true);
  });
});
