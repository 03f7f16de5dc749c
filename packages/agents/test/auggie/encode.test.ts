import { join } from 'node:path';
import type { JsonObject, Reduced } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { auggie } from '../../src/auggie/index.ts';
import { fixturesOf } from '../fixtures-of.ts';
import { allow, ask, deny, encoderOf, goldenAnswers, goOn, modify, replace, rewrite } from '../golden-answers.ts';

const { fixtures, text, documented, documentedNames } = fixturesOf('auggie');
const encode = encoderOf(auggie, documented);
const json = (sample: string, said: Partial<Reduced>, attended = true) => JSON.parse(encode(sample, said, attended).answer.stdout);

describe('the answers as a whole', () => {
  it('are those of the golden file, for every decision on every event', async () => {
    await expect(goldenAnswers(auggie, documented, ['PostToolUse.error'])).toMatchFileSnapshot(join(fixtures, 'answers/golden.txt'));
  });
  const INTENTS: Record<string, (specific: JsonObject) => Partial<Reduced>> = {
    deny: ({ permissionDecisionReason }) => ({ ...deny, reason: permissionDecisionReason as string }),
    modify_input: () => ({ ...modify, input: { command: 'npm test' } }),
    add_context: ({ additionalContext }) => ({ ...replace, content: additionalContext as string }),
  };
  const recipes: { event: string; intent: string; stdout: { hookSpecificOutput: JsonObject } }[] = JSON.parse(
    text('answers/documented.json'),
  );
  it.each(recipes)('equal the documented recipe: $event $intent', ({ event, intent, stdout }) => {
    expect(json(event, INTENTS[intent]?.(stdout.hookSpecificOutput) ?? {})).toEqual(stdout);
  });
});

describe('what Auggie does not take', () => {
  it('is not said, and reported', () => {
    for (const [part, said] of Object.entries({ allow, rewrite, continue: goOn }))
      for (const { name } of auggie.events)
        expect([name, encode(name, said)]).toEqual([
          name,
          { answer: auggie.noop(name), delivered: [{ decision: part, how: 'none', note: expect.any(String) }] },
        ]);
  });
  it('is a deny of a prompt, a stop or an end: nobody waits for it', () => {
    for (const name of ['SessionStart', 'PromptSubmit', 'Stop', 'SessionEnd'])
      expect(encode(name, deny)).toMatchObject({ answer: { stdout: '' }, delivered: [{ decision: 'deny', how: 'none' }] });
  });
  it('is a question: it becomes a deny that says so, whoever is there', () => {
    for (const attended of [true, false])
      expect(json('PreToolUse', ask, attended).hookSpecificOutput).toMatchObject({
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('sure? (Piton: '),
      });
  });
  it('is the end of the run: a deny alone is said', () => {
    expect(encode('PreToolUse', { ...deny, endRun: true }).delivered).toMatchObject([
      { decision: 'deny', note: expect.stringContaining('ended') },
    ]);
  });
});

describe('context', () => {
  it('waits for the end of a tool where nothing takes it', () => {
    for (const name of ['SessionStart', 'PromptSubmit', 'PreToolUse'])
      expect([name, encode(name, replace)]).toMatchObject([
        name,
        { answer: { stdout: '' }, deferred: 'context', delivered: [{ decision: 'replace', how: 'deferred' }] },
      ]);
  });
  it('is said after a tool, whether it failed or not, with the reason of a deny before it', () => {
    for (const sample of ['PostToolUse', 'PostToolUse.error'])
      expect(json(sample, { ...deny, content: 'context' })).toEqual({
        hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'no\ncontext' },
      });
  });
});

describe('a new input', () => {
  const inputOf = (sample: string, input: JsonObject) => json(sample, { ...modify, input }).hookSpecificOutput.updatedInput;
  it('keeps a field that must be there and that the hook left out', () => {
    expect(inputOf('PreToolUse', { command: 'true' })).toEqual({ command: 'true', wait: true, max_wait_seconds: 60, cwd: '.' });
    expect(inputOf('PreToolUse', { command: 'true', timeout: 5000, run_in_background: true })).toMatchObject({
      wait: false,
      max_wait_seconds: 5,
    });
  });
  it('is written in the words of the tool', () => {
    expect(inputOf('PreToolUse.edit', { file_path: 'b.txt', old_string: 'x', new_string: 'y' })).toEqual({
      command: 'str_replace',
      path: 'b.txt',
      str_replace_entries: [{ old_str: 'x', new_str: 'y' }],
    });
    expect(inputOf('PreToolUse.mcp', { text: 'other' })).toEqual({ text: 'other' });
  });
  it('gives back what was decoded, if it is what was decoded', () => {
    const samples = documentedNames.filter((name) => name.startsWith('PreToolUse') && !/patch|remove/.test(name));
    expect(samples.length).toBeGreaterThan(10);
    for (const name of samples) {
      const sample = documented(name);
      const event = auggie.decode(sample, { nativeEvent: 'PreToolUse', cwd: '/', variables: {} });
      expect([name, inputOf(name, event.tool?.input ?? {})]).toEqual([name, sample.tool_input]);
    }
  });
  it('is refused where it would be one of several files, or in the fields of another schema', () => {
    const numbered = {
      ...documented('PreToolUse.edit'),
      tool_input: { command: 'str_replace', path: 'a.txt', old_str_1: 'one', new_str_1: 'two' },
    };
    const samples = [documented('PreToolUse.patch'), documented('PreToolUse.remove'), numbered];
    for (const sample of samples)
      expect(encoderOf(auggie, () => sample)('PreToolUse', modify)).toMatchObject({
        answer: { stdout: '' },
        delivered: [{ decision: 'modify', how: 'none', note: expect.stringContaining('anew') }],
      });
  });
});

describe('a message to the person', () => {
  it('is shown wherever somebody is left to read it', () => {
    for (const { name } of auggie.events.filter(({ event }) => event !== 'session_end'))
      expect([name, json(name, { userMessage: 'look' })]).toEqual([name, { systemMessage: 'look' }]);
    expect(encode('SessionEnd', { userMessage: 'look' }).answer.stdout).toBe('');
  });
});
