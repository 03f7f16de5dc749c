import { join } from 'node:path';
import type { Reduced } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { qwen } from '../../src/qwen/index.ts';
import { fixturesOf } from '../fixtures-of.ts';
import { allow, ask, deny, encoderOf, goldenAnswers, goOn, modify, replace, rewrite } from '../golden-answers.ts';
import type { QwenAnswer } from './answer-reader.ts';

const { fixtures, text, documented } = fixturesOf('qwen');
const encode = encoderOf(qwen, documented);
const json = (sample: string, said: Partial<Reduced>, attended = true): QwenAnswer =>
  JSON.parse(encode(sample, said, attended).answer.stdout);
const specific = (hookEventName: string, rest: object) => ({ hookSpecificOutput: { hookEventName, ...rest } });

describe('the answers as a whole', () => {
  it('are those of the golden file, for every decision on every event', async () => {
    await expect(goldenAnswers(qwen, documented)).toMatchFileSnapshot(join(fixtures, 'answers/golden.txt'));
  });
  const recipes: { event: string; intent: string; preferred?: true; stdout: QwenAnswer }[] = JSON.parse(text('answers/documented.json'));
  const saidBy: Record<string, (stdout: QwenAnswer) => Partial<Reduced>> = {
    deny: ({ reason, stopReason, hookSpecificOutput }) => ({
      ...deny,
      reason: reason ?? stopReason ?? hookSpecificOutput?.decision?.message ?? '',
    }),
    ask: ({ hookSpecificOutput }) => ({ ...ask, reason: hookSpecificOutput?.permissionDecisionReason ?? '' }),
    allow: () => ({ verdict: 'allow' }),
    modify_input: ({ hookSpecificOutput }) => {
      const { is_background, ...input } = hookSpecificOutput?.decision?.updatedInput ?? {};
      return { verdict: 'allow', input: { ...input, run_in_background: is_background } };
    },
    inject_context: ({ hookSpecificOutput }) => ({ ...replace, content: hookSpecificOutput?.additionalContext ?? '' }),
    replace_output: ({ stopReason }) => ({ ...rewrite, output: stopReason }),
    continue_working: ({ reason = '' }) => ({ ...goOn, continue: reason }),
  };
  // Of several ways to deny a tool we take the one that holds; what SubagentStart is documented to take was not seen to arrive.
  const heard = recipes.filter(
    ({ event, intent, preferred }) =>
      intent in saidBy &&
      (event !== 'PreToolUse' || intent !== 'deny' || preferred) &&
      !/^(?:SubagentStart|UserPromptExpansion|Todo.*)$/.test(event),
  );
  it.each(heard)('equal the documented recipe: $event $intent', ({ event, intent, stdout }) => {
    expect(json(event, saidBy[intent]?.(stdout) ?? {})).toEqual(stdout);
  });
  it('cover the documented recipes', () => expect(heard).toHaveLength(13));
});

describe('before a tool', () => {
  it('denies so that no other hook can take it back', () => {
    expect(json('PreToolUse', deny)).toEqual({
      continue: false,
      stopReason: 'no',
      ...specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' }),
    });
  });
  it('says that the run goes on', () => {
    expect(encode('PreToolUse', { ...deny, endRun: true }).delivered).toEqual([
      { decision: 'deny', how: 'now', note: expect.stringContaining('ended') },
    ]);
  });
  it('turns a question that nobody can answer into a deny that says so', () => {
    expect(json('PreToolUse', ask, false).hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringMatching(/^sure\? .*nobody/),
    });
    expect(qwen.attended({}, true)).toBe(true);
    expect(qwen.attended({}, false)).toBe(false);
  });
  it('grants nothing before a tool', () => {
    expect(encode('PreToolUse', allow)).toMatchObject({ answer: qwen.noop('PreToolUse'), delivered: [{ decision: 'allow', how: 'none' }] });
    expect(json('PermissionRequest', allow)).toEqual(specific('PermissionRequest', { decision: { behavior: 'allow' } }));
  });
  it('writes a new input only where it is taken, in the names of the tool itself', () => {
    expect(encode('PreToolUse', modify)).toMatchObject({
      answer: qwen.noop('PreToolUse'),
      delivered: [{ decision: 'modify', how: 'none' }],
    });
    expect(json('PermissionRequest', { input: { command: 'x', run_in_background: true } })).toEqual(
      specific('PermissionRequest', { decision: { behavior: 'allow', updatedInput: { command: 'x', is_background: true } } }),
    );
  });
  it('says so when context finds no door', () => {
    for (const event of ['PreToolUse', 'SubagentStart'])
      expect(encode(event, replace)).toMatchObject({ answer: qwen.noop(event), delivered: [{ decision: 'replace', how: 'none' }] });
  });
});

describe('after a tool', () => {
  it('adds what a deny says after the result and replaces the result by a rewrite', () => {
    expect(json('PostToolUse', deny)).toEqual(specific('PostToolUse', { additionalContext: 'no' }));
    expect(json('PostToolUse', { ...deny, content: 'context' })).toEqual(specific('PostToolUse', { additionalContext: 'no\ncontext' }));
    expect(json('PostToolUse', rewrite)).toEqual({ continue: false, stopReason: 'new output' });
    expect(json('PostToolUse', { output: { a: 1 }, content: 'context' })).toEqual({ continue: false, stopReason: '{"a":1}\ncontext' });
  });
  it('rewrites no failure', () => {
    expect(encode('PostToolUseFailure', rewrite)).toMatchObject({ delivered: [{ decision: 'rewrite', how: 'none' }] });
    expect(json('PostToolUseFailure', { ...rewrite, ...deny })).toEqual(specific('PostToolUseFailure', { additionalContext: 'no' }));
  });
});

describe('a turn', () => {
  it('never says continue: false at a stop', () => {
    for (const event of ['Stop', 'SubagentStop']) {
      expect(json(event, goOn)).toEqual({ decision: 'block', reason: 'tests have not run' });
      expect(encode(event, { ...goOn, verdict: 'deny', reason: 'no', endRun: true }).answer).toEqual(qwen.noop(event));
    }
  });
  it('keeps context of the start after a compaction for the next prompt', () => {
    const compacted = { ...documented('SessionStart'), source: 'compact' };
    const event = qwen.decode(compacted, { nativeEvent: 'SessionStart', cwd: '/', variables: {} });
    expect(qwen.encode(event, { verdict: 'observe', ...replace }, { attended: false })).toMatchObject({
      answer: qwen.noop('SessionStart'),
      delivered: [{ decision: 'replace', how: 'deferred' }],
      deferred: 'context',
    });
  });
  it('keeps what would become instructions for the summary for the next prompt', () => {
    expect(encode('PreCompact', replace)).toMatchObject({ answer: qwen.noop('PreCompact'), deferred: 'context' });
  });
});

describe('every answer', () => {
  it('never loses a part without a word', () => {
    const everything: Partial<Reduced> = { ...deny, input: {}, output: '', content: 'context', continue: 'more' };
    for (const { name } of qwen.events) {
      const parts = encode(name, everything).delivered.map((part) => part.decision);
      expect([name, ...parts.sort()]).toEqual([name, 'continue', 'deny', 'modify', 'replace', 'rewrite']);
    }
  });
  it('says so when the person cannot read a message', () => {
    expect(json('SessionStart', { userMessage: 'look' })).toEqual({ systemMessage: 'look' });
    expect(encode('StopFailure', { userMessage: 'look' }).delivered).toMatchObject([
      { how: 'none', note: expect.stringContaining('person') },
    ]);
  });
});
