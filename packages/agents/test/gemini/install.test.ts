import { spawnSync } from 'node:child_process';
import type { InstallTarget } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { gemini } from '../../src/gemini/index.ts';

const user: InstallTarget = {
  scope: 'user',
  forwarder: '/home/some one/.local/state/piton/runtime/current/piton-forward',
  forwarderBelowHome: '.local/state/piton/runtime/current/piton-forward',
  wanted: [],
};
const project: InstallTarget = { ...user, scope: 'project' };
const [file] = gemini.installer.configFiles('user', {});
const installed = (text: string | null, target = user): string => {
  const result = gemini.installer.install(text, target, file);
  if (!result.ok || result.edit.text === null) throw new Error('not installed');
  return result.edit.text;
};
const handlerIn = (text: string, event: string) => JSON.parse(text).hooks[event].at(-1).hooks[0];

describe('what is installed', () => {
  it('is every event that has a canonical name, and no costly one', () => {
    const names = ['SessionStart', 'SessionEnd', 'BeforeAgent', 'AfterAgent', 'BeforeTool', 'AfterTool', 'Notification'];
    expect(Object.keys(JSON.parse(installed(null)).hooks)).toEqual(names);
    expect(Object.keys(JSON.parse(installed(null, { ...user, wanted: ['AfterModel', 'PreCompress'] })).hooks)).toEqual([
      ...names,
      'PreCompress',
      'AfterModel',
    ]);
  });
  it('is for all tools, has a name, and counts its time in milliseconds', () => {
    expect(JSON.parse(installed(null)).hooks.BeforeTool).toEqual([
      {
        matcher: '*',
        hooks: [
          {
            type: 'command',
            name: 'piton',
            command: `set -- '${user.forwarder}' gemini BeforeTool user 60000 -; [ -x "$1" ] || exit 0; exec "$@"`,
            timeout: 60_000,
          },
        ],
      },
    ]);
  });
  it('has a fixed path below HOME in project scope', () => {
    expect(handlerIn(installed(null, project), 'AfterAgent').command).toContain(
      'set -- "$HOME"/.local/state/piton/runtime/current/piton-forward gemini AfterAgent project 60000 -;',
    );
  });
  it('stays silent and says yes where the program is gone', () => {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', handlerIn(installed(null), 'BeforeTool').command], {
      encoding: 'utf8',
      input: '{}',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
  it('stands in the file that Gemini CLI reads', () => {
    expect(file).toEqual({ path: '.gemini/settings.json', label: '~/.gemini/settings.json' });
    expect(gemini.installer.configFiles('user', { GEMINI_CLI_HOME: '/conf/' })[0].path).toBe('/conf/.gemini/settings.json');
    expect(gemini.installer.configFiles('project', { GEMINI_CLI_HOME: '/conf' })[0].path).toBe('.gemini/settings.json');
  });
});

describe('uninstalling', () => {
  it('takes ours out of a file that Gemini CLI has written anew, and leaves the hooks of others', () => {
    const foreign = { hooks: { BeforeTool: [{ hooks: [{ type: 'command', command: './guard.sh' }] }] }, ui: { theme: 'x' } };
    const rewritten = JSON.stringify(JSON.parse(installed(JSON.stringify(foreign))), null, 2);
    expect(gemini.installer.uninstall(rewritten, user, file)).toMatchObject({ ok: true, edit: { text: JSON.stringify(foreign, null, 2) } });
  });
});
