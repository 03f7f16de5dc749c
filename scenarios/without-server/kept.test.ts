import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { eventually, killServers } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ASKERS, type Asker, type Outcome, shellPayload } from './agents.ts';
import { ENVIRONMENTS, type Environment } from './environments.ts';
import { done, type Stage, sendEvents, setUp } from './setup.ts';

const CLAUDE = ASKERS.find(({ agent }) => agent === 'claude') as Asker;
const environmentNamed = (name: string): Environment => ENVIRONMENTS.find((each) => each.name === name) as Environment;
const NO_SERVER = environmentNamed('no server yet, and none can start');
const NO_NODE = environmentNamed('no Node');

let stage: Stage;
beforeEach(async () => {
  stage = await setUp('none');
});
afterEach(() => stage.end());

const hook = (name: string) => ({ name, event: 'pre_tool_use', command: 'echo no >&2; exit 2', fail_closed: true });
const folder = (): string => join(stage.state, 'last-resort');
const keptText = (): string =>
  readdirSync(folder())
    .map((name) => readFileSync(join(folder(), name), 'utf8'))
    .join('');
const receivedIn = async (environment: Environment): Promise<Outcome | undefined> => {
  const [outcomes] = await sendEvents(stage, environment, [{ asker: CLAUDE, payload: shellPayload(CLAUDE, 'ls', stage.project) }]);
  rmSync(join(stage.home, 'outcomes'), { recursive: true });
  return outcomes;
};

describe('what must hold without a server is written', { timeout: 180_000 }, () => {
  it('by the commands that change it, where no server runs', async () => {
    await done(stage, ['hooks', 'add', 'protect-paths']);
    expect(keptText()).toContain('(protect-paths)');
    await done(stage, ['hooks', 'remove', 'protect-paths', '--yes']);
    expect(keptText()).not.toContain('(protect-paths)');

    stage.write('work/.piton/settings.json', JSON.stringify({ hooks: [hook('in-project')] }));
    await done(stage, ['trust', '--yes', '--all'], stage.project);
    expect(keptText()).toContain('(in-project)');
    await done(stage, ['untrust', '--yes', '--all'], stage.project);
    expect(keptText()).not.toContain('(in-project)');

    stage.write('.config/piton/settings.json', JSON.stringify({ hooks: [hook('mine')] }));
    await done(stage, ['settings', 'set', 'hooks_enabled', 'false', '--yes']);
    expect(keptText()).not.toContain('(mine)');
    await done(stage, ['settings', 'unset', 'hooks_enabled', '--yes']);
    expect(keptText()).toContain('(mine)');
    rmSync(folder(), { recursive: true });
    await done(stage, ['init', '--yes', '--agents', 'claude', '--no-git']);
    expect(keptText()).toContain('(mine)');
    killServers({ places: placesOf(stage.state, stage.config) });
    expect(await receivedIn(NO_NODE)).toBe('denied');
  });

  it('and a hook that was removed by hand denies nothing, while there is a Node', async () => {
    stage.write('.config/piton/settings.json', JSON.stringify({ hooks: [hook('mine')] }));
    await done(stage, ['doctor', '--fix']).catch(() => undefined);
    expect(keptText()).toContain('(mine)');
    expect(await receivedIn(NO_SERVER)).toBe('denied');
    stage.write('.config/piton/settings.json', '{}');
    expect(await receivedIn(NO_SERVER)).toBe('nothing');
  });

  it('by a server when it starts, which also removes what older ones left in each environment', async () => {
    const environment = join(stage.state, 'env', '0123456789abcdef');
    mkdirSync(join(environment, 'deny'), { recursive: true });
    writeFileSync(join(environment, 'deny', 'claude.PreToolUse'), '{"an":"old deny"}');
    writeFileSync(join(environment, 'registry.json'), '{"version":1,"hooks":[]}');
    writeFileSync(join(environment, 'session-roots.jsonl'), '');
    stage.write('.config/piton/settings.json', JSON.stringify({ hooks: [hook('mine')] }));
    rmSync(folder(), { recursive: true });
    await done(stage, ['server', 'start']);
    await eventually(() => keptText().includes('(mine)'));
    expect(keptText()).toContain('(mine)');
    expect(readdirSync(environment)).toEqual(['session-roots.jsonl']);
  });

  it('and doctor says and mends where that is broken or out of date', async () => {
    const finding = async (): Promise<string | undefined> => {
      const { findings } = await stage.json<{ findings: { id: string; what: string }[] }>(['doctor']);
      return findings.find(({ id }) => id === 'hooks.last-resort')?.what;
    };
    expect(await finding()).toBeUndefined();
    writeFileSync(join(folder(), 'user'), 'piton last-resort 1\nnull\nclaude.PreToolUse 99\n{"cut');
    expect(await finding()).toContain('cannot read');
    expect(await receivedIn(NO_SERVER)).toBe('nothing');
    stage.write('.config/piton/settings.json', JSON.stringify({ hooks: [hook('mine')] }));
    expect(await receivedIn(NO_SERVER)).toBe('denied');
    await stage.piton(['doctor', '--fix']);
    expect(await finding()).toBeUndefined();
    stage.write('.config/piton/settings.json', '{}');
    expect(await finding()).toContain('out of date for your user');
  });

  it('and goes with everything else when it is purged', async () => {
    await done(stage, ['uninstall', '--purge', '--yes']);
    expect(existsSync(folder())).toBe(false);
  });
});
