import { findAgent } from '@piton/agents';
import type { NativeHook, NotImported } from '@piton/contracts';
import { textMatch } from '@piton/hooks';
import { describe, expect, it } from 'vitest';

/** What becomes of a hook with this rule in Claude Code's settings. */
function imported(event: string, rule: string, matcher?: string): NativeHook | NotImported {
  const hooks = { [event]: [{ ...(matcher && { matcher }), hooks: [{ type: 'command', command: 'true', if: rule }] }] };
  const result = findAgent('claude')?.importer?.read(JSON.stringify({ hooks }), { path: '', label: '' });
  if (!result?.ok) throw new Error('it cannot be read');
  return (result.hooks[0] ?? result.left[0]) as NativeHook | NotImported;
}

/** Does the condition let the command through, as our engine reads it? */
function fits(rule: string, command: string): boolean {
  const hook = imported('PreToolUse', rule, 'Bash');
  if ('why' in hook || hook.shellCommand === undefined) throw new Error(`${rule} has no pattern`);
  const match = textMatch(hook.shellCommand);
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
    expect(imported('PreToolUse', rule)).toMatchObject(expected);
  });
  it.each([
    ['WebFetch(domain:example.com)', undefined],
    ['Edit([ab].ts)', undefined],
    ['WebSearch', 'Bash|Edit'],
    ['not a rule', undefined],
  ])('%s is refused, with a reason', (rule, matcher) => {
    expect(imported('PreToolUse', rule, matcher)).toMatchObject({ why: expect.any(String) });
  });
  it('on an event without a tool never ran', () => {
    expect(imported('Stop', 'Bash(git *)')).toMatchObject({ why: expect.stringContaining('never') });
  });
});
