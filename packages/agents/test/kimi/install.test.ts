import type { Importer, InstallTarget } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { kimi } from '../../src/kimi/index.ts';

const user: InstallTarget = {
  scope: 'user',
  forwarder: '/home/some one/.local/state/piton/runtime/current/piton-forward',
  forwarderBelowHome: '.local/state/piton/runtime/current/piton-forward',
  wanted: [],
};
const [file] = kimi.installer.configFiles('user', {});
function edited(result: ReturnType<typeof kimi.installer.install>): string {
  if (!result.ok) throw new Error(result.error);
  return result.edit.text ?? '';
}
const install = (text: string | null, target = user): string => edited(kimi.installer.install(text, target, file));
const MINE = '[[hooks]]\nevent = "PreToolUse"\nmatcher = "^Bash$"\ncommand = "check"\ntimeout = 5\n';

describe('what is installed', () => {
  it('is a line for a shell in a table of three keys', () => {
    expect(install(null).split('\n\n')[3]).toBe(
      [
        '[[hooks]]',
        'event = "PreToolUse"',
        `command = "set -- '/home/some one/.local/state/piton/runtime/current/piton-forward' kimi PreToolUse user 60000 -; [ -x \\"$1\\" ] || exit 0; exec \\"$@\\""`,
        'timeout = 60',
      ].join('\n'),
    );
  });
  it('stands in the file of the user alone, wherever a variable moved it', () => {
    expect(file).toEqual({ path: '.kimi-code/config.toml', label: '~/.kimi-code/config.toml' });
    expect(kimi.installer.configFiles('user', { KIMI_CODE_HOME: '/conf/' })[0].path).toBe('/conf/config.toml');
    expect(kimi.installer.userOnly).toContain('none of a repository');
  });
  it('is another event too if a hook wants it', () => {
    expect(install(null, { ...user, wanted: ['Interrupt'] })).toContain('event = "Interrupt"');
    expect(install(null)).not.toContain('event = "Interrupt"');
  });
  it('is written anew where it is of an older home, and what a person put beside it stays', () => {
    const older = install(MINE, { ...user, forwarder: '/old/runtime/current/piton-forward' });
    const now = install(older);
    expect(now).not.toContain('/old/');
    expect(now).toBe(install(MINE));
    expect(edited(kimi.installer.uninstall(now, user, file))).toBe(MINE);
  });
  it('goes without joining the lines around it', () => {
    const moved = `telemetry = false\n${install(null).split('\n\n')[0]}\n[models.x]\nmodel = "x"\n`;
    expect(edited(kimi.installer.uninstall(moved, user, file))).toBe('telemetry = false\n[models.x]\nmodel = "x"\n');
  });
});

describe('an import', () => {
  const importer = kimi.importer as Importer;
  const read = (text: string) => {
    const result = importer.read(text, file);
    if (!result.ok) throw new Error(result.error);
    return result;
  };
  const WITH_STOP = `telemetry = false\n\n${MINE}\n# mine\n[[hooks]]\nevent = "Stop"\ncommand = '''say "done"'''\n`;

  it('takes the hooks of the user, and none of ours', () => {
    const { hooks, left } = read(install(WITH_STOP));
    expect(left).toEqual([]);
    expect(hooks).toMatchObject([
      { event: 'pre_tool_use', matcher: 'Bash', command: 'check', timeoutMs: 5000, shape: 'native', place: { path: 'hooks[0]', line: 3 } },
      { event: 'stop', command: 'say "done"', timeoutMs: 30_000, place: { path: 'hooks[1]', line: 10 } },
    ]);
  });
  it.each([
    ['PreToolUse', 'Bash|Write', { matcher: 'Bash|Write' }],
    ['PreToolUse', 'Edit', { matcher: 'Edit' }],
    ['PreToolUse', 'mcp__github__.*', { matcher: 'mcp__github__*' }],
    ['SessionStart', 'startup|resume', { source: '/startup|resume/' }],
    ['Stop', '.*', {}],
  ])('of a hook on %s with the matcher %s has its condition', (event, matcher, condition) => {
    expect(read(`[[hooks]]\nevent = "${event}"\nmatcher = "${matcher}"\ncommand = "x"\n`).hooks).toMatchObject([
      { command: 'x', ...condition },
    ]);
  });
  it.each([
    ['UserPromptSubmit', 'fix', /compared with the prompt/],
    ['Stop', 'x', /never runs/],
    ['SubagentStop', 'coder', /subagent/],
    ['PreToolUse', 'B[a]sh', /pattern/],
  ])('leaves a hook on %s with the matcher %s, and says why', (event, matcher, why) => {
    const { hooks, left } = read(`[[hooks]]\nevent = "${event}"\nmatcher = "${matcher}"\ncommand = "x"\n`);
    expect([hooks.length, left[0]?.why]).toEqual([0, expect.stringMatching(why)]);
  });
  it('can take what it took out of the file, and put it back', () => {
    const without = importer.remove?.(WITH_STOP, ['hooks[0]']) ?? '';
    expect(without).toBe(`telemetry = false\n\n# mine\n[[hooks]]\nevent = "Stop"\ncommand = '''say "done"'''\n`);
    const back = importer.restore?.(without, WITH_STOP, ['hooks[0]']) ?? '';
    expect(
      read(back)
        .hooks.map(({ command }) => command)
        .sort(),
    ).toEqual(['check', 'say "done"']);
    expect(importer.restore?.(back, WITH_STOP, ['hooks[0]'])).toBe(back);
  });
});
