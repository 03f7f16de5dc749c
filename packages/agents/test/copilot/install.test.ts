import type { InstallTarget, ReadinessFacts } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { copilot } from '../../src/copilot/index.ts';

const user: InstallTarget = {
  scope: 'user',
  forwarder: '/home/dev/.local/state/piton/runtime/current/piton-forward',
  forwarderBelowHome: '.local/state/piton/runtime/current/piton-forward',
  wanted: [],
};
const project: InstallTarget = { ...user, scope: 'project' };
const [file] = copilot.installer.configFiles('user', {});
const edited = (result: ReturnType<typeof copilot.installer.install>) => {
  if (!result.ok) throw new Error(result.error);
  return result.edit;
};
const install = (text: string | null, target = user) => edited(copilot.installer.install(text, target, file));
const uninstall = (text: string) => edited(copilot.installer.uninstall(text, user, file));

describe('what is installed', () => {
  it('is every event that has a canonical name, in one dialect', () => {
    const written = JSON.parse(install(null).text ?? '');
    expect(written.version).toBe(1);
    expect(Object.keys(written.hooks)).toEqual([
      'sessionStart',
      'sessionEnd',
      'userPromptSubmitted',
      'preToolUse',
      'postToolUse',
      'postToolUseFailure',
      'permissionRequest',
      'subagentStart',
      'subagentStop',
      'agentStop',
      'errorOccurred',
      'preCompact',
      'notification',
    ]);
  });
  it('is another one if a hook wants it, but never the same in the other dialect', () => {
    const names = Object.keys(JSON.parse(install(null, { ...user, wanted: ['preMcpToolCall', 'PreToolUse'] }).text ?? '').hooks);
    expect(names).toContain('preMcpToolCall');
    expect(names).not.toContain('PreToolUse');
  });
  it('is guarded in both scopes: a missing program would deny every tool', () => {
    const line = (target: InstallTarget) => JSON.parse(install(null, target).text ?? '').hooks.preToolUse;
    const rest = 'copilot preToolUse';
    expect(line(user)).toEqual([
      {
        type: 'command',
        bash: `set -- ${user.forwarder} ${rest} user 60000 -; [ -x "$1" ] || exit 0; exec "$@"`,
        timeoutSec: 60,
      },
    ]);
    expect(line(project)[0].bash).toBe(
      `set -- "$HOME"/.local/state/piton/runtime/current/piton-forward ${rest} project 60000 -; [ -x "$1" ] || exit 0; exec "$@"`,
    );
  });
  it('is plain JSON in a file of its own', () => {
    expect(file).toEqual({ path: '.copilot/hooks/piton.json', label: '~/.copilot/hooks/piton.json' });
    expect(copilot.installer.configFiles('user', { COPILOT_HOME: '/conf/' })[0].path).toBe('/conf/hooks/piton.json');
    expect(copilot.installer.configFiles('project', { COPILOT_HOME: '/conf' })[0].path).toBe('.github/hooks/piton.json');
    expect(() => JSON.parse(install(null).text ?? '')).not.toThrow();
  });
  it('can be listed, with the exact command', () => {
    const found = copilot.installer.installed(install(null).text ?? '', user, file);
    expect(found).toHaveLength(13);
    expect(found[0]).toMatchObject({
      registration: { agent: 'copilot', nativeEvent: 'sessionStart', scope: 'user' },
      command: { shell: expect.stringContaining('exec "$@"') },
    });
  });
});

