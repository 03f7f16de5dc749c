import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRegistry, decide, type HookReading, plan, trust, trustable, untrust } from '../../src/index.ts';
import { optionsOf, parseSettings, put, script, temporary, toolEvent } from '../scenery.ts';

/** Stands in for the reader of front matter: here an ARTIFACT.md is JSON. */
const parseArtifact = (text: string, bundled: readonly string[]) => {
  try {
    return { entry: JSON.parse(text.replaceAll('BUNDLED', bundled.join(' '))), errors: [] };
  } catch (error) {
    return { entry: null, errors: [(error as Error).message] };
  }
};
const agents = new Map([
  ['claude', 'claude'],
  ['claude-code', 'claude'],
  ['codex', 'codex'],
]);

function home() {
  const base = temporary();
  const project = join(base, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  const config = join(base, 'config');
  const ports = { trustDir: join(base, 'trust'), parseSettings, parseArtifact, agents };
  return { base, config, project, ports, registry: createRegistry({ config, ...ports }) };
}
const at = (cwd: string) => ({ cwd, sessionRoot: null });
const shell = toolEvent('pre_tool_use', 'Bash', { command: 'ls' });
const artifact = (folder: string, fields: object): string =>
  put(join(folder, 'ARTIFACT.md'), JSON.stringify({ event: 'pre_tool_use', command: 'true', ...fields }));

describe('artifacts', () => {
  it('behind a link do not run, and are named', () => {
    const { base, config, project, registry } = home();
    const file = artifact(join(base, 'elsewhere', 'guard'), {});
    artifact(join(config, 'artifacts', 'own'), {});
    mkdirSync(join(config, 'artifacts', 'team', 'file'), { recursive: true });
    symlinkSync(join(base, 'elsewhere', 'guard'), join(config, 'artifacts', 'team', 'guard'));
    symlinkSync(file, join(config, 'artifacts', 'team', 'file', 'ARTIFACT.md'));
    symlinkSync(base, join(config, 'artifacts', 'notes'));
    const { hooks, problems } = registry.list(at(project));
    expect(hooks.map(({ id }) => id)).toEqual(['user:artifacts/own']);
    expect(problems.map(({ path }) => path.slice(config.length))).toEqual(['/artifacts/team/guard', '/artifacts/team/file/ARTIFACT.md']);
    expect(problems[0]?.problem).toContain('symbolic link');
  });

  it('are read up to a bound, and what is beyond it is named: an agent waits meanwhile', () => {
    const { config, project, registry } = home();
    artifact(join(config, 'artifacts', 'a-large'), { description: 'x'.repeat(70_000) });
    for (let at = 0; at < 10; at++) artifact(join(config, 'artifacts', `b-${at}`), { description: 'x'.repeat(60_000) });
    for (let at = 0; at < 1000; at++) mkdirSync(join(config, 'artifacts', `c-${at}`));
    artifact(join(config, 'artifacts', 'd-last'), {});
    const { hooks, problems } = registry.list(at(project));
    expect(hooks.map(({ name }) => name)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((one) => `b-${one}`));
    expect(problems.map(({ path, problem }) => [path.slice(config.length), problem.slice(0, 40)])).toEqual([
      ['/artifacts', 'it holds more than 1000 folders: those t'],
      ['/artifacts/a-large/ARTIFACT.md', 'it is larger than 64 KB'],
      ['/artifacts/b-8/ARTIFACT.md', 'the artifacts here are larger than 512 K'],
      ['/artifacts/b-9/ARTIFACT.md', 'the artifacts here are larger than 512 K'],
    ]);
  });

  it('are found at any depth, between settings and executables, by their path', () => {
    const { config, project, registry } = home();
    put(join(config, 'settings.json'), JSON.stringify({ hooks: [{ name: 's', event: 'pre_tool_use', command: 'true' }] }));
    artifact(join(config, 'artifacts', 'team', 'audit', 'log'), {});
    artifact(join(config, 'artifacts', 'a'), { name: 'first' });
    script(join(config, 'hooks', 'pre-tool-use', 'x'), 'true');
    expect(registry.list(at(project)).hooks.map(({ id, name }) => [id, name])).toEqual([
      ['user:settings/s', 's'],
      ['user:artifacts/a', 'first'],
      ['user:artifacts/team/audit/log', 'log'],
      ['user:pre-tool-use/x', 'x'],
    ]);
  });

  it('are read again when they, or what lies beside them, change', () => {
    const { config, project, registry } = home();
    const folder = join(config, 'artifacts', 'a');
    artifact(folder, { command: 'echo BUNDLED' });
    const command = () => registry.hooksFor(at(project), ['pre_tool_use'])[0]?.argv[2];
    expect(command()).toBe('echo ');
    put(join(folder, 'scripts', 'x.sh'), '');
    expect(command()).toBe('echo scripts');
    artifact(folder, { command: 'echo other' });
    expect(command()).toBe('echo other');
    rmSync(folder, { recursive: true });
    expect(command()).toBeUndefined();
  });

  it('are read again when a file that was looked at comes, goes or can be run', () => {
    const { config, project, ports } = home();
    const folder = join(config, 'artifacts', 'a');
    const looking: NonNullable<HookReading['parseArtifact']> = (text, bundled, look) => {
      const run = look('run');
      return { ...parseArtifact(text, bundled), errors: run?.executable ? [] : [run ? 'run cannot be run' : 'run is missing'] };
    };
    const registry = createRegistry({ config, ...ports, parseArtifact: looking });
    const status = () =>
      registry.hooksFor(at(project), ['pre_tool_use']).map((hook) => ('note' in hook.status ? hook.status.note : 'ready'));
    artifact(folder, {});
    expect(status()).toEqual(['run is missing']);
    put(join(folder, 'run'), '#!/bin/sh\n');
    expect(status()).toEqual(['run cannot be run']);
    chmodSync(join(folder, 'run'), 0o755);
    expect(status()).toEqual(['ready']);
    expect(registry.list(at(project)).problems).toEqual([]);
    rmSync(join(folder, 'run'));
    expect(status()).toEqual(['run is missing']);
  });

  it('that cannot be read are named with what is wrong', () => {
    const { config, project, registry } = home();
    put(join(config, 'artifacts', 'a', 'ARTIFACT.md'), 'nonsense');
    artifact(join(config, 'artifacts', 'b'), { event: 'pre_tool_usage' });
    artifact(join(config, 'artifacts', 'c'), { sandbox_profile: 'strikt' });
    const { hooks, problems } = registry.list(at(project));
    expect(hooks.map(({ id, status }) => [id, status.kind])).toEqual([['user:artifacts/c', 'broken']]);
    const words = problems.map(({ problem }) => problem).join('\n');
    expect(words).toMatch(/JSON.*pre_tool_use.*"sandbox_profile" is not one of/s);
  });

  it('know the folder that their scripts lie in', () => {
    const { config, project, registry } = home();
    const folder = join(config, 'artifacts', 'a');
    artifact(folder, { module: 'hook.mjs', command: undefined });
    expect(registry.hooksFor(at(project), ['pre_tool_use'])[0]).toMatchObject({
      folder,
      module: join(folder, 'hook.mjs'),
      env: { PITON_ARTIFACT_DIR: folder },
    });
  });

  it('of a project run from the copy that was trusted, whatever becomes of the source', async () => {
    const { project, ports, registry } = home();
    const folder = join(project, '.piton', 'artifacts', 'guard');
    script(join(folder, 'scripts', 'say.sh'), 'echo "no" >&2; exit 2');
    artifact(folder, { command: '"$PITON_ARTIFACT_DIR"/scripts/say.sh' });
    const run = async () => {
      const planned = plan(shell, registry.hooksFor(at(project), ['pre_tool_use']));
      return (await decide(optionsOf(shell, planned.deciding))).reduced;
    };
    expect(await run()).toMatchObject({ decision: 'observe' });
    expect(trustable(ports, project)).toMatchObject([{ id: 'project:artifacts/guard', trusted: 'no', main: ['ARTIFACT.md'] }]);
    expect(trust(ports, project, 'all', { at: 'now' })).toEqual({ trusted: ['project:artifacts/guard'], refused: [] });
    expect(await run()).toMatchObject({ decision: 'deny', reason: 'no' });
    const copied = registry.hooksFor(at(project), ['pre_tool_use'])[0];
    expect(copied?.folder?.startsWith(ports.trustDir)).toBe(true);
    expect(readFileSync(join(copied?.folder ?? '', 'scripts', 'say.sh'), 'utf8')).toContain('exit 2');

    script(join(folder, 'scripts', 'say.sh'), 'exit 0');
    expect(await run()).toMatchObject({ decision: 'deny' });
    expect(registry.hooksFor(at(project), ['pre_tool_use'])[0]?.status).toMatchObject({ kind: 'changed' });
    rmSync(folder, { recursive: true });
    expect(await run()).toMatchObject({ decision: 'deny' });
    untrust(ports.trustDir, project, 'all');
    expect(await run()).toMatchObject({ decision: 'observe' });
  });

  it('are the same objects while nothing changes', () => {
    const { project, ports, registry } = home();
    artifact(join(project, '.piton', 'artifacts', 'guard'), {});
    trust(ports, project, 'all', { at: 'now' });
    const one = () => registry.hooksFor(at(project), ['pre_tool_use'])[0];
    expect(one()).toBe(one());
  });
});

describe('where a hook runs', () => {
  const only = (fields: object) => {
    const { config, project, registry } = home();
    artifact(join(config, 'artifacts', 'a'), fields);
    const { hooks, problems } = registry.list(at(project));
    return { planned: plan(shell, hooks), problems: problems.map(({ problem }) => problem).join() };
  };

  it('is limited by target_harnesses, by id or alias', () => {
    expect(only({ target_harnesses: ['claude-code'] }).planned.deciding).toHaveLength(1);
    expect(only({ target_harnesses: ['codex'] }).planned.skipped).toMatchObject([{ why: 'agent-not-targeted' }]);
  });
  it('is an error with a suggestion for an agent that nobody knows', () => {
    const { planned, problems } = only({ target_harnesses: ['codx'] });
    expect(planned.skipped).toMatchObject([{ why: 'broken' }]);
    expect(problems).toContain('did you mean codex?');
  });
  it('is nowhere while a program is missing that it needs; a policy denies then', async () => {
    const missing = { runtime_requirements: { system_packages: ['sh', 'no-such-program-here'] } };
    expect(only(missing).planned.skipped).toMatchObject([{ why: 'broken', note: 'not on PATH: no-such-program-here' }]);
    const { planned } = only({ ...missing, fail_closed: true });
    expect((await decide(optionsOf(shell, planned.deciding))).reduced).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('no-such-program-here'),
    });
    expect(only({ runtime_requirements: { system_packages: ['sh'] } }).planned.deciding).toHaveLength(1);
  });
  it('is not outside its sandbox: where nothing can confine it, it does not run', async () => {
    const { planned } = only({ sandbox_profile: 'strict', command: 'echo "ran" >&2; exit 2' });
    const { reduced, trace } = await decide(optionsOf(shell, planned.deciding));
    expect(reduced.decision).toBe('observe');
    expect(trace).toMatchObject([{ did: 'ran', failed: 'spawn', note: expect.stringContaining('strict') }]);
  });
});

describe('a hook that wants the native payload', () => {
  it('reads it, and its answer is kept as it is unless another hook decides', async () => {
    const { config, project, registry } = home();
    artifact(join(config, 'artifacts', 'a'), { wants: 'native', command: 'cat; exit 3' });
    const { deciding } = plan(shell, registry.hooksFor(at(project), ['pre_tool_use']));
    const { reduced, native } = await decide(optionsOf({ ...shell, raw: { their: 'words' } }, deciding));
    expect(reduced.decision).toBe('observe');
    expect(native).toEqual({ stdout: '{"their":"words"}', stderr: '', exitCode: 3 });
  });
  it('of a project is not heard without the permissions that its answer might use', async () => {
    const { project, ports, registry } = home();
    artifact(join(project, '.piton', 'artifacts', 'a'), { wants: 'native', command: 'echo allow' });
    trust(ports, project, 'all', { at: 'now' });
    const run = () => decide(optionsOf(shell, plan(shell, registry.hooksFor(at(project), ['pre_tool_use'])).deciding));
    expect((await run()).native).toBeUndefined();
    trust(ports, project, 'all', { at: 'now', may: ['allow', 'modify'] });
    expect((await run()).native).toMatchObject({ stdout: 'allow\n' });
  });
});
