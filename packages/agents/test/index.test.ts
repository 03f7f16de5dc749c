import { describe, expect, it } from 'vitest';
import { AGENTS, findAgent } from '../src/index.ts';

describe('the list of agents', () => {
  it('has no two agents of one name', () => {
    const names = AGENTS.flatMap((agent) => [agent.id, ...agent.aliases]);
    expect(names).toEqual([...new Set(names)]);
  });
  it('finds an agent by id or alias, in any case', () => {
    expect(findAgent('claude')?.id).toBe('claude');
    expect(findAgent('Claude-Code')?.id).toBe('claude');
    expect(findAgent('nobody')).toBeUndefined();
  });
  it('takes up a session again by its id, as an argument of its own', () => {
    expect(findAgent('claude')?.resume('a b; c')).toEqual(['claude', '--resume', 'a b; c']);
  });
});