describe('what somebody else wrote into the file', () => {
  const foreign = `{
  "hooks": {
    "preToolUse": [
      { "type": "command", "bash": "./guard.sh", "timeoutSec": 5 }
    ],
    "sessionStart": []
  }
}
`;
  it('stays before ours, and alone when ours is gone', () => {
    const installed = install(foreign).text ?? '';
    const { version, hooks } = JSON.parse(installed);
    expect(version).toBe(1);
    expect(hooks.preToolUse.map((handler: { bash: string }) => handler.bash)).toEqual([
      './guard.sh',
      expect.stringContaining('piton-forward'),
    ]);
    expect(uninstall(installed).text).toBe(foreign);
  });
  it.each([
    ['a version of their own', '{ "version": 1, "hooks": {} }\n'],
    ['another version', '{\n  "version": 2,\n  "hooks": {\n  }\n}'],
    ['a version after the hooks', '{"hooks":{},"version":1}'],
    ['a version and nothing else', '{"version":1}'],
    ['no version', '{ "hooks": { "agentStop": [] } }'],
    ['a switch', '{ "disableAllHooks": true }'],
  ])('with %s is given back byte for byte', (_name, text) => {
    const installed = install(text).text ?? '';
    expect(JSON.parse(installed).version).toBe(JSON.parse(text).version ?? 1);
    expect(install(installed)).toEqual({ text: installed, added: [], removed: [] });
    expect(uninstall(installed).text).toBe(text);
  });
  it('is left alone where nothing of ours stands, whatever it looks like', () => {
    const theirs = '{\n  "version": 1,  "hooks": {}\n}';
    expect(uninstall(theirs)).toEqual({ text: theirs, added: [], removed: [] });
  });
});

describe('whether it will run', () => {
  const facts = (texts: Record<string, string | null>, scope: 'user' | 'project' = 'project'): ReadinessFacts => ({
    scope,
    home: '/home/dev',
    project: '/home/dev/project',
    env: { HOME: '/home/dev' },
    texts,
    probed: null,
    installed: [],
  });
  const judge = (texts: Record<string, string | null>, scope?: 'user' | 'project') => copilot.readiness?.judge(facts(texts, scope));
  const STATE = '/home/dev/.copilot/config.json';

  it('asks for the state of Copilot CLI and for its own file', () => {
    const paths = (scope: 'user' | 'project', env: Record<string, string>) => copilot.readiness?.files(scope, env).map(({ path }) => path);
    expect(paths('project', { HOME: '/home/dev' })).toEqual(['.github/hooks/piton.json', STATE]);
    expect(paths('user', { HOME: '/home/dev' })).toEqual(['.copilot/hooks/piton.json', '.copilot/config.json']);
    expect(paths('project', { HOME: '/home/dev', COPILOT_HOME: '/conf' })?.[1]).toBe('/conf/config.json');
  });
  it('runs for the user in every folder', () => expect(judge({}, 'user')).toEqual({ runs: true }));
  it('says that the hooks of a folder that is not trusted are skipped', () => {
    for (const text of [null, '{}', '{ "trustedFolders": ["/home/dev/proj", "/home/dev/project/sub"] }', 'broken'])
      expect(judge({ [STATE]: text })).toMatchObject({
        runs: false,
        why: expect.stringContaining('trust'),
        remedy: expect.stringContaining('--trust-folder'),
      });
  });
  it.each([
    ['the folder itself', '{ "trustedFolders": ["/home/dev/project"] }'],
    ['a folder above it', '// managed\n{ "trustedFolders": ["/home/dev/"] }'],
    ['a folder in another spelling', '{ "trustedFolders": ["/home/dev/other/../project/"] }'],
    ['the root', '{ "trustedFolders": ["/"] }'],
    ['the name of older versions', '{ "trusted_folders": ["/home/dev/project"] }'],
  ])('runs where the person trusts %s', (_name, text) => expect(judge({ [STATE]: text })).toEqual({ runs: true }));
  it('says that a file with comments is not read', () => {
    const commented = `// ours\n${install(null).text}`;
    expect(judge({ '.copilot/hooks/piton.json': commented }, 'user')).toMatchObject({
      runs: false,
      why: expect.stringContaining('plain JSON'),
      remedy: expect.stringContaining('comments'),
    });
  });
  it('says that all hooks are switched off', () => {
    const off = install('{ "disableAllHooks": true }').text;
    expect(judge({ '.copilot/hooks/piton.json': off }, 'user')).toMatchObject({
      runs: false,
      why: expect.stringContaining('switched off'),
    });
  });
});
