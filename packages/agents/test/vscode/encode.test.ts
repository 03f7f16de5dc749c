import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OBSERVE, type Reduced } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { vscode } from '../../src/vscode/index.ts';
import type { VscodeAnswer } from './answer-reader.ts';
import { documented, FIXTURES } from './fixtures.ts';

const encode = (name: string, decision: Partial<Reduced>, attended = true) => {
  const event = vscode.decode(documented(name), { nativeEvent: name.split('.')[0] ?? '', cwd: '/', variables: {} });
  return vscode.encode(event, { decision: 'observe', verdict: 'observe', ...decision }, { attended });
};
const json = (name: string, decision: Partial<Reduced>): VscodeAnswer => JSON.parse(encode(name, decision).answer.stdout);

const deny = { decision: 'deny', verdict: 'deny', reason: 'no' } as const;

describe('the answers', () => {
  const recipes: { event: string; intent: string; stdout: VscodeAnswer }[] = JSON.parse(
    readFileSync(join(FIXTURES, 'answers/documented.json'), 'utf8'),
  );
  const INTENTS: Record<string, (stdout: VscodeAnswer) => Partial<Reduced>> = {
    deny: ({ hookSpecificOutput }) => ({ ...deny, reason: hookSpecificOutput?.permissionDecisionReason ?? '' }),
    ask: ({ hookSpecificOutput }) => ({ verdict: 'ask', reason: hookSpecificOutput?.permissionDecisionReason ?? '' }),
    allow: () => ({ verdict: 'allow' }),
    modify_input: ({ hookSpecificOutput }) => ({ verdict: 'allow', input: hookSpecificOutput?.updatedInput ?? {} }),
    add_context: ({ hookSpecificOutput }) => ({ content: hookSpecificOutput?.additionalContext ?? '' }),
    block: ({ reason = '', hookSpecificOutput: nested }) => ({
      ...deny,
      reason,
      ...(nested?.additionalContext && { content: nested.additionalContext }),
    }),
    continue_working: ({ reason = '' }) => ({ continue: reason }),
  };
  const heard = recipes.filter(({ event, intent }) => event !== '*' && intent in INTENTS);
  it.each(heard)('equal the documented recipe: $event $intent', ({ event, intent, stdout }) => {
    expect(json(event, INTENTS[intent]?.(stdout) ?? {})).toEqual(stdout);
  });
  it('cover most documented recipes', () => expect(heard.length).toBeGreaterThan(10));
  it('never lose a part without a word', () => {
    const everything: Partial<Reduced> = { ...deny, input: {}, output: '', content: 'context', continue: 'more' };
    for (const { name } of vscode.events) {
      const parts = encode(name, everything).delivered.map((part) => part.decision);
      expect([name, ...parts.sort()]).toEqual([name, 'continue', 'deny', 'modify', 'replace', 'rewrite']);
    }
  });
  it('are silence where there is nothing to say', () => {
    for (const { name } of vscode.events) expect(encode(name, OBSERVE).answer.stdout).toBe('');
  });
});

describe('a decision that VS Code takes in its own way', () => {
  it('refuses a stop in both forms', () => {
    const block = { decision: 'block', reason: 'more' };
    expect(json('Stop', { continue: 'more' })).toEqual({ ...block, hookSpecificOutput: { hookEventName: 'Stop', ...block } });
  });
  it('modifies in the words of the tool', () => {
    const changed = (name: string, input: Reduced['input'] & object) => json(name, { input }).hookSpecificOutput?.updatedInput;
    expect(changed('PreToolUse.edit', { file_path: '/b', old_string: 'x', new_string: 'y' })).toEqual({
      filePath: '/b',
      oldString: 'x',
      newString: 'y',
    });
    expect(changed('PreToolUse.read', { file_path: '/b', offset: 3, limit: 2 })).toEqual({ filePath: '/b', startLine: 3, endLine: 4 });
    expect(json('PreToolUse', { input: { command: 'true' } }).hookSpecificOutput).not.toHaveProperty('permissionDecision');
  });
  it('ends the run beside the deny', () => {
    expect(json('PreToolUse', { ...deny, endRun: true })).toMatchObject({
      continue: false,
      stopReason: 'no',
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
  });
});
