import type { EventName } from '@piton/contracts';
import type { EventHeader } from '@piton/store';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { happeningsOf } from '../../src/events/happening.ts';
import { happeningTable } from '../../src/events/happening-table.ts';
import { resultOf, whatHappened } from '../../src/events/words.ts';
import { painter } from '../../src/output/paint.ts';
import { widthOf } from '../../src/output/text.ts';

const terminal = (width: number): Context => ({ width, paint: painter(false) }) as Context;

let next = 0;
const event = (name: EventName, given: Partial<EventHeader> = {}): EventHeader =>
  ({
    seq: ++next,
    eventId: `01M7GEHWTJ${String(next).padStart(16, '0')}`,
    session: 's1',
    agent: 'claude',
    event: name,
    nativeEvent: 'Native',
    wallUs: 1e15 + next * 1e6,
    projectPath: '/p',
    tool: null,
    prompt: null,
    source: null,
    agentId: null,
    decision: null,
    decidedBy: [],
    reason: null,
    late: false,
    derived: false,
    canary: false,
    ...given,
  }) as unknown as EventHeader;

const bash = (command: string, useId: string | null) =>
  ({ name: 'Bash', nativeName: 'Bash', kind: 'shell', useId, command, files: [] }) as EventHeader['tool'];
const begun = (command: string, useId: string | null, given: Partial<EventHeader> = {}) =>
  event('pre_tool_use', { tool: bash(command, useId), ...given });
const ended = (command: string, useId: string | null, name: EventName = 'post_tool_use') => event(name, { tool: bash(command, useId) });
const DENIED = {
  decision: 'deny',
  decidedBy: ['user:pre-tool-use/10-no-rm-rf'],
  reason: 'rm -rf is not allowed here. Move it instead.',
} as const;

/** Oldest first, as a person reads them. */
const printed = (...events: EventHeader[]): string[] =>
  happeningsOf([...events].reverse())
    .reverse()
    .map((one) => `${whatHappened(one)} | ${resultOf(one).text}`);

