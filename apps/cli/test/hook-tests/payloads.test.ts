import { describe, expect, it } from 'vitest';
import { replacePlaceholders, withCommand } from '../../src/hook-tests/payloads.ts';

describe('a payload with other paths', () => {
  it('has the path wherever its name was, also inside a string, whatever characters it has', () => {
    const payload = { cwd: '$REPO', files: ['$REPO/a.ts'], command: 'cat "$REPO/a" $REPO' };
    expect(replacePlaceholders(payload, { $REPO: '/a "b"/$&' })).toEqual({
      cwd: '/a "b"/$&',
      files: ['/a "b"/$&/a.ts'],
      command: 'cat "/a "b"/$&/a" /a "b"/$&',
    });
  });

  it('does not touch a longer name with the same prefix', () => {
    expect(replacePlaceholders(['/home/x', '/home/x/a', '/home/xy', '/home/x-y'], { '/home/x': '/w' })).toEqual([
      '/w',
      '/w/a',
      '/home/xy',
      '/home/x-y',
    ]);
  });
});

describe('a payload with another command', () => {
  it('has it in every string that was exactly the old one', () => {
    const payload = { tool_input: { commands: ['ls'], note: 'ls' }, said: 'ls -l', deep: [{ ls: 1, cmd: 'ls' }], none: null };
    expect(withCommand(payload, 'ls', 'rm')).toEqual({
      tool_input: { commands: ['rm'], note: 'rm' },
      said: 'ls -l',
      deep: [{ ls: 1, cmd: 'rm' }],
      none: null,
    });
  });
});
