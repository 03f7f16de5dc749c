import { join } from 'node:path';
import { type JsonObject, OBSERVE, type Reduced } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { copilot } from '../../src/copilot/index.ts';
import type { CopilotAnswer } from './answer-reader.ts';
import { FIXTURES, recordedAs, sampleOf } from './fixtures.ts';

const decodeSample = (nativeEvent: string, payload: JsonObject = sampleOf(nativeEvent)) =>
  copilot.decode(payload, { nativeEvent, cwd: '/', variables: {} });
const encode = (nativeEvent: string, decision: Partial<Reduced>, attended = true) =>
  copilot.encode(decodeSample(nativeEvent), { decision: 'observe', verdict: 'observe', ...decision }, { attended });
const json = (nativeEvent: string, decision: Partial<Reduced>, attended = true): CopilotAnswer =>
  JSON.parse(encode(nativeEvent, decision, attended).answer.stdout);

const deny = { decision: 'deny', verdict: 'deny', reason: 'no' } as const;
const ask = { decision: 'ask', verdict: 'ask', reason: 'sure?' } as const;
const allow = { decision: 'allow', verdict: 'allow', reason: 'fine' } as const;
const modify = { decision: 'modify', input: { command: 'true' } } as const;
const rewrite = { decision: 'rewrite', output: 'new output' } as const;
const replace = { decision: 'replace', content: 'context' } as const;
const goOn = { decision: 'continue', continue: 'tests have not run' } as const;

describe('the answers as a whole', () => {
  const decisions: Record<string, Partial<Reduced>> = {
    observe: OBSERVE,
    deny,
    ask,
    allow,
    modify,
    rewrite,
    replace,
    continue: goOn,
    'deny + replace': { ...deny, content: 'context' },
    'deny + modify': { ...deny, input: { command: 'true' } },
    'deny + end of run': { ...deny, endRun: true },
    'allow + modify': { ...allow, input: { command: 'true' } },
    'rewrite + replace': { ...rewrite, content: 'context' },
    'deny + rewrite': { ...deny, output: 'new output' },
    'continue + end of run': { ...goOn, verdict: 'deny', reason: 'no', endRun: true },
    'message to the person': { userMessage: 'look' },
  };
  const show = (name: string, kind: string, decision: Partial<Reduced>, attended: boolean) => {
    const { answer, delivered, deferred } = encode(name, decision, attended);
    const how = delivered.map((part) => `${part.decision} ${part.how}`).join(', ');
    return `${name} | ${kind}${attended ? '' : ', nobody there'} | ${answer.stdout || '(nothing)'} | ${how}${deferred === undefined ? '' : ` | kept: ${deferred}`}`;
  };

  it('are those of the golden file, for every decision on every event', async () => {
    const lines = copilot.events.flatMap(({ name, event }) => {
      if (event === 'other') return [show(name, 'observe', OBSERVE, true), show(name, 'deny', deny, true)];
      return [...Object.entries(decisions).map(([kind, decision]) => show(name, kind, decision, true)), show(name, 'ask', ask, false)];
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(FIXTURES, 'answers/golden.txt'));
  });
  it('never lose a part without a word', () => {
    const everything: Reduced = { ...deny, input: {}, output: '', content: 'context', continue: 'more' };
    for (const { name } of copilot.events) {
      const parts = encode(name, everything).delivered.map((part) => part.decision);
      expect([name, ...parts.sort()]).toEqual([name, 'continue', 'deny', 'modify', 'replace', 'rewrite']);
    }
  });
});

describe('a decision in the dialect of its event', () => {
  it('puts context where the dialect is read', () => {
    for (const event of [
      'sessionStart',
      'SessionStart',
      'userPromptSubmitted',
      'UserPromptSubmit',
      'postToolUse',
      'PostToolUse',
      'SubagentStart',
    ])
      expect(json(event, replace)).toEqual({ additionalContext: 'context' });
    expect(json('preToolUse', replace)).toEqual({ additionalContext: 'context' });
    expect(json('PreToolUse', replace)).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'context' } });
  });
  it('never denies a tool by a form that lets it run', () => {
    const flat = { permissionDecision: 'deny', permissionDecisionReason: 'no' };
    expect(json('preToolUse', { ...deny, endRun: true })).toEqual(flat);
    expect(json('PreToolUse', { ...deny, endRun: true })).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...flat } });
    expect(encode('preToolUse', { ...deny, endRun: true }).delivered).toEqual([
      { decision: 'deny', how: 'now', note: expect.stringContaining('ended') },
    ]);
  });
  it('refuses a stop and a prompt by JSON with exit 0', () => {
    for (const event of ['agentStop', 'Stop', 'subagentStop', 'SubagentStop'])
      expect(json(event, goOn)).toEqual({ decision: 'block', reason: 'tests have not run' });
    for (const event of ['userPromptSubmitted', 'UserPromptSubmit']) expect(json(event, deny)).toEqual({ decision: 'block', reason: 'no' });
    expect(encode('agentStop', goOn).answer).toMatchObject({ exitCode: 0, stderr: '' });
  });
  it('modifies without granting, in the words of the tool', () => {
    expect(json('preToolUse', modify)).toEqual({ modifiedArgs: { command: 'true' } });
    const edited = (file: string, input: JsonObject) => {
      const { payload, context } = recordedAs(file);
      const { answer } = copilot.encode(
        copilot.decode(payload, context),
        { decision: 'modify', verdict: 'observe', input },
        { attended: true },
      );
      return JSON.parse(answer.stdout);
    };
    expect(edited('session/09-preToolUse', { file_path: '/b', old_string: 'x', new_string: 'y' })).toEqual({
      modifiedArgs: { path: '/b', old_str: 'x', new_str: 'y' },
    });
    expect(edited('session/06-preToolUse', { file_path: '/b', content: 'x' })).toEqual({ modifiedArgs: { path: '/b', file_text: 'x' } });
    expect(edited('session/12-preToolUse', { file_path: '/b', offset: 3, limit: 2 })).toEqual({
      modifiedArgs: { path: '/b', view_range: [3, 4] },
    });
    expect(edited('session/12-preToolUse', { file_path: '/b', offset: 3 })).toEqual({ modifiedArgs: { path: '/b', view_range: [3, -1] } });
    expect(edited('session-pascal/06-PreToolUse', { file_path: '/b', content: 'x' })).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { path: '/b', file_text: 'x' } },
    });
  });
  it('gives back the input of every recorded call as it was', () => {
    for (const file of ['03', '06', '09', '12', '19', '21', '27'].map((number) => `session/${number}-preToolUse`)) {
      const { payload, context } = recordedAs(file);
      const event = copilot.decode(payload, context);
      const input = event.tool?.input ?? {};
      const { answer } = copilot.encode(event, { decision: 'modify', verdict: 'observe', input }, { attended: true });
      expect(JSON.parse(answer.stdout).modifiedArgs).toEqual((payload as JsonObject).toolArgs);
    }
  });
  it('grants nothing but commands before the tool, and says so', () => {
    const granted = (file: string) => {
      const { payload, context } = recordedAs(file);
      return copilot.encode(copilot.decode(payload, context), { ...OBSERVE, ...allow }, { attended: true });
    };
    expect(granted('session/03-preToolUse').delivered).toEqual([{ decision: 'allow', how: 'now' }]);
    for (const file of ['session/06-preToolUse', 'session/21-preToolUse'])
      expect(granted(file)).toMatchObject({ answer: { stdout: '{}' }, delivered: [{ decision: 'allow', how: 'none' }] });
  });
  it('modifies no patch, and says so', () => {
    const { payload, context } = recordedAs('patch/04-preToolUse');
    const { answer, delivered } = copilot.encode(copilot.decode(payload, context), { ...OBSERVE, ...modify }, { attended: true });
    expect(answer.stdout).toBe('{}');
    expect(delivered).toEqual([{ decision: 'modify', how: 'none', note: expect.stringContaining('patch') }]);
  });
  it('keeps the result of a tool beside what a hook has to say', () => {
    expect(json('postToolUse', { ...deny, content: 'context' })).toEqual({ additionalContext: 'no\ncontext' });
    expect(json('postToolUse', { ...deny, output: { stdout: 'x' } })).toEqual({
      additionalContext: 'no',
      modifiedResult: { resultType: 'success', textResultForLlm: 'x' },
    });
  });
  it('rewrites the output of a command that has failed, since its event takes one', () => {
    const { payload, context } = recordedAs('session/16-postToolUse');
    const { answer, delivered } = copilot.encode(copilot.decode(payload, context), { ...OBSERVE, ...rewrite }, { attended: true });
    expect(JSON.parse(answer.stdout).modifiedResult.textResultForLlm).toBe('new output');
    expect(delivered).toEqual([{ decision: 'rewrite', how: 'now' }]);
    expect(encode('postToolUseFailure', rewrite).delivered).toMatchObject([{ decision: 'rewrite', how: 'none' }]);
  });
});

