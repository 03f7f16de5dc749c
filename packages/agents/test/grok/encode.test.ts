import { join } from 'node:path';
import type { JsonObject, Reduced } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { grok } from '../../src/grok/index.ts';
import { fixturesOf } from '../fixtures-of.ts';
import { allow, ask, deny, encoderOf, goldenAnswers, goOn, modify, replace, rewrite } from '../golden-answers.ts';

const { fixtures, text, documented, recordedAs } = fixturesOf('grok');
const encode = encoderOf(grok, documented);
const json = (sample: string, said: Partial<Reduced>, attended = true) => JSON.parse(encode(sample, said, attended).answer.stdout);
const encodeRecorded = (file: string, said: Partial<Reduced>) => {
  const { payload, context } = recordedAs(`1.0.41/${file}`);
  return grok.encode(grok.decode(payload, context), { decision: 'observe', verdict: 'observe', ...said }, { attended: true });
};

describe('the answers as a whole', () => {
  it('are those of the golden file, for every decision on every event', async () => {
    await expect(goldenAnswers(grok, documented, ['PostToolUse.mcp'])).toMatchFileSnapshot(join(fixtures, 'answers/golden.txt'));
  });
  const INTENTS: Record<string, (stdout: JsonObject, specific: JsonObject) => Partial<Reduced>> = {
    deny: (_, { permissionDecisionReason }) => ({ ...deny, reason: permissionDecisionReason as string }),
    'deny_in_1.0.5': ({ reason }) => ({ ...deny, reason: reason as string }),
    ask: (_, { permissionDecisionReason }) => ({ ...ask, reason: permissionDecisionReason as string }),
    modify_input: (_, { updatedInput }) => ({ ...modify, input: updatedInput as JsonObject }),
    add_context: (_, { additionalContext }) => ({ ...replace, content: additionalContext as string }),
    block: ({ reason }) => ({ ...deny, reason: reason as string }),
    continue_working: ({ reason }) => ({ ...goOn, continue: reason as string }),
    end: ({ stopReason }) => ({ ...deny, reason: stopReason as string, endRun: true }),
  };
  const recipes: { event: string; intent: string; stdout: JsonObject }[] = JSON.parse(text('answers/documented.json'));
  it.each(recipes)('equal the documented recipe: $event $intent', ({ event, intent, stdout }) => {
    const answer = json(event, INTENTS[intent]?.(stdout, (stdout.hookSpecificOutput ?? {}) as JsonObject) ?? {});
    // A deny before a tool is said in the form of either version.
    const [older, newer] = recipes.filter((recipe) => recipe.intent.startsWith('deny') && recipe.event === 'PreToolUse');
    expect(answer).toEqual(intent.startsWith('deny') && event === 'PreToolUse' ? { ...older?.stdout, ...newer?.stdout } : stdout);
  });
});

describe('before a tool', () => {
  it('asks only where somebody is there and not everything is approved', () => {
    const verdictOf = (answer: JsonObject) => (answer.hookSpecificOutput as JsonObject).permissionDecision;
    expect(verdictOf(json('PreToolUse', ask))).toBe('ask');
    expect(verdictOf(json('PreToolUse', ask, false))).toBe('deny');
    const { answer, delivered } = encodeRecorded('session/03-PreToolUse', ask);
    expect(verdictOf(JSON.parse(answer.stdout))).toBe('deny');
    expect(delivered).toMatchObject([{ decision: 'ask', how: 'degraded' }]);
  });
  it('grants nothing', () => {
    expect(encode('PreToolUse', allow)).toEqual({
      answer: grok.noop('PreToolUse'),
      delivered: [{ decision: 'allow', how: 'none', note: expect.any(String) }],
    });
  });
  it('keeps the context beside a deny, with which it would be dropped, for the next tool', () => {
    const { answer, delivered, deferred } = encode('PreToolUse', { ...deny, content: 'context' });
    expect(answer.stdout).not.toContain('context');
    expect(deferred).toBe('context');
    expect(delivered).toContainEqual({ decision: 'replace', how: 'deferred', note: expect.any(String) });
  });
  it('says that a deny cannot end the run', () => {
    expect(encode('PreToolUse', { ...deny, endRun: true }).delivered).toMatchObject([
      { decision: 'deny', note: expect.stringContaining('ended') },
    ]);
  });
});

