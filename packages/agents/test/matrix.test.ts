import type { Agent, AgentProof } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { claude } from '../src/claude/index.ts';
import { AGENTS } from '../src/index.ts';
import { earliestContextEvent, matrixOf, notesOf, PROVEN, proofOf } from '../src/proven.ts';

const agent: Agent = {
  ...claude,
  id: 'some',
  provenVersion: '2',
  events: [
    { name: 'Start', event: 'session_start', timeoutMs: 1 },
    { name: 'Often', event: 'notification', timeoutMs: 1, costly: 'x' },
    { name: 'Odd', event: 'other', timeoutMs: 1 },
  ],
  capabilities: {
    session_start: { replace: { how: 'now' } },
    stop: { continue: { how: 'now' }, deny: { how: 'none' }, ask: { how: 'degraded', becomes: 'a deny' } },
  },
};
const proof: AgentProof = {
  agent: 'some',
  version: '2',
  processes: null,
  promises: [],
  rows: [{ event: 'stop', decision: 'continue', result: 'verified', assertion: 'a test' }],
};
const cellAt = (of: AgentProof | undefined, event: string, decision: string) =>
  matrixOf(agent, of).find((cell) => cell.event === event && cell.decision === decision);

describe('the matrix', () => {
  it('says of each cell what was seen, what is only claimed, and what is not possible', () => {
    expect(cellAt(proof, 'stop', 'continue')).toMatchObject({ result: 'verified', assertion: 'a test' });
    expect(cellAt(proof, 'session_start', 'replace')).toMatchObject({ result: 'claimed, not seen' });
    expect(cellAt(proof, 'stop', 'ask')).toMatchObject({ result: 'claimed, not seen', how: 'a deny' });
    expect(cellAt(proof, 'stop', 'deny')).toMatchObject({ result: 'not possible' });
    expect(cellAt(proof, 'stop', 'modify')).toMatchObject({ result: 'not possible' });
    expect(cellAt(undefined, 'stop', 'continue')).toMatchObject({ result: 'claimed, not seen' });
  });
  it('lists events that are told of or claimed, and none that are not registered unasked', () => {
    expect([...new Set(matrixOf(agent, proof).map(({ event }) => event))]).toEqual(['session_start', 'stop']);
  });
  it('takes the proof of no other version', () => {
    expect(proofOf([{ ...proof, version: '1' }], agent)).toBeUndefined();
    expect(proofOf([proof], { ...agent, provenVersion: null })).toBeUndefined();
    expect(proofOf([proof], agent)).toBe(proof);
  });
  it('names the first door that was seen to be open', () => {
    const opened = { ...proof, rows: [{ event: 'session_start', decision: 'replace', result: 'verified', assertion: '' } as const] };
    expect(earliestContextEvent(matrixOf(agent, proof))).toBeUndefined();
    expect(earliestContextEvent(matrixOf(agent, opened))).toBe('session_start');
  });
  it('says once what holds at several events', () => {
    const cell = { decision: 'ask', result: 'degraded', how: 'a deny' } as const;
    expect(
      notesOf([
        { ...cell, event: 'stop' },
        { ...cell, event: 'pre_tool_use' },
      ]),
    ).toEqual([{ text: 'ask, degraded: a deny', events: ['stop', 'pre_tool_use'] }]);
  });
});

describe('what is committed as shown', () => {
  it.each(PROVEN.map((each) => [each.agent, each] as const))('%s: each row is of a claim, once, and names its assertion', (id, shown) => {
    const known = AGENTS.find((each) => each.id === id);
    expect(known?.provenVersion).toBe(shown.version);
    const names = shown.rows.map(({ event, decision }) => `${event}.${decision}`);
    expect(names).toEqual([...new Set(names)]);
    for (const { event, decision, assertion } of shown.rows) {
      expect(assertion).toContain(`real ${id}:`);
      if (decision !== 'observe') expect(known?.capabilities[event]?.[decision]?.how ?? 'none').not.toBe('none');
    }
  });
});
