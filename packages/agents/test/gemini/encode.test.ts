import { join } from 'node:path';
import type { Reduced } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { gemini } from '../../src/gemini/index.ts';
import { fixturesOf } from '../fixtures-of.ts';
import { allow, ask, deny, encoderOf, goldenAnswers, goOn, modify, replace, rewrite } from '../golden-answers.ts';
import type { GeminiAnswer } from './answer-reader.ts';

const { fixtures, text, documented } = fixturesOf('gemini');
const encode = encoderOf(gemini, documented);
const json = (sample: string, said: Partial<Reduced>, attended = true): GeminiAnswer =>
  JSON.parse(encode(sample, said, attended).answer.stdout);
const specific = (hookEventName: string, rest: object) => ({ hookSpecificOutput: { hookEventName, ...rest } });

describe('the answers as a whole', () => {
  it('are those of the golden file, for every decision on every event', async () => {
    await expect(goldenAnswers(gemini, documented, ['AfterTool.failure'])).toMatchFileSnapshot(join(fixtures, 'answers/golden.txt'));
  });
  const recipes: { event: string; intent: string; stdout: GeminiAnswer }[] = JSON.parse(text('answers/documented.json'));
  const saidBy: Record<string, (stdout: GeminiAnswer) => Partial<Reduced>> = {
    deny: ({ reason = '' }) => ({ ...deny, reason }),
    modify_input: ({ hookSpecificOutput }) => ({ ...modify, input: hookSpecificOutput?.tool_input ?? {} }),
    inject_context: ({ hookSpecificOutput }) => ({ ...replace, content: hookSpecificOutput?.additionalContext ?? '' }),
    replace_output: ({ reason }) => ({ ...rewrite, output: reason }),
    continue_working: ({ reason = '' }) => ({ ...goOn, continue: reason }),
  };
  const heard = recipes.filter(({ event, intent }) => intent in saidBy && !['BeforeModel', 'AfterModel'].includes(event));
  it.each(heard)('equal the documented recipe: $event $intent', ({ event, intent, stdout }) => {
    expect(json(event, saidBy[intent]?.(stdout) ?? {})).toEqual(stdout);
  });
  it('cover the documented recipes', () => expect(heard).toHaveLength(8));
});

describe('before a tool', () => {
  it('asks in words that the dialog shows', () => {
    expect(json('BeforeTool', ask)).toEqual({ decision: 'ask', reason: 'sure?', systemMessage: 'sure?' });
  });
  it('turns a question that nobody can answer into a deny that says so', () => {
    expect(json('BeforeTool', ask, false)).toEqual({ decision: 'deny', reason: expect.stringMatching(/^sure\? .*nobody/) });
  });
  it('grants nothing', () => {
    expect(encode('BeforeTool', allow)).toEqual({
      answer: gemini.noop('BeforeTool'),
      delivered: [{ decision: 'allow', how: 'none', note: expect.any(String) }],
    });
  });
  it('puts the end of the run beside the deny', () => {
    expect(json('BeforeTool', { ...deny, endRun: true })).toEqual({ decision: 'deny', reason: 'no', continue: false, stopReason: 'no' });
  });
  it('writes a new input in the names of the tool itself', () => {
    const modified = (tool_name: string, input: Record<string, unknown>) =>
      JSON.parse(
        gemini.encode(
          gemini.decode({ ...documented('BeforeTool'), tool_name }, { nativeEvent: 'BeforeTool', cwd: '/', variables: {} }),
          { decision: 'modify', verdict: 'observe', input },
          { attended: false },
        ).answer.stdout,
      ).hookSpecificOutput.tool_input;
    expect(modified('replace', { file_path: 'a', old_string: 'b', new_string: 'c', replace_all: true, instruction: 'd' })).toEqual({
      file_path: 'a',
      old_string: 'b',
      new_string: 'c',
      allow_multiple: true,
      instruction: 'd',
    });
    expect(modified('read_file', { file_path: 'a', offset: 3, limit: 5 })).toEqual({ file_path: 'a', start_line: 3, end_line: 7 });
    expect(modified('read_file', { file_path: 'a', limit: 5 })).toEqual({ file_path: 'a', end_line: 5 });
    expect(modified('write_todos', { todos: [{ content: 'a', status: 'pending' }, 'odd'] })).toEqual({
      todos: [{ description: 'a', status: 'pending' }, 'odd'],
    });
    expect(modified('invoke_agent', { subagent_type: 'helper', prompt: 'p' })).toEqual({ agent_name: 'helper', prompt: 'p' });
    expect(modified('run_shell_command', { command: 'x', run_in_background: true })).toEqual({ command: 'x', is_background: true });
    expect(modified('mcp_mock_echo', { path: 'x' })).toEqual({ path: 'x' });
  });
  it('says so when context finds no door', () => {
    expect(encode('BeforeTool', replace).delivered).toMatchObject([{ decision: 'replace', how: 'none' }]);
  });
});

describe('after a tool', () => {
  it('adds what a deny says after the result and replaces the result by a rewrite', () => {
    expect(json('AfterTool', deny)).toEqual(specific('AfterTool', { additionalContext: 'no' }));
    expect(json('AfterTool', { ...deny, content: 'context' })).toEqual(specific('AfterTool', { additionalContext: 'no\ncontext' }));
    expect(json('AfterTool', rewrite)).toEqual({ decision: 'deny', reason: 'new output' });
    expect(json('AfterTool', { output: { a: 1 }, content: 'context' })).toEqual({ decision: 'deny', reason: '{"a":1}\ncontext' });
  });
  it('ends the run with the reason', () => {
    expect(json('AfterTool', { ...deny, endRun: true })).toEqual({ continue: false, stopReason: 'no' });
  });
});

describe('a turn', () => {
  it('goes on at a stop', () => {
    expect(json('AfterAgent', goOn)).toEqual({ decision: 'deny', reason: 'tests have not run' });
    expect(json('AfterAgent', { ...goOn, verdict: 'deny', endRun: true })).toMatchObject({ continue: false });
  });
  it('keeps what cannot be said before a compression for the next prompt', () => {
    expect(encode('PreCompress', replace)).toMatchObject({ answer: gemini.noop('PreCompress'), deferred: 'context' });
  });
});

describe('every answer', () => {
  it('never loses a part without a word', () => {
    const everything: Partial<Reduced> = { ...deny, input: {}, output: '', content: 'context', continue: 'more' };
    for (const { name } of gemini.events) {
      const parts = encode(name, everything).delivered.map((part) => part.decision);
      expect([name, ...parts.sort()]).toEqual([name, 'continue', 'deny', 'modify', 'replace', 'rewrite']);
    }
  });
  it('tells the person beside what it asks', () => {
    expect(json('SessionStart', { userMessage: 'look' })).toEqual({ systemMessage: 'look' });
    expect(json('BeforeTool', { ...ask, userMessage: 'look' }).systemMessage).toBe('sure?\nlook');
  });
});
