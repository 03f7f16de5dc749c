import type { EventName } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { decide, parseAnswer } from '../src/index.ts';
import { hookOf, optionsOf, resultOf, shellHook, toolEvent } from './scenery.ts';

const DENY = '{"decision":"deny","reason":"no"}';
/** A deny that is none for whoever reads only one whole object. */
const UNREAD = [
  DENY.slice(0, -1),
  `${DENY}\nbye`,
  `warn: x\n${DENY}`,
  `warn: x\r \t${DENY}`,
  '[{"decision":"deny"}]',
  'warn: x\n\n  [{"decision":"deny"}]\n',
];
const read = (run: Parameters<typeof resultOf>[0], failClosed: boolean, event: EventName = 'pre_tool_use') =>
  parseAnswer(hookOf({ event, failClosed }), event, resultOf(run));

describe('an answer of a policy', () => {
  it.each(UNREAD)('that looks like JSON and is not one object is unreadable: %j', (stdout) => {
    for (const event of ['pre_tool_use', 'user_prompt_submit', 'permission_request'] as const)
      expect(read({ stdout }, true, event)).toMatchObject({ failed: 'unreadable', part: { decisions: [] } });
  });

  it('may be plain text, and an object over several lines', () => {
    expect(read({ stdout: 'checked 3 files {all} [fine]\nok' }, true)).toEqual({ said: { decision: 'observe' }, part: { decisions: [] } });
    expect(read({ stdout: '{\n  "decision": "deny",\n  "reason": "no"\n}\n' }, true).said).toEqual({ decision: 'deny', reason: 'no' });
  });

  it('that exits 2 denies with its own reason', () => {
    expect(read({ exitCode: 2, stderr: 'mine', stdout: '{"decision":"allow"' }, true).part.decisions).toEqual([
      { decision: 'deny', reason: 'mine' },
    ]);
  });

  it('denies for real when it was cut', async () => {
    const hook = shellHook('policy', `printf '%s' '${DENY.slice(0, -1)}'`, { failClosed: true });
    const { reduced, trace } = await decide(optionsOf(toolEvent('pre_tool_use', 'Bash', { command: 'ls' }), [hook]));
    expect(reduced).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('was ignored') });
    expect(trace).toMatchObject([{ failed: 'unreadable', stdout: DENY.slice(0, -1) }]);
  });

  it('of very many blank lines is read at once', () => {
    expect(read({ stdout: `x${'\n '.repeat(500_000)}x` }, true).failed).toBeUndefined();
  });
});

describe('an answer of any other hook', () => {
  it.each(UNREAD)('is read as Claude Code would, with a note: %j', (stdout) => {
    const note = expect.stringContaining('was ignored');
    expect(read({ stdout }, false)).toEqual({ said: { decision: 'observe' }, part: { decisions: [] }, note });
    const text = { decision: 'replace', content: stdout.trim() };
    expect(read({ stdout }, false, 'session_start')).toEqual({ said: text, part: { decisions: [text] }, note });
    expect(read({ exitCode: 2, stderr: 'mine', stdout }, false)).toMatchObject({ said: { decision: 'deny', reason: 'mine' }, note });
  });

  it('has no note where nothing looks like JSON', () => {
    expect(read({ stdout: 'all {fine} [here]' }, false).note).toBeUndefined();
    expect(read({ stdout: '{"decision":"allow"}' }, false).note).toBeUndefined();
  });

  it('has its note in the trace', async () => {
    const { trace } = await decide(optionsOf(toolEvent('pre_tool_use', 'Bash', { command: 'ls' }), [shellHook('plain', 'echo "[1]"')]));
    expect(trace).toMatchObject([{ did: 'ran', note: expect.stringContaining('was ignored') }]);
  });
});
