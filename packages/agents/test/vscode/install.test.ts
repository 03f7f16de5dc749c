import type { InstallTarget } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { vscode } from '../../src/vscode/index.ts';

const user: InstallTarget = {
  scope: 'user',
  forwarder: '/home/dev/piton/runtime/current/piton-forward',
  forwarderBelowHome: 'piton/runtime/current/piton-forward',
  wanted: [],
};
const [file] = vscode.installer.configFiles('user', {});
const install = (text: string | null, target = user) => {
  const result = vscode.installer.install(text, target, file);
  if (!result.ok) throw new Error(result.error);
  return JSON.parse(result.edit.text ?? '');
};

describe('what is installed', () => {
  it('writes no matcher', () => {
    const { version, hooks } = install(null);
    expect(version).toBe(1);
    expect(Object.keys(hooks)).toEqual(vscode.events.map(({ name }) => name));
    expect(hooks.PreToolUse).toEqual([
      {
        type: 'command',
        command: `set -- ${user.forwarder} vscode PreToolUse user 60000 -; [ -x "$1" ] || exit 0; exec "$@"`,
        timeout: 60,
      },
    ]);
  });
  it('stands in a file of its own, where VS Code looks', () => {
    expect(file).toEqual({ path: '.copilot/hooks/piton-vscode.json', label: '~/.copilot/hooks/piton-vscode.json' });
    expect(vscode.installer.configFiles('project', {})[0].path).toBe('.github/hooks/piton-vscode.json');
  });
});
