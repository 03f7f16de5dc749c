import type { InstallTarget, Registration } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { claude } from '../../src/claude/index.ts';

const user: InstallTarget = {
  scope: 'user',
  forwarder: '/home/dev/.local/state/piton/runtime/current/piton-forward',
  forwarderBelowHome: '.local/state/piton/runtime/current/piton-forward',
  wanted: [],
};
const project: InstallTarget = { ...user, scope: 'project' };
const edited = (result: ReturnType<typeof claude.installer.install>) => {
  if (!result.ok) throw new Error(result.error);
  return result.edit;
};
const [file] = claude.installer.configFiles('user', {});
const install = (text: string | null, target = user) => edited(claude.installer.install(text, target, file));
const uninstall = (text: string, target = user) => edited(claude.installer.uninstall(text, target, file));
const handlerIn = (text: string | null, event: string) => JSON.parse(text ?? '').hooks[event].at(-1).hooks[0];

describe('what is installed', () => {
  it('is every event that has a canonical name, and no costly one', () => {
    expect(Object.keys(JSON.parse(install(null).text ?? '').hooks)).toEqual([
      'SessionStart',
      'SessionEnd',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'PermissionRequest',
      'PermissionDenied',
      'SubagentStart',
      'SubagentStop',
      'Stop',
      'StopFailure',
      'PreCompact',
      'PostCompact',
      'Notification',
    ]);
  });
  it('is a costly one too if a hook wants it, but never the one whose output is a path', () => {
    const events = Object.keys(JSON.parse(install(null, { ...user, wanted: ['PostToolBatch', 'WorktreeCreate'] }).text ?? '').hooks);
    expect(events).toContain('PostToolBatch');
    expect(events).not.toContain('WorktreeCreate');
  });
  it('runs the forwarder without a shell in user scope', () => {
    expect(handlerIn(install(null).text, 'PreToolUse')).toEqual({
      type: 'command',
      command: user.forwarder,
      args: ['claude', 'PreToolUse', 'user', '60000', 'CLAUDE_CODE_SESSION_ATTENDED'],
      timeout: 60,
    });
  });
  it('runs it by a guarded line with a fixed path below HOME in project scope', () => {
    expect(handlerIn(install(null, project).text, 'Stop')).toEqual({
      type: 'command',
      command:
        'set -- "$HOME"/.local/state/piton/runtime/current/piton-forward claude Stop project 60000 CLAUDE_CODE_SESSION_ATTENDED; [ -x "$1" ] || exit 0; exec "$@"',
      timeout: 60,
    });
  });
  it('writes whole seconds and keeps the exact deadline in the arguments', () => {
    expect(handlerIn(install(null).text, 'SessionEnd')).toMatchObject({ timeout: 2, args: expect.arrayContaining(['1500']) });
  });
  it('stands in the file that Claude Code reads', () => {
    expect(claude.installer.configFiles('user', {})[0].path).toBe('.claude/settings.json');
    expect(claude.installer.configFiles('user', { CLAUDE_CONFIG_DIR: '/conf/' })[0]).toEqual({
      path: '/conf/settings.json',
      label: '/conf/settings.json',
    });
    expect(claude.installer.configFiles('project', { CLAUDE_CONFIG_DIR: '/conf' })[0].path).toBe('.claude/settings.json');
  });
  it('can be listed, with the exact command', () => {
    const found = claude.installer
      .installed(install(null, project).text ?? '', project, file)
      .find(({ registration }) => registration.nativeEvent === 'Stop');
    expect(found?.registration).toMatchObject({ agent: 'claude', scope: 'project', timeoutMs: 60_000 });
    expect(found?.command).toEqual({ shell: expect.stringContaining('exec "$@"') });
  });
});

describe('installing again', () => {
  const names = (registrations: readonly Registration[]) =>
    registrations.map(({ nativeEvent, scope, timeoutMs }) => `${nativeEvent} ${scope} ${timeoutMs}`);

  it('brings an older line of ours up to date where it stands', () => {
    const now = install('{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]\n  }\n}\n').text ?? '';
    const older = now.replace('"Stop", "user", "60000"', '"Stop", "user", "5000"').replaceAll('/home/dev/', '/home/former/');
    const again = install(older);
    expect(again.text).toBe(now);
    expect(names(again.removed)).toContain('Stop user 5000');
    expect(again.added).toHaveLength(15);
  });
  it('takes out what is no longer wanted, what stands twice and what stands in the wrong place', () => {
    const plain = install(null).text ?? '';
    const wanted = install(null, { ...user, wanted: ['PostToolBatch'] }).text ?? '';
    expect(install(wanted).text).toBe(plain);
    const group = JSON.parse(plain).hooks.Stop[0];
    const twice = JSON.stringify({ hooks: { ...JSON.parse(plain).hooks, Stop: [group, group], Setup: [group] } }, null, 2);
    expect(JSON.parse(install(twice).text ?? '').hooks).toEqual(JSON.parse(plain).hooks);
  });
  it('turns the lines of the other scope into its own', () => {
    expect(install(install(null, project).text).text).toBe(install(null).text);
  });
  it('leaves what somebody added to our handler', () => {
    const touched = (install(null).text ?? '').replaceAll('"timeout": 60', '"timeout": 60, "statusMessage": "mine"');
    expect(install(touched)).toEqual({ text: touched, added: [], removed: [] });
  });
});

describe('uninstalling', () => {
  it('takes only ours out of a group that somebody put together', () => {
    const ours = handlerIn(install(null).text, 'Stop');
    const text = JSON.stringify(
      { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }, ours, { type: 'command', command: 'bell' }] }] } },
      null,
      2,
    );
    const hooks = JSON.parse(uninstall(text).text ?? '').hooks.Stop[0].hooks;
    expect(hooks.map((handler: { command: string }) => handler.command)).toEqual(['say done', 'bell']);
  });
  it('takes ours out of a file that Claude Code has written anew', () => {
    const foreign = { model: 'opus', permissions: { allow: ['Bash(ls)'] } };
    const rewritten = JSON.stringify(JSON.parse(install(JSON.stringify(foreign)).text ?? ''), null, 2);
    expect(uninstall(rewritten).text).toBe(JSON.stringify(foreign, null, 2));
  });
  it('leaves lines that only look like ours', () => {
    const command = '/opt/runtime/current/piton-forward codex Stop user 60000 -';
    const text = JSON.stringify({
      hooks: {
        Stop: [
          {
            hooks: [
              { type: 'command', command },
              { type: 'command', command: 'echo runtime/current/piton-forward' },
            ],
          },
        ],
      },
    });
    expect(uninstall(text)).toEqual({ text, added: [], removed: [] });
  });
  it('names what it took out', () => {
    expect(uninstall(install('{"a":1}').text ?? '').removed).toHaveLength(15);
  });
});

describe('an event that is no list', () => {
  it('is reported with its place, and nothing is edited', () => {
    const result = claude.installer.install('{\n  "hooks": {\n    "Stop": "say done"\n  }\n}', user, file);
    expect(result).toEqual({ ok: false, error: expect.stringMatching(/line 3, column 13.*hooks\.Stop.*array/) });
  });
});
