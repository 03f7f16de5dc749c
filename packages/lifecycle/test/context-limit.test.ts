import { AGENTS, findAgent } from '@piton/agents';
import {
  type Agent,
  type CanonicalEvent,
  type ContextLimit,
  contextLimitOf,
  isOverLimit,
  OBSERVE,
  type Reduced,
  startOf,
} from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { overLimit, withLimit } from '../src/context-limit.ts';

const claude = findAgent('claude') as Agent;
const eventOf = (agent: Agent, name: CanonicalEvent['event']): CanonicalEvent => {
  const nativeEvent = agent.events.find(({ event }) => event === name)?.name ?? name;
  return { ...agent.decode({ session_id: 's', cwd: '/' }, { nativeEvent, cwd: '/', variables: {} }), event: name, nativeEvent };
};
const saying = (content: string): Reduced => ({ ...OBSERVE, decision: 'replace', content });
const limited = (limit: ContextLimit): Agent => ({ ...claude, title: 'Agent', contextLimits: { any: limit } });
const encodedBy = (agent: Agent, name: CanonicalEvent['event'], reduced: Reduced) => {
  const event = eventOf(agent, name);
  return withLimit((decision) => agent.encode(event, decision, { attended: false }), reduced, overLimit(agent, event, reduced));
};
const CUT: ContextLimit = { size: 1000, unit: 'characters', longer: 'cut' };

describe('context that is longer than an agent takes', () => {
  it('is cut to what the agent takes, and model, person and trace are told', () => {
    const { answer, delivered } = encodedBy(limited(CUT), 'session_start', saying('é'.repeat(5000)));
    const { hookSpecificOutput, systemMessage } = JSON.parse(answer.stdout);
    const note = 'context of 5000 characters was cut: Agent takes 1000 characters at session_start';
    expect(hookSpecificOutput.additionalContext.length).toBeLessThanOrEqual(1000);
    expect(hookSpecificOutput.additionalContext).toMatch(/^é{800}/);
    expect(hookSpecificOutput.additionalContext).toContain(`[Piton: ${note}]`);
    expect(systemMessage).toBe(`Piton: ${note}`);
    expect(delivered).toEqual([{ decision: 'replace', how: 'degraded', note }]);
  });
  it('is sent whole where the agent shows a part by itself, and that is said', () => {
    const agent = limited({ size: 1000, unit: 'bytes', longer: { shows: 'the start and a file' } });
    const { answer, delivered } = encodedBy(agent, 'session_start', saying('é'.repeat(501)));
    expect(JSON.parse(answer.stdout)).toMatchObject({
      hookSpecificOutput: { additionalContext: 'é'.repeat(501) },
      systemMessage: 'Piton: context of 501 characters is over 1000 bytes: Agent shows the model the start and a file',
    });
    expect(delivered).toMatchObject([{ decision: 'replace', how: 'degraded' }]);
  });
  it('is not touched where it fits, and not where it is deferred: it is cut when it is delivered', () => {
    expect(encodedBy(limited(CUT), 'session_start', saying('x'.repeat(1000))).delivered).toEqual([{ decision: 'replace', how: 'now' }]);
    const deferred = encodedBy(limited(CUT), 'pre_compact', saying('x'.repeat(5000)));
    expect(deferred.deferred).toHaveLength(5000);
    expect(deferred.delivered).toMatchObject([{ decision: 'replace', how: 'deferred' }]);
  });
  it('takes nothing from a deny', () => {
    const { answer } = encodedBy(limited(CUT), 'pre_tool_use', {
      ...saying('x'.repeat(5000)),
      decision: 'deny',
      verdict: 'deny',
      reason: 'no',
    });
    expect(JSON.parse(answer.stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'deny', permissionDecisionReason: 'no' });
  });
});

describe('a text that is cut', () => {
  it.each([
    ['characters', 'a😀b', 2, 'a'],
    ['characters', 'a😀b', 3, 'a😀'],
    ['bytes', 'aéé', 2, 'a'],
    ['bytes', 'aéé', 3, 'aé'],
    ['bytes', 'a😀b', 4, 'a'],
    ['bytes', 'a😀b', 5, 'a😀'],
    ['bytes', 'abc', 3, 'abc'],
  ] as const)('ends with a whole character: %s of %s, %i', (unit, text, size, kept) => {
    expect(startOf(text, { unit, size })).toBe(kept);
    expect(isOverLimit(text, { unit, size, longer: 'cut' })).toBe(kept !== text);
  });
});

it('every agent that takes context says how much, or that a megabyte arrives', () => {
  for (const { contextLimits } of AGENTS) for (const limit of Object.values(contextLimits)) expect(limit.size).toBeGreaterThanOrEqual(1000);
  expect(contextLimitOf(claude.contextLimits, 'session_start')).toMatchObject({ size: 10_000 });
});
