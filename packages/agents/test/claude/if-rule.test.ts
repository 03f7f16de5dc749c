import { textMatch } from '@piton/hooks';
import { describe, expect, it } from 'vitest';
import { conditionOfRule } from '../../src/claude/if-rule.ts';

/** Does the condition let the command through, as our engine reads it? */
function fits(rule: string, command: string): boolean {
  const condition = conditionOfRule('pre_tool_use', rule, 'Bash');
  if ('why' in condition || condition.shellCommand === undefined) throw new Error(`${rule} has no pattern`);
  const match = textMatch(condition.shellCommand);
  if (!match.ok) throw new Error(match.problem);
  return match.test(command);
}

describe('a rule about commands', () => {
  it.each([
    ['Bash(git *)', 'git status', true],
    ['Bash(git *)', 'cd a && git status', true],
    ['Bash(git *)', 'echo a; git push', true],
    ['Bash(git *)', 'ls\ngit push', true],
    ['Bash(git *)', 'gitk', false],
    ['Bash(git *)', 'echo git x', false],
    ['Bash(git push:*)', 'git push', true],
    ['Bash(git push:*)', 'git push -f', true],
    ['Bash(git push:*)', 'git pushy', false],
    ['Bash(npm test)', 'npm test', true],
    ['Bash(npm test)', 'npm test && ls', true],
    ['Bash(npm test)', 'npm test --watch', false],
    ['Bash(* --force)', 'git push --force', true],
    ['Bash(a.b $x)', 'a.b $x', true],
    ['Bash(a.b $x)', 'aXb $x', false],
  ])('%s and %j: %s', (rule, command, expected) => {
    expect(fits(rule, command)).toBe(expected);
  });
});

describe('another rule', () => {
  it.each([
    ['Bash', { kind: 'shell' }],
    ['Edit(*.ts)', { kind: 'edit', file: '**/*.ts' }],
    ['Write(//etc/**)', { kind: 'edit', file: '/etc/**' }],
    ['Read(~/.ssh/**)', { kind: 'read', file: '~/.ssh/**' }],
    ['Edit(src/)', { kind: 'edit', file: '**/src/**' }],
    ['mcp__github__push', { matcher: 'mcp__github__push' }],
  ])('%s', (rule, expected) => {
    expect(conditionOfRule('pre_tool_use', rule, undefined)).toMatchObject(expected);
  });
  it.each([
    ['WebFetch(domain:example.com)', undefined],
    ['Edit([ab].ts)', undefined],
    ['WebSearch', 'Bash|Edit'],
    ['not a rule', undefined],
  ])('%s is refused, with a reason', (rule, matcher) => {
    expect(conditionOfRule('pre_tool_use', rule, matcher)).toMatchObject({ why: expect.any(String) });
  });
  it('on an event without a tool never ran', () => {
    expect(conditionOfRule('stop', 'Bash(git *)', undefined)).toMatchObject({ why: expect.stringContaining('never') });
  });
});
