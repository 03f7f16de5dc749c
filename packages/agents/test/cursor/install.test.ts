import type { InstallTarget } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { cursor } from '../../src/cursor/index.ts';

const user: InstallTarget = {
  scope: 'user',
  forwarder: '/home/dev/piton/runtime/current/piton-forward',
  forwarderBelowHome: 'piton/runtime/current/piton-forward',
  wanted: [],
};
const [file] = cursor.installer.configFiles('user', {});
const install = (text: string | null, target = user) => {
  const result = cursor.installer.install(text, target, file);
  if (!result.ok) throw new Error(result.error);
  return JSON.parse(result.edit.text ?? '');
};

describe('what is installed', () => {
  it('writes documented names and fields only', () => {
    const { version, hooks } = install(null);
    expect(version).toBe(1);
    expect(Object.keys(hooks)).toEqual([
      'sessionStart',
      'sessionEnd',
      'beforeSubmitPrompt',
      'preToolUse',
      'postToolUse',
      'postToolUseFailure',
      'subagentStart',
      'subagentStop',
      'stop',
      'preCompact',
    ]);
    expect(hooks.preToolUse).toEqual([
      { command: `set -- ${user.forwarder} cursor preToolUse user 60000 -; [ -x "$1" ] || exit 0; exec "$@"`, timeout: 60 },
    ]);
    expect(Object.keys(install(null, { ...user, wanted: ['afterFileEdit', 'Surprise'] }).hooks)).toHaveLength(11);
  });
  it('stands in the file that Cursor reads', () => {
    expect(file).toEqual({ path: '.cursor/hooks.json', label: '~/.cursor/hooks.json' });
    expect(cursor.installer.configFiles('project', {})[0]).toEqual({ path: '.cursor/hooks.json', label: '.cursor/hooks.json' });
  });
  it('stands after what others wrote', () => {
    const { hooks } = install('{ "version": 1, "hooks": { "stop": [{ "command": "./bell.sh" }] } }');
    expect(hooks.stop[0]).toEqual({ command: './bell.sh' });
    expect(hooks.stop).toHaveLength(2);
  });
});