describe('one row for one thing that happened', () => {
  it('is a tool call with its end, in whatever order calls run', () => {
    expect(printed(begun('ls', 'a'), ended('ls', 'a'))).toEqual(['Bash: ls | ran']);
    expect(printed(begun('ls', 'a'), ended('ls', 'a', 'post_tool_use_failure'))).toEqual(['Bash: ls | failed']);
    expect(printed(begun('one', 'a'), begun('two', 'b'), ended('two', 'b'), ended('one', 'a'))).toEqual([
      'Bash: one | ran',
      'Bash: two | ran',
    ]);
    expect(printed(begun('ls', 'a'), ended('ls', 'a'), begun('ls', 'b'))).toEqual(['Bash: ls | ran', 'Bash: ls | ']);
  });

  it('knows the end of a call whose agent gives no id', () => {
    expect(printed(begun('ls', null), ended('ls', null), begun('ls', null), ended('ls', null))).toEqual([
      'Bash: ls | ran',
      'Bash: ls | ran',
    ]);
    expect(printed(begun('ls', 'a'), ended('ls', null))).toEqual(['Bash: ls | ran']);
    expect(printed(begun('ls', 'a'), ended('pwd', null))).toEqual(['Bash: ls | ', 'Bash: pwd | ran']);
  });

  it('keeps calls of different ids or sessions apart', () => {
    expect(printed(begun('ls', 'a'), ended('ls', 'b'))).toHaveLength(2);
    const other = { ...ended('ls', 'a'), session: 's2' };
    expect(printed(begun('ls', 'a'), other)).toHaveLength(2);
  });

  it('is an end alone if its beginning is out of sight', () => expect(printed(ended('ls', 'a'))).toEqual(['Bash: ls | ran']));

  it('is a deny with the hook and its reason, also of the permission request', () => {
    const denied = begun('rm -rf x', 'a', DENIED);
    expect(printed(denied, ended('rm -rf x', 'a', 'permission_denied'), ended('rm -rf x', 'a', 'post_tool_use_failure'))).toEqual([
      'Bash: rm -rf x | denied by 10-no-rm-rf',
    ]);
    const request = event('permission_request', { tool: bash('rm y', null), ...DENIED });
    const [row] = happeningsOf([request, begun('rm y', 'b')]);
    expect(row && resultOf(row)).toMatchObject({ text: 'denied by 10-no-rm-rf', reason: DENIED.reason });
  });

  it.each([
    [event('session_start', { source: 'startup' }), 'session started (startup) | '],
    [event('user_prompt_submit', { prompt: 'fix it' }), '“fix it” | '],
    [event('stop'), 'turn ended | '],
    [event('stop', { decision: 'continue', decidedBy: ['tests'], reason: 'red' }), 'turn ended | sent back to work by tests'],
    [event('session_start', { decision: 'replace', decidedBy: ['user:context'] }), 'session started | context added by context'],
    [event('pre_tool_use', { tool: bash('ls', 'a'), decision: 'deny', decidedBy: [] }), 'Bash: ls | denied'],
    [
      event('pre_tool_use', { tool: bash('ls', 'a'), decision: 'deny', decidedBy: ['piton:own-files'] }),
      'Bash: ls | denied by piton:own-files',
    ],
    [event('pre_tool_use', { tool: bash('ls', 'a'), decision: 'ask', decidedBy: ['x'] }), 'Bash: ls | approval asked by x'],
    [event('pre_tool_use', { tool: bash('ls', 'a'), late: true }), 'Bash: ls | recorded late, no hooks ran'],
    [event('other'), 'Native | '],
  ])('is in a person’s words: %#', (one, words) => expect(printed(one)).toEqual([words]));

  it('fits into 80 columns with its reason and ID, and is one line in a pipe', () => {
    const rows = happeningsOf([
      begun(`rm -rf ${'build '.repeat(30)}`, 'a', DENIED),
      event('user_prompt_submit', { prompt: 'y'.repeat(1e6) }),
    ]);
    const shown = rows.map((happening) => ({ happening, shortId: '01M7GEHWTJ1' }));
    const lines = happeningTable(terminal(80), shown).trimEnd().split('\n');
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(80);
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/denied by 10-no-rm-rf +01M7GEHWTJ1$/);
    expect(lines[2]?.trim()).toBe('↳ rm -rf is not allowed here. Move it instead.');
    const piped = happeningTable(terminal(Number.POSITIVE_INFINITY), shown).trimEnd().split('\n');
    expect(piped).toHaveLength(3);
    expect(piped[1]).toContain('denied by 10-no-rm-rf: rm -rf is not allowed here.');
  });

  it.each([80, 120])('looks as it was looked at, on a terminal of %i columns', async (width) => {
    next = 0;
    const rows = happeningsOf(
      [
        event('session_start', { source: 'startup', decision: 'replace', decidedBy: ['user:session-start/10-context'] }),
        event('user_prompt_submit', {
          prompt: 'Clean up: delete the build directory and say hello in a.txt, then run all of the tests again.',
        }),
        begun('rm -rf build', 'a', DENIED),
        begun('mkdir -p .trash && mv build .trash/ && ls -la .trash/build', 'b'),
        ended('mkdir -p .trash && mv build .trash/ && ls -la .trash/build', 'b'),
        event('stop', { decision: 'continue', decidedBy: ['project:artifacts/run-tests-at-stop'], reason: 'The tests fail: 2 of 48.' }),
        event('session_end', { source: 'other', agent: 'opencode' }),
      ].reverse(),
    ).reverse();
    const shown = rows.map((happening, at) => ({ happening, shortId: `01M7GEHWTJ${at}` }));
    const text = happeningTable(terminal(width), shown).replaceAll(/^\d\d-\d\d \d\d:\d\d|^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/gm, (time) =>
      time.replaceAll(/\d/g, '0'),
    );
    await expect(text).toMatchFileSnapshot(`screens/events-${width}.txt`);
  });
});
