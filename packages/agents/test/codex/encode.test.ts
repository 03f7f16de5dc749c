import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContextLimit, contextLimitOf, isOverLimit, type JsonObject, OBSERVE, type Reduced } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { codex } from '../../src/codex/index.ts';
import { readAnswer } from './answer-reader.ts';
import { documented, FIXTURES } from './fixtures.ts';

const decode = (sample: string) => codex.decode(documented(sample), { nativeEvent: sample.split('.')[0] ?? '', cwd: '/', variables: {} });
const encode = (sample: string, decision: Partial<Reduced>, attended = true) =>
  codex.encode(decode(sample), { decision: 'observe', verdict: 'observe', ...decision }, { attended });
const json = (sample: string, decision: Partial<Reduced>, attended = true) => JSON.parse(encode(sample, decision, attended).answer.stdout);

const deny = { decision: 'deny', verdict: 'deny', reason: 'no' } as const;
const ask = { decision: 'ask', verdict: 'ask', reason: 'sure?' } as const;
const allow = { decision: 'allow', verdict: 'allow', reason: 'fine' } as const;
const modify = { decision: 'modify', input: { command: 'true' } } as const;
const rewrite = { decision: 'rewrite', output: 'new output' } as const;
const replace = { decision: 'replace', content: 'context' } as const;
const goOn = { decision: 'continue', continue: 'tests have not run' } as const;

const singles: Record<string, Partial<Reduced>> = { observe: OBSERVE, deny, ask, allow, modify, rewrite, replace, continue: goOn };
const combined: Record<string, Partial<Reduced>> = {
  'deny + replace': { ...deny, content: 'context' },
  'deny + modify': { ...deny, input: { command: 'true' } },
  'deny + end of run': { ...deny, endRun: true },
  'deny without a reason': { decision: 'deny', verdict: 'deny' },
  'allow + modify': { ...allow, input: { command: 'true' } },
  'rewrite + replace': { ...rewrite, content: 'context' },
  'rewrite + deny': { ...rewrite, ...deny, output: 'new output' },
  'continue + end of run': { ...goOn, verdict: 'deny', reason: 'no', endRun: true },
  'message to the person': { userMessage: 'look' },
};

