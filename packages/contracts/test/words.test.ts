import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  budgetOf,
  canBlock,
  capabilityOf,
  EVENTS,
  giveUpAfter,
  isToolEvent,
  isUlid,
  namesFor,
  parseEventName,
  parseRegistrationArgs,
  type Registration,
  registrationArgs,
  spellingsOf,
  ulid,
  ulidTime,
  viaOf,
} from '../src/index.ts';

describe('the name of an event', () => {
  it.each([
    ['pre_tool_use', 'pre_tool_use'],
    ['pre-tool-use', 'pre_tool_use'],
    ['pre_prompt', 'user_prompt_submit'],
    ['pre-prompt', 'user_prompt_submit'],
    ['post_response', 'stop'],
    ['context-compact', 'pre_compact'],
    ['PreToolUse', undefined],
    ['', undefined],
    ['constructor', undefined],
    ['__proto__', undefined],
    ['toString', undefined],
  ])('%j is read as %j', (text, event) => {
    expect(parseEventName(text)).toBe(event);
  });

  it('is read back in every spelling, and no spelling names two events', () => {
    const all = EVENTS.flatMap((event) => spellingsOf(event).map((spelling) => [spelling, event] as const));
    for (const [spelling, event] of all) expect(parseEventName(spelling)).toBe(event);
    expect(new Set(all.map(([spelling]) => spelling)).size).toBe(all.length);
  });

  it('is joined by the name of the kind of tool', () => {
    expect(namesFor('pre_tool_use', 'shell')).toEqual(['pre_tool_use', 'pre_shell_execution']);
    expect(namesFor('post_tool_use', 'edit')).toEqual(['post_tool_use', 'post_file_edit']);
    expect(namesFor('post_tool_use_failure', 'shell')).toEqual(['post_tool_use_failure', 'post_shell_execution']);
    expect(namesFor('post_tool_use', 'todo')).toEqual(['post_tool_use', 'todo_update']);
    expect(namesFor('post_tool_use_failure', 'todo')).toEqual(['post_tool_use_failure']);
    expect(namesFor('pre_tool_use', 'web')).toEqual(['pre_tool_use']);
    expect(namesFor('post_tool_use', 'read')).toEqual(['post_tool_use']);
    expect(namesFor('stop', undefined)).toEqual(['stop']);
  });

  it('says whether a matcher counts', () => {
    expect(EVENTS.filter((event) => !isToolEvent(event))).toEqual([
      'session_start',
      'session_end',
      'user_prompt_submit',
      'subagent_start',
      'subagent_stop',
      'stop',
      'stop_failure',
      'pre_compact',
      'post_compact',
      'notification',
      'other',
    ]);
  });
});

describe('the budget', () => {
  it.each([
    [60_000, 54_000, 57_000],
    [3_000, 2_700, 2_850],
    [1_500, 1_200, 1_350],
    [1_000, 700, 850],
    [300, 0, 150],
    [0, 0, 0],
  ])('of %d ms is %d ms for the hooks, and %d ms until a forwarder gives up', (timeout, budget, giveUp) => {
    expect(budgetOf(timeout)).toBe(budget);
    expect(giveUpAfter(timeout)).toBe(giveUp);
  });

  it('ends before the forwarder gives up, which is before the agent does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 301, max: 3_600_000 }), (timeout) => {
        expect(budgetOf(timeout)).toBeLessThan(giveUpAfter(timeout));
        expect(giveUpAfter(timeout)).toBeLessThan(timeout);
      }),
    );
  });
});

describe('a ULID', () => {
  it('is the one of the specification', () => {
    // The ULID specification's own example of a timestamp.
    expect(ulid(1469918176385, new Uint8Array(10)).slice(0, 10)).toBe('01ARYZ6S41');
    expect(ulid(0, new Uint8Array(10))).toBe('0'.repeat(26));
    expect(ulid(2 ** 48 - 1, new Uint8Array(10).fill(255))).toBe('7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
  });

  it('keeps its time, sorts by it, and says the same bits as its bytes', () => {
    const time = fc.nat({ max: 2 ** 48 - 1 });
    const random = fc.uint8Array({ minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(time, time, random, random, (a, b, diceA, diceB) => {
        const [first, second] = [ulid(a, diceA), ulid(b, diceB)];
        expect(isUlid(first)).toBe(true);
        expect(ulidTime(first)).toBe(a);
        if (a !== b) expect(first < second).toBe(a < b);
        let bits = 0n;
        for (const char of first.slice(10)) bits = bits * 32n + BigInt('0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(char));
        expect(bits.toString(16).padStart(20, '0')).toBe(Buffer.from(diceA).toString('hex'));
      }),
    );
  });

  it.each([
    '',
    '01ARYZ6S41',
    '8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
    '01ARYZ6S41TSV4RRFFQ69G5FAI',
    '01aryz6s41tsv4rrffq69g5fav',
    `01ARYZ6S41TSV4RRFFQ69G5FAV\n`,
  ])('is not %j', (text) => {
    expect(isUlid(text)).toBe(false);
  });
});

describe('a registration', () => {
  const registration: Registration = {
    agent: 'claude',
    nativeEvent: 'PreToolUse',
    scope: 'user',
    timeoutMs: 60_000,
    variables: ['A', 'B'],
  };

  it('is written as the forwarder reads it, and read back', () => {
    expect(registrationArgs(registration)).toEqual(['claude', 'PreToolUse', 'user', '60000', 'A,B']);
    expect(registrationArgs({ ...registration, variables: [] })).toEqual(['claude', 'PreToolUse', 'user', '60000', '-']);
    for (const one of [registration, { ...registration, variables: [] }]) expect(parseRegistrationArgs(registrationArgs(one))).toEqual(one);
    expect(viaOf(registration)).toBe('claude:PreToolUse:user');
  });

  it.each([
    [['claude', 'PreToolUse', 'user', '60000']],
    [['claude', 'PreToolUse', 'galaxy', '60000', '-']],
    [['claude', 'PreToolUse', 'user', 'soon', '-']],
    [['claude', 'PreToolUse', 'user', '0', '-']],
    [['', 'PreToolUse', 'user', '60000', '-']],
    [[]],
  ])('is not %j', (args) => {
    expect(parseRegistrationArgs(args)).toBeUndefined();
  });
});

describe('a capability table', () => {
  const table = {
    stop: { continue: { how: 'now' } },
    notification: { deny: { how: 'none' } },
    pre_compact: { replace: { how: 'deferred', until: 'later' } },
  } as const;

  it('has `none` for all that it does not say, and `now` for observe', () => {
    expect(capabilityOf(table, 'stop', 'continue')).toEqual({ how: 'now' });
    expect(capabilityOf(table, 'stop', 'deny')).toEqual({ how: 'none' });
    expect(capabilityOf(table, 'session_end', 'observe')).toEqual({ how: 'now' });
  });

  it('makes an event blocking where a decision can get through, now or later', () => {
    expect((['stop', 'pre_compact', 'notification', 'session_end'] as const).map((event) => canBlock(table, event))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
