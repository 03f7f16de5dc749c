import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRegistry, type HookDefinition, plan, type Registry } from '../../src/index.ts';
import { parseSettings, put, script, temporary, toolEvent } from '../scenery.ts';

interface Home {
  readonly base: string;
  readonly config: string;
  readonly project: string;
  readonly registry: Registry;
}

function home(): Home {
  const base = temporary();
  const project = join(base, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  const config = join(base, 'config');
  return { base, config, project, registry: createRegistry({ config, trustDir: join(base, 'trust'), parseSettings }) };
}
const settings = (hooks: readonly unknown[], more: object = {}): string => JSON.stringify({ hooks, ...more });
const at = (cwd: string) => ({ cwd, sessionRoot: null });
const ids = (hooks: readonly HookDefinition[]): string[] => hooks.map(({ id }) => id);

describe('the user’s hooks', () => {
  it('are executables in a directory named after the event, in any spelling, in the order of their names', () => {
    const { config, project, registry } = home();
    script(join(config, 'hooks/pre-tool-use/20-b'), ':');
    script(join(config, 'hooks/pre_tool_use/10-a'), ':');
    script(join(config, 'hooks/pre-tool-use/30-c'), ':');
    script(join(config, 'hooks/post-response/bell'), ':');
    expect(ids(registry.hooksFor(at(project), ['pre_tool_use']))).toEqual([
      'user:pre_tool_use/10-a',
      'user:pre-tool-use/20-b',
      'user:pre-tool-use/30-c',
    ]);
    const [bell] = registry.hooksFor(at(project), ['stop']);
    expect(bell).toMatchObject({
      name: 'bell',
      event: 'stop',
      scope: 'user',
      argv: [join(config, 'hooks/post-response/bell')],
      may: ['allow', 'modify'],
      status: { kind: 'ready' },
    });
    expect(registry.list(at(project)).problems).toEqual([]);
  });

  it('leave out notes and what editors leave behind', () => {
    const { config, project, registry } = home();
    for (const name of ['.hidden', 'README', 'README.txt', 'notes.md', 'guard~', 'guard.bak', '.guard.swp', '#guard#'])
      put(join(config, 'hooks/stop', name), '');
    mkdirSync(join(config, 'hooks/stop/lib'));
    expect(registry.list(at(project))).toEqual({ hooks: [], subscriptions: [], problems: [] });
  });

  it('are looked up to a bound, and what is beyond it is named: an agent waits meanwhile', () => {
    const { config, project, registry } = home();
    for (let at = 0; at < 1001; at++) script(join(config, 'hooks/stop', `h${String(at).padStart(4, '0')}`), ':');
    put(
      join(config, 'settings.json'),
      settings(Array.from({ length: 2001 }, () => ({ name: 'same', event: 'session_start', command: ':' }))),
    );
    const stop = ids(registry.hooksFor(at(project), ['stop']));
    expect([stop.length, stop.at(-1)]).toEqual([1000, 'user:stop/h0999']);
    const start = ids(registry.hooksFor(at(project), ['session_start']));
    expect([start.length, start[0], start[1], start.at(-1)]).toEqual([
      2000,
      'user:settings/same',
      'user:settings/same#2',
      'user:settings/same#2000',
    ]);
    const said = registry.list(at(project)).problems.map(({ problem }) => problem);
    expect(said).toContain('there are more than 2000 hooks: those after hooks[1999] do not run');
    expect(said).toContain('it holds more than 1000 files: those that sort last do not run');
  });

  it('come first from settings as written, then from executables; all generic ones before those of the kind', () => {
    const { config, project, registry } = home();
    script(join(config, 'hooks/pre-tool-use/x'), ':');
    script(join(config, 'hooks/pre-shell-execution/y'), ':');
    put(
      join(config, 'settings.json'),
      settings([
        { name: 'z', event: 'pre_tool_use', command: 'true' },
        { name: 'kind', event: 'pre-shell-execution', command: 'true' },
        { name: 'a', event: 'pre-tool-use', command: 'true' },
      ]),
    );
    expect(ids(registry.hooksFor(at(project), ['pre_tool_use', 'pre_shell_execution']))).toEqual([
      'user:settings/z',
      'user:settings/a',
      'user:pre-tool-use/x',
      'user:settings/kind',
      'user:pre-shell-execution/y',
    ]);
  });

  it('carry the fields of their settings', () => {
    const { config, project, registry } = home();
    put(
      join(config, 'settings.json'),
      settings([
        {
          name: 'full',
          event: 'stop',
          command: 'echo hi',
          matcher: 'Bash',
          timeout: 2.5,
          inject_output: true,
          enabled: false,
          observe: true,
          fail_closed: true,
        },
        { event: 'stop', command: 'true', timeout: '500ms' },
        { name: 's', event: 'stop', command: 'true', timeout: '5s' },
        { name: 'shadow', event: 'stop', command: 'true', mode: 'shadow' },
      ]),
    );
    const [full, plain, seconds, shadow] = registry.hooksFor(at(project), ['stop']);
    expect(full).toMatchObject({
      argv: ['/bin/sh', '-c', 'echo hi'],
      source: join(config, 'settings.json'),
      matcher: 'Bash',
      timeoutMs: 2500,
      injectOutput: true,
      enabled: false,
      observe: true,
      failClosed: true,
    });
    expect(plain).toMatchObject({
      name: 'stop-2',
      timeoutMs: 500,
      injectOutput: undefined,
      enabled: true,
      observe: false,
      failClosed: false,
    });
    expect(seconds?.timeoutMs).toBe(5000);
    expect(shadow?.observe).toBe(true);
    expect(registry.list(at(project)).problems).toEqual([]);
  });

  it('are named when they cannot run, with what to do', () => {
    const { config, project, registry } = home();
    const path = put(join(config, 'hooks/stop/guard'), '#!/bin/sh\n');
    expect(registry.hooksFor(at(project), ['stop'])[0]?.status.kind).toBe('not-executable');
    expect(registry.list(at(project)).problems).toEqual([
      { path, problem: 'user:stop/guard is not executable, so it does not run', remedy: `chmod +x "${path}"` },
    ]);
    chmodSync(path, 0o755);
    expect(registry.hooksFor(at(project), ['stop'])[0]?.status.kind).toBe('ready');
    chmodSync(path, 0o644);
    expect(registry.hooksFor(at(project), ['stop'])[0]?.status.kind).toBe('not-executable');
  });

  it('may be links: the user’s own directory is the user’s own business', () => {
    const { base, config, project, registry } = home();
    script(join(base, 'dotfiles/guard'), ':');
    mkdirSync(join(config, 'hooks/stop'), { recursive: true });
    symlinkSync(join(base, 'dotfiles/guard'), join(config, 'hooks/stop/guard'));
    symlinkSync('/nowhere', join(config, 'hooks/stop/lost'));
    expect(registry.hooksFor(at(project), ['stop']).map(({ status }) => status.kind)).toEqual(['ready', 'broken']);
  });
});

describe('mistakes', () => {
  it('in the name of an event directory are told with the name that was meant', () => {
    const { config, project, registry } = home();
    script(join(config, 'hooks/pre-tool-usee/x'), ':');
    script(join(config, 'hooks/SessionStart/x'), ':');
    script(join(config, 'hooks/zzzzzzzz/x'), ':');
    script(join(config, 'hooks/checkpoint-created/x'), ':');
    const { hooks, problems } = registry.list(at(project));
    expect(hooks).toEqual([]);
    expect(problems.map(({ problem, remedy }) => [problem, /did you mean ([\w-]+)/.exec(remedy)?.[1]]).sort()).toEqual([
      ['no event is named SessionStart', 'session-start'],
      ['no event is named pre-tool-usee', 'pre-tool-use'],
      ['no event is named zzzzzzzz', undefined],
    ]);
  });

  it('in settings concern one entry each', () => {
    const { config, project, registry } = home();
    put(
      join(config, 'settings.json'),
      settings(
        [
          { name: 'good', event: 'stop', command: 'true' },
          'nonsense',
          { name: 'lost', command: 'true' },
          { name: 'typo', event: 'stopp', command: 'true' },
          { name: 'mute', event: 'stop' },
          { name: 'loop', event: 'stop', command: 'true', matcher: '/(?=a)/', fail_closed: true },
          { name: 'when', event: 'stop', command: 'true', timeout: 'soon' },
          { name: 'odd', event: 'stop', command: 'true', comand: 'x' },
          { name: 'good', event: 'stop', command: 'false' },
        ],
        { hook_enabled: false },
      ),
    );
    const { hooks, problems } = registry.list(at(project));
    expect(hooks.map(({ name, status }) => `${name} ${status.kind}`)).toEqual([
      'good ready',
      'mute broken',
      'loop broken',
      'when broken',
      'odd ready',
      'good#2 ready',
    ]);
    expect(problems.map(({ problem }) => problem)).toEqual([
      '"hook_enabled" is unknown to this version and has no effect: did you mean "hooks_enabled"?',
      'hooks[1] is not an object',
      'hooks[2] has no event: "event" is missing or not a string',
      'hooks[3]: no event is named stopp: did you mean stop?',
      'hooks[4] (mute): "command" is missing',
      expect.stringContaining('hooks[5] (loop): matcher /(?=a)/ looks ahead'),
      expect.stringContaining('hooks[6] (when): "timeout" is not'),
      'hooks[7] (odd): "comand" is unknown to this version and has no effect: did you mean "command"?',
      'two hooks are named good: the later one is called good#2',
    ]);
  });

  it('in the middle of an edit do not remove guards', () => {
    const { config, project, registry } = home();
    const path = put(join(config, 'settings.json'), settings([{ name: 'guard', event: 'stop', command: 'true' }]));
    expect(ids(registry.hooksFor(at(project), ['stop']))).toEqual(['user:settings/guard']);
    writeFileSync(path, '{ "hooks": [ {');
    expect(ids(registry.hooksFor(at(project), ['stop']))).toEqual(['user:settings/guard']);
    expect(registry.list(at(project)).problems).toHaveLength(1);
    writeFileSync(path, '{}');
    expect(registry.hooksFor(at(project), ['stop'])).toEqual([]);
  });
});

describe('a change', () => {
  it('counts for the next event, however quickly that comes', () => {
    const { config, project, registry } = home();
    const names = () => registry.hooksFor(at(project), ['stop']).map(({ name }) => name);
    const path = join(config, 'settings.json');
    expect(names()).toEqual([]);
    for (let round = 0; round < 30; round++) {
      script(join(config, `hooks/stop/x${round}`), ':');
      expect(names()).toContain(`x${round}`);
      // The same length each time: only the file's times tell.
      put(path, settings([{ name: `s${String(round).padStart(2, '0')}`, event: 'stop', command: 'true' }]));
      expect(names()).toContain(`s${String(round).padStart(2, '0')}`);
    }
    rmSync(join(config, 'hooks/stop'), { recursive: true });
    unlinkSync(path);
    expect(names()).toEqual([]);
  });

  it('is seen within one tick of the file system’s clock', () => {
    const { config, project, registry } = home();
    const path = put(join(config, 'settings.json'), '');
    const names = () => registry.hooksFor(at(project), ['stop']).map(({ name }) => name);
    for (let round = 100; round < 400; round++) {
      writeFileSync(path, settings([{ name: `s${round}`, event: 'stop', command: 'true' }]));
      expect(names()).toEqual([`s${round}`]);
    }
  });

  it('is seen when a whole directory is swapped', () => {
    const { config, project, registry } = home();
    script(join(config, 'hooks/stop/old'), ':');
    script(join(config, 'next/new'), ':');
    expect(ids(registry.hooksFor(at(project), ['stop']))).toEqual(['user:stop/old']);
    renameSync(join(config, 'hooks/stop'), join(config, 'away'));
    renameSync(join(config, 'next'), join(config, 'hooks/stop'));
    expect(ids(registry.hooksFor(at(project), ['stop']))).toEqual(['user:stop/new']);
  });

  it('that did not happen gives the same definitions', async () => {
    const { config, project, registry } = home();
    script(join(config, 'hooks/stop/x'), ':');
    put(join(config, 'settings.json'), settings([{ name: 's', event: 'stop', command: 'true', fail_closed: true }]));
    await new Promise((resolve) => setTimeout(resolve, 150));
    const before = registry.hooksFor(at(project), ['stop']);
    const after = registry.hooksFor(at(project), ['stop']);
    expect(before).toHaveLength(2);
    for (const [position, hook] of before.entries()) expect(after[position]).toBe(hook);
    expect(after).toBe(before); // what was worked out about the list still holds
  });
});

describe('hooks_enabled', () => {
  it('stops all kinds of its own scope, and no other', () => {
    const { config, project, registry } = home();
    script(join(config, 'hooks/stop/x'), ':');
    put(join(config, 'settings.json'), settings([{ name: 's', event: 'stop', command: 'true' }], { hooks_enabled: false }));
    put(join(project, '.piton/settings.json'), JSON.stringify({ hooks_enabled: false }));
    expect(registry.hooksFor(at(project), ['stop']).map(({ enabled }) => enabled)).toEqual([false, false]);
    put(join(config, 'settings.json'), settings([{ name: 's', event: 'stop', command: 'true' }]));
    expect(registry.hooksFor(at(project), ['stop']).map(({ enabled }) => enabled)).toEqual([true, true]);
  });
});

describe('a project', () => {
  it('is looked for from the working directory to the repository’s root', () => {
    const { base, project, registry } = home();
    for (const directory of [base, project, join(project, 'a/b')]) mkdirSync(join(directory, '.piton'), { recursive: true });
    mkdirSync(join(project, 'a/b/c'));
    expect(registry.projectRoots(join(project, 'a/b/c'))).toEqual([project, join(project, 'a/b')]);
    expect(registry.projectRoots(project)).toEqual([project]);
  });

  it('outside a repository is the working directory alone', () => {
    const { base, registry } = home();
    mkdirSync(join(base, 'plain/.piton'), { recursive: true });
    mkdirSync(join(base, 'plain/sub'));
    expect(registry.projectRoots(join(base, 'plain'))).toEqual([join(base, 'plain')]);
    expect(registry.projectRoots(join(base, 'plain/sub'))).toEqual([]);
  });

  it('is found when its directory appears, and is left when it goes', () => {
    const { project, registry } = home();
    expect(registry.projectRoots(project)).toEqual([]);
    mkdirSync(join(project, '.piton'));
    expect(registry.projectRoots(project)).toEqual([project]);
    rmSync(join(project, '.piton'), { recursive: true });
    expect(registry.projectRoots(project)).toEqual([]);
  });

  it('is known by its real path', () => {
    const { base, project, registry } = home();
    mkdirSync(join(project, '.piton'));
    symlinkSync(project, join(base, 'link'));
    expect(registry.projectRoots(join(base, 'link'))).toEqual([project]);
  });

  it('is not looked for behind a link, and that is told', () => {
    const { base, project, registry } = home();
    mkdirSync(join(base, 'elsewhere'));
    symlinkSync(join(base, 'elsewhere'), join(project, '.piton'));
    expect(registry.projectRoots(project)).toEqual([]);
    expect(registry.list(at(project)).problems.map(({ path }) => path)).toEqual([join(project, '.piton')]);
  });

  it('stays in force by the session’s root when the agent goes elsewhere', () => {
    const { base, project, registry } = home();
    const other = join(base, 'other');
    mkdirSync(join(other, '.git'), { recursive: true });
    script(join(project, '.piton/hooks/stop/guard'), ':');
    script(join(other, '.piton/hooks/stop/theirs'), ':');
    expect(ids(registry.hooksFor({ cwd: other, sessionRoot: project }, ['stop']))).toEqual(['project:stop/guard', 'project:stop/theirs']);
    expect(ids(registry.hooksFor({ cwd: project, sessionRoot: project }, ['stop']))).toEqual(['project:stop/guard']);
    expect(ids(registry.hooksFor({ cwd: join(base, 'gone'), sessionRoot: project }, ['stop']))).toEqual(['project:stop/guard']);
  });

  it('comes after the user, and local after project', () => {
    const { config, project, registry } = home();
    const inner = join(project, 'inner');
    for (const piton of [join(project, '.piton'), join(inner, '.piton')]) {
      script(join(piton, 'hooks/stop/p'), ':');
      script(join(piton, 'local/hooks/stop/l'), ':');
      put(join(piton, 'settings.json'), settings([{ name: 'ps', event: 'stop', command: 'true' }]));
      put(join(piton, 'settings.local.json'), settings([{ name: 'ls', event: 'stop', command: 'true' }]));
    }
    script(join(config, 'hooks/stop/u'), ':');
    const hooks = registry.hooksFor(at(inner), ['stop']);
    expect(hooks.map(({ id, root }) => `${id} ${root === null ? '' : root === inner ? 'inner' : 'outer'}`.trim())).toEqual([
      'user:stop/u',
      'project:settings/ps outer',
      'project:stop/p outer',
      'project:settings/ps inner',
      'project:stop/p inner',
      'local:settings/ls outer',
      'local:stop/l outer',
      'local:settings/ls inner',
      'local:stop/l inner',
    ]);
  });

  it('runs nothing until it is trusted, and names the command', () => {
    const { project, registry } = home();
    const path = script(join(project, '.piton/hooks/pre-tool-use/guard'), ':');
    put(join(project, '.piton/settings.json'), settings([{ name: 's', event: 'pre_tool_use', command: 'true', fail_closed: true }]));
    const hooks = registry.hooksFor(at(project), ['pre_tool_use']);
    expect(hooks.map(({ status, may }) => [status.kind, may])).toEqual([
      ['not-trusted', []],
      ['not-trusted', []],
    ]);
    expect(hooks[1]?.status).toEqual({ kind: 'not-trusted', note: `${path} is not trusted. To review it: piton trust` });
    expect(plan(toolEvent('pre_tool_use', 'Bash', {}), hooks).deciding).toEqual([]);
  });
});
