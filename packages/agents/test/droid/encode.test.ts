import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, OBSERVE, type Reduced } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { droid } from '../../src/droid/index.ts';
import { readAnswer } from './answer-reader.ts';
import { documented, FIXTURES } from './fixtures.ts';

const decode = (sample: string) => droid.decode(documented(sample), { nativeEvent: sample.split('.')[0] ?? '', cwd: '/', variables: {} });
const encode = (sample: string, decision: Partial<Reduced>, attended = true) =>
  droid.encode(decode(sample), { decision: 'observe', verdict: 'observe', ...decision }, { attended });
const json = (sample: string, decision: Partial<Reduced>) => JSON.parse(encode(sample, decision).answer.stdout);

const deny = { decision: 'deny', verdict: 'deny', reason: 'no' } as const;
const ask = { decision: 'ask', verdict: 'ask', reason: 'sure?' } as const;
const allow = { decision: 'allow', verdict: 'allow', reason: 'fine' } as const;
const replace = { decision: 'replace', content: 'context' } as const;
const goOn = { decision: 'continue', continue: 'tests have not run' } as const;

const SAID: Record<string, Partial<Reduced>> = {
  observe: OBSERVE,
  deny,
  ask,
  allow,
  modify: { decision: 'modify', input: { command: 'true' } },
  rewrite: { decision: 'rewrite', output: 'new output' },
  replace,
  continue: goOn,
  'deny + replace': { ...deny, content: 'context' },
  'deny + modify': { ...deny, input: { command: 'true' } },
  'deny + end of run': { ...deny, endRun: true },
  'deny without a reason': { decision: 'deny', verdict: 'deny' },
  'allow + modify': { ...allow, input: { command: 'true' } },
  'continue + end of run': { ...goOn, verdict: 'deny', reason: 'no', endRun: true },
  'message to the person': { userMessage: 'look' },
};

describe('the answers as a whole', () => {
  it('are those of the golden file, for every decision on every event', async () => {
    const show = (name: string, kind: string, decision: Partial<Reduced>, attended: boolean) => {
      const { answer, delivered, deferred } = encode(name, decision, attended);
      const how = delivered.map((part) => `${part.decision} ${part.how}`).join(', ');
      return `${name} | ${kind}${attended ? '' : ', nobody there'} | ${answer.stdout || '(nothing)'} | ${how}${deferred === undefined ? '' : ` | kept: ${deferred}`}`;
    };
    const lines = droid.events.flatMap(({ name }) => [
      ...Object.entries(SAID).map(([kind, decision]) => show(name, kind, decision, true)),
      show(name, 'ask', ask, false),
    ]);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(FIXTURES, 'answers/golden.txt'));
  });
  it('exits 0 in silence, whatever was decided', () => {
    for (const { name } of droid.events)
      for (const decision of Object.values(SAID)) expect(encode(name, decision).answer).toMatchObject({ stderr: '', exitCode: 0 });
  });
  it('never says block but at a stop', () => {
    // The reader throws where it is said elsewhere.
    for (const { name } of droid.events) for (const decision of Object.values(SAID)) readAnswer(encode(name, decision).answer, name);
    expect(readAnswer(encode('Stop', goOn).answer, 'Stop')).toEqual({ goesOn: 'tests have not run' });
  });

  const INTENTS: Record<string, (stdout: JsonObject, specific: JsonObject) => Partial<Reduced>> = {
    deny: (_, { permissionDecisionReason }) => ({ ...deny, reason: permissionDecisionReason as string }),
    allow: () => ({ verdict: 'allow' }),
    add_context: (_, { additionalContext }) => ({ content: additionalContext as string }),
    continue_working: ({ reason }) => ({ continue: reason as string }),
    modify_input: (_, { updatedInput }) => ({ verdict: 'allow', input: updatedInput as JsonObject }),
  };
  const recipes: { event: string; intent: string; stdout: JsonObject }[] = JSON.parse(
    readFileSync(join(FIXTURES, 'answers/documented.json'), 'utf8'),
  );
  it.each(recipes.filter(({ intent }) => intent in INTENTS))(
    'equal the recipe that was seen to work: $event $intent',
    ({ event, intent, stdout }) => {
      expect(json(event, INTENTS[intent]?.(stdout, (stdout.hookSpecificOutput ?? {}) as JsonObject) ?? {})).toEqual(stdout);
    },
  );
});

describe('a decision that Droid takes in another way', () => {
  it('never asks: a question is a deny', () => {
    for (const attended of [true, false]) {
      const { answer, delivered } = encode('PreToolUse', ask, attended);
      expect(readAnswer(answer, 'PreToolUse')).toEqual({ denied: expect.stringMatching(/^sure\? .*Droid/) });
      expect(delivered).toMatchObject([{ decision: 'ask', how: 'degraded' }]);
    }
  });
  it('puts the end of the run beside the deny', () => {
    expect(json('PreToolUse', { ...deny, endRun: true })).toEqual({
      continue: false,
      stopReason: 'no',
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
    });
    expect(json('PostToolUse', { ...deny, endRun: true })).toMatchObject({ continue: false, stopReason: 'no' });
    expect(json('Stop', { ...goOn, verdict: 'deny', reason: 'no', endRun: true })).toEqual({ continue: false, stopReason: 'no' });
  });
  it('lets the model read why after a tool', () => {
    expect(json('PostToolUse', { ...deny, content: 'context' }).hookSpecificOutput.additionalContext).toBe('no\ncontext');
  });
  it('says so when context cannot be given', () => {
    for (const event of ['PreToolUse', 'Stop', 'SubagentStop'])
      expect(encode(event, replace)).toMatchObject({ answer: { stdout: '' }, delivered: [{ decision: 'replace', how: 'none' }] });
  });
  it('never loses a part without a word', () => {
    const everything: Reduced = { ...deny, input: {}, output: '', content: 'context', continue: 'more' };
    for (const { name } of droid.events) {
      const parts = droid.encode(decode(name), everything, { attended: true }).delivered.map((part) => part.decision);
      expect([name, ...parts.sort()]).toEqual([name, 'continue', 'deny', 'modify', 'replace', 'rewrite']);
    }
  });
});

describe('a new input', () => {
  const specific = (sample: string, input: JsonObject) => json(sample, { input }).hookSpecificOutput;
  it('is written in the words of the tool and grants nothing', () => {
    expect(specific('PreToolUse', { command: 'true', description: 'x', timeout: 5000 })).toEqual({
      hookEventName: 'PreToolUse',
      updatedInput: { command: 'true', summary: 'x', timeout: 5 },
    });
    expect(specific('PreToolUse.edit', { file_path: '/a', old_string: 'a', new_string: 'b' }).updatedInput).toEqual({
      file_path: '/a',
      old_str: 'a',
      new_str: 'b',
    });
  });
  it('gives back what was decoded, if it is what was decoded', () => {
    for (const name of ['', '.edit', '.write', '.read', '.todo', '.mcp', '.agent'].map((kind) => `PreToolUse${kind}`))
      expect([name, specific(name, decode(name).tool?.input ?? {}).updatedInput]).toEqual([name, documented(name).tool_input]);
  });
});