describe('a new input', () => {
  const inputOf = (file: string, input: JsonObject) =>
    JSON.parse(encodeRecorded(file, { ...modify, input }).answer.stdout).hookSpecificOutput.updatedInput;
  it('keeps a field that must be there and that the hook left out', () => {
    expect(inputOf('session/03-PreToolUse', { command: 'true' })).toEqual({ command: 'true', description: 'run' });
    expect(inputOf('session/03-PreToolUse', { command: 'true', description: 'x' })).toEqual({ command: 'true', description: 'x' });
  });
  it('is written in the names of the tool', () => {
    expect(inputOf('session/09-PreToolUse', { file_path: '/a', limit: 2 })).toEqual({ target_file: '/a', limit: 2 });
  });
  it('of an MCP tool goes into the input of its caller', () => {
    expect(inputOf('session/19-PreToolUse', { text: 'other' })).toEqual({ tool_name: 'mock__echo', tool_input: { text: 'other' } });
  });
  it('gives back what was decoded, if it is what was decoded', () => {
    for (const name of ['', '.edit', '.write', '.read', '.todo', '.mcp', '.agent'].map((kind) => `PreToolUse${kind}`)) {
      const sample = documented(name);
      const event = grok.decode(sample, { nativeEvent: 'PreToolUse', cwd: '/', variables: {} });
      expect([name, json(name, { ...modify, input: event.tool?.input ?? {} }).hookSpecificOutput.updatedInput]).toEqual([
        name,
        sample.toolInput,
      ]);
    }
  });
});

describe('a new output', () => {
  const outputOf = (file: string, output: unknown) =>
    JSON.parse(encodeRecorded(file, { ...rewrite, output }).answer.stdout).hookSpecificOutput.updatedToolOutput;
  it('has the shape of the result that it stands for, with another text', () => {
    const { payload } = recordedAs('1.0.41/session/04-PostToolUse');
    expect(outputOf('session/04-PostToolUse', 'new')).toEqual({
      ...((payload as JsonObject).toolResult as JsonObject),
      output_for_prompt: 'new',
      output: [110, 101, 119],
    });
    expect(outputOf('session/06-PostToolUse', 'new').EditsApplied.tool_output_for_prompt).toBe('new');
    expect(outputOf('session/10-PostToolUse', 'new').FileContent.content).toBe('new');
    expect(outputOf('session/04-PostToolUse', { stdout: 'new', stderr: '' }).output_for_prompt).toBe('new');
  });
  it('of an MCP tool is a text', () => expect(outputOf('session/20-PostToolUse', 'new')).toBe('new'));
  it('is not delivered where there is no text to replace', () => {
    const { payload, context } = recordedAs('1.0.41/session/04-PostToolUse');
    const cut = { ...(payload as JsonObject), toolResult: 'too long', toolResultTruncated: true };
    const { delivered } = grok.encode(
      grok.decode(cut, context),
      { decision: 'rewrite', verdict: 'observe', output: 'new' },
      { attended: true },
    );
    expect(delivered).toEqual([{ decision: 'rewrite', how: 'none', note: expect.any(String) }]);
  });
});

describe('context', () => {
  it('waits for a tool where nothing takes it', () => {
    for (const name of ['SessionStart', 'UserPromptSubmit', 'PreCompact', 'PostCompact'])
      expect([name, encode(name, replace)]).toMatchObject([
        name,
        { answer: { stdout: '' }, deferred: 'context', delivered: [{ decision: 'replace', how: 'deferred' }] },
      ]);
  });
  it('is never said at a stop, where it would keep the agent working', () => {
    for (const name of ['Stop', 'SubagentStop'])
      expect(encode(name, replace)).toMatchObject({ answer: { stdout: '' }, delivered: [{ decision: 'replace', how: 'none' }] });
  });
  it('carries the reason of a deny after a tool', () => {
    for (const name of ['PostToolUse', 'PostToolUseFailure'])
      expect(json(name, { ...deny, content: 'context' })).toEqual({
        hookSpecificOutput: { hookEventName: name, additionalContext: 'no\ncontext' },
      });
  });
});
