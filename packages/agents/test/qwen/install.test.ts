import type { InstallTarget } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { qwen } from '../../src/qwen/index.ts';

const user: InstallTarget = {
  scope: 'user',
  forwarder: '/home/dev/.local/state/piton/runtime/current/piton-forward',
  forwarderBelowHome: '.local/state/piton/runtime/current/piton-forward',
  wanted: [],
};
const [file] = qwen.installer.configFiles('user', {});
const installed = (text: string | null, target = user): string => {
  const result = qwen.installer.install(text, target, file);
  if (!result.ok || result.edit.text === null) throw new Error('not installed');
  return result.edit.text;
};

describe('what is installed', () => {
  it('is every event that has a canonical name, and no costly one', () => {
    const names = Object.keys(JSON.parse(installed(null)).hooks);
    expect(names).toHaveLength(15);
    for (const costly of ['MessageDisplay', 'PostToolBatch', 'TodoCreated', 'TodoCompleted']) expect(names).not.toContain(costly);
    expect(Object.keys(JSON.parse(installed(null, { ...user, wanted: ['PostToolBatch'] })).hooks)).toContain('PostToolBatch');
  });
  it('counts its time in a way that every version reads alike', () => {
    for (const [group] of Object.values(JSON.parse(installed(null)).hooks) as { hooks: { timeout: number }[] }[][])
      expect(group?.hooks[0]?.timeout).toBeGreaterThanOrEqual(1000);
  });
  it('runs the forwarder by a guarded line', () => {
    expect(JSON.parse(installed(null)).hooks.PreToolUse).toEqual([
      {
        hooks: [
          {
            type: 'command',
            name: 'piton',
            command: `set -- ${user.forwarder} qwen PreToolUse user 60000 -; [ -x "$1" ] || exit 0; exec "$@"`,
            timeout: 60_000,
          },
        ],
      },
    ]);
  });
  it('stands in the file that Qwen Code reads', () => {
    expect(file).toEqual({ path: '.qwen/settings.json', label: '~/.qwen/settings.json' });
    expect(qwen.installer.configFiles('user', { QWEN_HOME: '/conf/' })[0].path).toBe('/conf/settings.json');
    expect(qwen.installer.configFiles('project', { QWEN_HOME: '/conf' })[0].path).toBe('.qwen/settings.json');
  });
});

describe('uninstalling', () => {
  it('takes ours out of a file that Qwen Code has written anew, and leaves the rest', () => {
    const foreign = { tools: { todoWrite: { enabled: true } }, hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] } };
    const anew = (settings: object) => `${JSON.stringify({ ...settings, $version: 4 }, null, 2)}\n`;
    const rewritten = anew(JSON.parse(installed(JSON.stringify(foreign))));
    expect(qwen.installer.uninstall(rewritten, user, file)).toMatchObject({ ok: true, edit: { text: anew(foreign) } });
  });
});
