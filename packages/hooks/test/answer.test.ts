import { describe, expect, it } from 'vitest';
import { parseAnswer } from '../src/index.ts';
import { deny, ROWS, specific } from './answer-rows.ts';
import { hookOf, resultOf } from './scenery.ts';

describe('the answer of a hook', () => {
  for (const row of ROWS) {
    it(`is read when ${row.when}`, () => {
      const answer = parseAnswer(hookOf({ event: row.event, ...row.hook }), row.event, resultOf(row.run));
      expect({
        all: answer.part.decisions,
        failed: answer.failed,
        userMessage: answer.part.userMessage,
        endRun: answer.part.endRun,
      }).toEqual({ all: row.all ?? [], failed: row.failed, userMessage: row.userMessage, endRun: row.endRun });
    });
  }

  it('is named after the strongest thing that was said', () => {
    const run = specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'ls' }, additionalContext: 'x' });
    expect(parseAnswer(hookOf(), 'pre_tool_use', resultOf(run)).said).toEqual({ decision: 'modify', input: { command: 'ls' } });
  });

  it('tells in a note why a run failed', () => {
    const answer = parseAnswer(hookOf(), 'pre_tool_use', resultOf({ exitCode: 1, stderr: 'first\njq: not found\n' }));
    expect(answer.note).toBe('it exited with code 1: jq: not found');
  });

  it('names the error where Node puts its stack and its version behind it', () => {
    const node = `file:///guard.mjs:3\n  x.y();\n    ^\n\nTypeError: x.y is not a function\n    at file:///guard.mjs:3:5\n\nNode.js v20.20.2`;
    expect(parseAnswer(hookOf(), 'pre_tool_use', resultOf({ exitCode: 1, stderr: node })).note).toBe(
      'it exited with code 1: TypeError: x.y is not a function',
    );
    const python = `Traceback (most recent call last):\n  File "guard.py", line 3\njson.decoder.JSONDecodeError: Expecting value: line 1`;
    expect(parseAnswer(hookOf(), 'pre_tool_use', resultOf({ exitCode: 1, stderr: python })).note).toBe(
      'it exited with code 1: json.decoder.JSONDecodeError: Expecting value: line 1',
    );
  });

  it.each(['{"decision":"deny","reason":"no"', 'warn: x\n{"decision":"deny"}', '[{"decision":"deny"}]'])(
    'tells in a note that %j was was ignored',
    (stdout) => {
      for (const event of ['pre_tool_use', 'session_start'] as const) {
        const { failed, note } = parseAnswer(hookOf({ event }), event, resultOf({ stdout }));
        expect([failed, note]).toEqual([undefined, expect.stringContaining('was ignored')]);
        const blocked = parseAnswer(hookOf({ event: 'pre_tool_use' }), 'pre_tool_use', resultOf({ exitCode: 2, stderr: 'no', stdout }));
        expect([blocked.said, blocked.note]).toEqual([deny('no'), expect.stringContaining('was ignored')]);
      }
    },
  );

  it('has no note where nothing looks like JSON', () => {
    expect(parseAnswer(hookOf(), 'pre_tool_use', resultOf({ stdout: 'all {fine} [here]' })).note).toBeUndefined();
    expect(parseAnswer(hookOf(), 'pre_tool_use', resultOf({ stdout: '{"decision":"allow"}' })).note).toBeUndefined();
  });

  it('of very many blank lines is read at once', () => {
    const stdout = `x${'\n '.repeat(500_000)}x`;
    expect(parseAnswer(hookOf({ failClosed: true }), 'pre_tool_use', resultOf({ stdout })).failed).toBeUndefined();
  });

  it('takes the name of an event that has no canonical one as it comes', () => {
    const run = specific('WorktreeCreate', { additionalContext: 'x' });
    expect(parseAnswer(hookOf({ event: 'other' }), 'other', resultOf(run)).said).toEqual({ decision: 'replace', content: 'x' });
  });
});