describe('the answers as a whole', () => {
  const show = (name: string, kind: string, decision: Partial<Reduced>, attended: boolean) => {
    const { answer, delivered, deferred } = encode(name, decision, attended);
    const how = delivered.map((part) => `${part.decision} ${part.how}`).join(', ');
    return `${name} | ${kind}${attended ? '' : ', nobody there'} | ${answer.stdout || '(nothing)'} | ${how}${deferred === undefined ? '' : ` | kept: ${deferred}`}`;
  };
  it('are those of the golden file, for every decision on every event', async () => {
    const lines = codex.events.flatMap(({ name, event }) => {
      if (event === 'other') return [show(name, 'observe', OBSERVE, true), show(name, 'deny', deny, true)];
      const all = Object.entries({ ...singles, ...combined }).map(([kind, decision]) => show(name, kind, decision, true));
      return [...all, show(name, 'ask', ask, false)];
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(FIXTURES, 'answers/golden.txt'));
  });
  it('holds only what the event knows, whatever was decided', () => {
    for (const { name } of codex.events)
      for (const decision of Object.values({ ...singles, ...combined }))
        for (const attended of [true, false]) readAnswer(encode(name, { ...decision, userMessage: 'look' }, attended).answer, name);
  });

  const INTENTS: Record<string, (stdout: JsonObject, specific: JsonObject) => Partial<Reduced>> = {
    deny: ({ reason }, { permissionDecisionReason, decision }) => ({
      ...deny,
      reason: (reason ?? permissionDecisionReason ?? (decision as JsonObject | undefined)?.message) as string,
    }),
    allow: () => ({ verdict: 'allow' }),
    inject_context: (_, { additionalContext }) => ({ content: additionalContext as string }),
    replace_output: ({ reason }) => ({ output: reason }),
    continue_working: ({ reason }) => ({ continue: reason as string }),
    modify_input: (_, { updatedInput }) => ({ input: updatedInput as JsonObject }),
    message_user: ({ systemMessage }) => ({ userMessage: systemMessage as string }),
  };
  const recipes: { event: string; intent: string; stdout: JsonObject }[] = JSON.parse(
    readFileSync(join(FIXTURES, 'answers/documented.json'), 'utf8'),
  );
  // Of two ways to say the same we take one: the nested deny before a tool, and a block after it.
  const heard = recipes.filter(
    ({ event, intent, stdout }) =>
      intent in INTENTS && !(event === 'PreToolUse' && 'decision' in stdout) && !(event === 'PostToolUse' && 'continue' in stdout),
  );
  it.each(heard)('equal the documented recipe: $event $intent', ({ event, intent, stdout }) => {
    const specific = (stdout.hookSpecificOutput ?? {}) as JsonObject;
    expect(json(event, INTENTS[intent]?.(stdout, specific) ?? {})).toEqual(stdout);
  });
});

describe('a decision that Codex takes in another way', () => {
  it('never asks: a question is a deny', () => {
    for (const attended of [true, false]) {
      const { answer, delivered } = encode('PreToolUse', { ...ask, input: { command: 'true' } }, attended);
      expect(readAnswer(answer, 'PreToolUse')).toEqual({ denied: expect.stringMatching(/^sure\? .*Codex/) });
      expect(delivered).toMatchObject([
        { decision: 'ask', how: 'degraded' },
        { decision: 'modify', how: 'none' },
      ]);
    }
  });
  it('stays silent on an allow that Codex would take for a failure', () => {
    expect(encode('PreToolUse', allow)).toMatchObject({ answer: { stdout: '' }, delivered: [{ decision: 'allow', how: 'none' }] });
    expect(json('PermissionRequest', allow).hookSpecificOutput.decision).toEqual({ behavior: 'allow' });
  });
  it('denies without ending the run where that would void the deny', () => {
    for (const event of ['PreToolUse', 'PermissionRequest']) {
      const { answer, delivered } = encode(event, { ...deny, endRun: true });
      expect(readAnswer(answer, event)).toEqual({ denied: 'no' });
      expect(delivered).toMatchObject([{ decision: 'deny', how: 'now', note: expect.stringContaining('ended') }]);
    }
  });
  it('ends the run where Codex can', () => {
    expect(json('SessionStart', { ...deny, endRun: true })).toEqual({ continue: false, stopReason: 'no' });
    expect(json('Stop', { ...deny, continue: 'more', endRun: true })).toEqual({ continue: false, stopReason: 'no' });
  });
  it('always has a reason', () => {
    for (const event of ['PreToolUse', 'UserPromptSubmit', 'PermissionRequest', 'PostToolUse'])
      readAnswer(encode(event, { decision: 'deny', verdict: 'deny', reason: ' ' }).answer, event);
    expect(readAnswer(encode('PostToolUse', { output: '' }).answer, 'PostToolUse')).toEqual({ output: '(no output)' });
  });
  it('reports context that is too long to be shown whole', () => {
    const limit = contextLimitOf(codex.contextLimits, 'session_start') as ContextLimit;
    expect(['x'.repeat(10_000), 'é'.repeat(5_001)].map((text) => isOverLimit(text, limit))).toEqual([false, true]);
    expect(limit.longer).not.toBe('cut');
  });
  it('never loses a part without a word', () => {
    const everything: Reduced = { ...deny, input: {}, output: '', content: 'context', continue: 'more' };
    for (const { name } of codex.events) {
      const parts = codex.encode(decode(name), everything, { attended: true }).delivered.map((part) => part.decision);
      expect([name, ...parts.sort()]).toEqual([name, 'continue', 'deny', 'modify', 'replace', 'rewrite']);
    }
  });
});

describe('a new input', () => {
  const updated = (sample: string, input: JsonObject) => json(sample, { input }).hookSpecificOutput;
  it('is written in the words of the tool', () => {
    expect(updated('PreToolUse', { command: 'true' })).toMatchObject({ permissionDecision: 'allow', updatedInput: { command: 'true' } });
    expect(updated('PreToolUse.agent', { prompt: 'look', subagent_type: 'explorer' }).updatedInput).toEqual({
      message: 'look',
      agent_type: 'explorer',
    });
    expect(updated('PreToolUse.todo', { todos: [{ content: 'a', status: 'pending', activeForm: 'A' }] }).updatedInput).toEqual({
      plan: [{ step: 'a', status: 'pending' }],
    });
    expect(updated('PreToolUse.read', { file_path: '/x.png' }).updatedInput).toEqual({ path: '/x.png' });
  });
  it('gives back what was decoded, if it is what was decoded', () => {
    for (const name of ['PreToolUse', 'PreToolUse.agent', 'PreToolUse.todo', 'PreToolUse.read', 'PreToolUse.mcp'])
      expect(updated(name, decode(name).tool?.input ?? {}).updatedInput).toEqual(documented(name).tool_input);
  });
  it('is not possible for a patch', () => {
    expect(encode('PreToolUse.edit', modify)).toMatchObject({ answer: { stdout: '' }, delivered: [{ decision: 'modify', how: 'none' }] });
  });
});