describe('a question', () => {
  it('is a deny that says so where nobody can answer', () => {
    expect(json('preToolUse', ask, false)).toEqual({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringMatching(/^sure\? .*nobody/),
    });
    expect(json('preToolUse', ask)).toEqual({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' });
  });
  it('asks nobody by a permission request, since it may fire where nobody is asked', () => {
    expect(json('permissionRequest', ask)).toEqual({ behavior: 'deny', message: 'sure?' });
    expect(json('permissionRequest', { ...deny, endRun: true })).toEqual({ behavior: 'deny', message: 'no', interrupt: true });
  });
});

describe('what cannot be delivered', () => {
  it('says so when the person cannot read a message', () => {
    expect(encode('sessionStart', { userMessage: 'look' })).toMatchObject({
      answer: { stdout: '{}' },
      delivered: [{ how: 'none', note: expect.stringContaining('person') }],
    });
  });
  it('is kept for the next prompt when a compaction begins', () => {
    expect(encode('preCompact', replace)).toMatchObject({ answer: { stdout: '{}' }, deferred: 'context' });
  });
  it('is nothing at all on the events of a subagent that look like those of the main agent', () => {
    const event = decodeSample('agentStop', recordedAs('session/33-agentStop').payload as JsonObject);
    expect(copilot.encode(event, { ...OBSERVE, ...goOn }, { attended: true })).toMatchObject({
      answer: { stdout: '{}' },
      delivered: [{ decision: 'continue', how: 'none' }],
    });
  });
  it('is answered with silence on an event of tomorrow', () => expect(copilot.noop('somethingNew').stdout).toBe(''));
});
