import { describe, expect, it } from 'vitest';
import { caseDifference, type HookCase, hookCaseText, readHookCases } from '../src/index.ts';

const CASE: HookCase = {
  name: 'refuses rm -rf',
  agent: 'claude',
  event: 'pre_tool_use',
  native_event: 'PreToolUse',
  payload: { tool_name: 'Bash', tool_input: { command: 'rm -rf /' } },
  expect: { decision: 'deny', reason_matches: 'trash' },
};

describe('a case of a hook', () => {
  it('is read as it was written', () => {
    expect(readHookCases(hookCaseText(CASE))).toEqual({ ok: true, cases: [CASE] });
  });

  it('may begin with a byte order mark, as some editors write it', () => {
    expect(readHookCases(`\ufeff${hookCaseText(CASE)}`)).toEqual({ ok: true, cases: [CASE] });
  });

  it('may be in a list, and may use any spelling of its event', () => {
    const read = readHookCases(JSON.stringify([CASE, { ...CASE, event: 'pre-prompt' }]));
    expect(read).toMatchObject({ ok: true, cases: [{ event: 'pre_tool_use' }, { event: 'user_prompt_submit' }] });
  });

  it.each([
    ['text that is no JSON', '{', /not JSON/],
    ['an empty list', '[]', /no test case/],
    ['a misspelt key', JSON.stringify({ ...CASE, expects: {} }), /unknown field "expects"/],
    ['a missing payload', JSON.stringify({ ...CASE, payload: undefined }), /"payload" is missing/],
    ['an event that nobody knows', JSON.stringify({ ...CASE, event: 'PreToolUse' }), /no event is named "PreToolUse"/],
    ['a decision that nobody knows', JSON.stringify({ ...CASE, expect: { decision: 'block' } }), /"expect.decision" is not one of/],
    [
      'a pattern that is none',
      JSON.stringify({ ...CASE, expect: { decision: 'deny', reason_matches: '(' } }),
      /"expect.reason_matches" is not a regular/,
    ],
    ['the second of two', JSON.stringify([CASE, 7]), /case 2: is not an object/],
  ])('is refused for %s', (_, text, problem) => {
    const read = readHookCases(text);
    expect(read.ok ? [] : read.problems).toEqual([expect.stringMatching(problem)]);
  });
});

describe('what a case expects', () => {
  it('is met by the same decision whose reason matches', () => {
    expect(caseDifference(CASE.expect, { decision: 'deny', verdict: 'deny', reason: 'use trash' })).toBeUndefined();
  });

  it('is missed by another decision, another reason, other content', () => {
    expect(caseDifference(CASE.expect, { decision: 'observe', verdict: 'observe' })).toBe('expected deny, got observe');
    expect(caseDifference(CASE.expect, { decision: 'deny', verdict: 'deny', reason: 'no' })).toMatch(/does not match \/trash\/: no/);
    expect(
      caseDifference({ decision: 'replace', content_matches: 'branch' }, { decision: 'replace', verdict: 'observe', content: 'x' }),
    ).toMatch(/content does not match/);
  });

  it('compares the reason of a continue like any other', () => {
    const expected = { decision: 'continue', reason_matches: 'red' } as const;
    expect(caseDifference(expected, { decision: 'continue', verdict: 'observe', continue: 'tests are red' })).toBeUndefined();
  });
});
