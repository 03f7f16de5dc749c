import { describe, expect, it } from 'vitest';
import { replacePlaceholders, withCommand } from '../../src/hook-tests/payloads.ts';

describe('a payload in another place', () => {
  it('has the place wherever its name stood, also within a text, and whatever it is made of', () => {
    const payload = { cwd: '$REPO', files: ['$REPO/a.ts'], command: 'cat "$REPO/a" $REPO' };
    expect(replacePlaceholders(payload, { $REPO: '/a "b"/$&' })).toEqual({
      cwd: '/a "b"/$&',
      files: ['/a "b"/$&/a.ts'],
      command: 'cat "/a "b"/$&/a" /a "b"/$&',
    });
  });

  it('leaves a name alone that only begins so', () => {
    expect(replacePlaceholders(['/home/x', '/home/x/a', '/home/xy', '/home/x-y'], { '/home/x': '/w' })).toEqual([
      '/w',
      '/w/a',
      '/home/xy',
      '/home/x-y',
    ]);
  });
});

describe('a payload about another command', () => {
  it('says it wherever exactly the first stood', () => {
    const payload = { tool_input: { commands: ['ls'], note: 'ls' }, said: 'ls -l', deep: [{ ls: 1, cmd: 'ls' }], none: null };
    expect(withCommand(payload, 'ls', 'rm')).toEqual({
      tool_input: { commands: ['rm'], note: 'rm' },
      said: 'ls -l',
      deep: [{ ls: 1, cmd: 'rm' }],
      none: null,
    });
  });
});
