import { describe, expect, it } from 'vitest';
import { AGENTS } from '../src/index.ts';
import { payloadsOf } from './every-agent.ts';

describe('a payload that another registration brought', () => {
  it.each(AGENTS.map((agent) => [agent.id, agent] as const))('of %s is claimed by no other agent', (id, agent) => {
    const claimed = payloadsOf(agent).flatMap(({ name, payload, context }) =>
      AGENTS.filter((other) => other.id !== id && other.claims?.(payload, context)).map((other) => `${name} by ${other.id}`),
    );
    expect(claimed).toEqual([]);
  });
});
