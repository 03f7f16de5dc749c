import { join } from 'node:path';
import type { JsonObject, Reduced } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { kimi } from '../../src/kimi/index.ts';
import { fixturesOf } from '../fixtures-of.ts';
import { allow, ask, deny, encoderOf, goldenAnswers, goOn, modify, replace, rewrite } from '../golden-answers.ts';

const { fixtures, text, documented } = fixturesOf('kimi');
const encode = encoderOf(kimi, documented);
const json = (sample: string, said: Partial<Reduced>, attended = true) => JSON.parse(encode(sample, said, attended).answer.stdout);

describe('the answers as a whole', () => {
  it('are those of the golden file, for every decision on every event', async () => {
    await expect(goldenAnswers(kimi, documented)).toMatchFileSnapshot(join(fixtures, 'answers/golden.txt'));
  });
  const INTENTS: Record<string, (stdout: JsonObject, specific: JsonObject) => Partial<Reduced>> = {
    deny: (_, { permissionDecisionReason }) => ({ ...deny, reason: permissionDecisionReason as string }),
    block: (_, { permissionDecisionReason }) => ({ ...deny, reason: permissionDecisionReason as string }),
    add_context: ({ message }) => ({ ...replace, content: message as string }),
    continue_working: (_, { permissionDecisionReason }) => ({ ...goOn, continue: permissionDecisionReason as string }),
  };
  const recipes: { event: string; intent: string; stdout: JsonObject }[] = JSON.parse(text('answers/documented.json'));
  it.each(recipes)('equal the documented recipe: $event $intent', ({ event, intent, stdout }) => {
    expect(json(event, INTENTS[intent]?.(stdout, (stdout.hookSpecificOutput ?? {}) as JsonObject) ?? {})).toEqual(stdout);
  });
});

describe('what Kimi Code does not take', () => {
  it('is not said, and reported', () => {
    for (const [part, said] of Object.entries({ allow, modify, rewrite }))
      expect(encode('PreToolUse', said)).toEqual({
        answer: kimi.noop('PreToolUse'),
        delivered: [{ decision: part, how: 'none', note: expect.any(String) }],
      });
  });
  it('says context at a prompt, and nothing else anywhere', () => {
    expect(json('UserPromptSubmit', replace)).toEqual({ message: 'context' });
    for (const { name } of kimi.events.filter(({ name: other }) => other !== 'UserPromptSubmit'))
      expect([name, encode(name, replace).answer.stdout]).toEqual([name, '']);
  });
  it('keeps context for the next prompt where Kimi Code waits and does not read', () => {
    for (const name of ['SessionStart', 'PreCompact', 'PostCompact'])
      expect([name, encode(name, replace)]).toMatchObject([
        name,
        { deferred: 'context', delivered: [{ decision: 'replace', how: 'deferred' }] },
      ]);
  });
  it('is a question: it becomes a deny that says so, whoever is there', () => {
    for (const attended of [true, false])
      expect(json('PreToolUse', ask, attended).hookSpecificOutput).toMatchObject({
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('sure? (Piton: '),
      });
  });
});

describe('a refusal', () => {
  it('never has an empty reason: it would be one that nobody gave', () => {
    for (const name of ['PreToolUse', 'UserPromptSubmit'])
      expect(json(name, { ...deny, reason: ' ' }).hookSpecificOutput.permissionDecisionReason).toBe('denied by a hook');
    expect(json('Stop', { ...goOn, continue: '' }).hookSpecificOutput.permissionDecisionReason).toBe('go on');
  });
  it('of a prompt drops the context beside it, and says so', () => {
    const { answer, delivered } = encode('UserPromptSubmit', { ...deny, content: 'context' });
    expect(answer.stdout).not.toContain('context');
    expect(delivered).toContainEqual({ decision: 'replace', how: 'none', note: expect.any(String) });
  });
});
