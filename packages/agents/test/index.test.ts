import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENTS, agentFor, findAgent } from '../src/index.ts';

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

describe('an event that covers only a part of what its name says', () => {
  it('is one that the agent sends', () => {
    for (const { id, partial, capabilities } of AGENTS)
      for (const event of Object.keys(partial ?? {})) expect([id, Object.hasOwn(capabilities, event)]).toEqual([id, true]);
  });
  it('is named where no tool reads texts', () => {
    const blind = AGENTS.filter(({ tools, capabilities }) => {
      const readers = Object.entries(tools).filter(([, { kind }]) => kind === 'read');
      return capabilities.pre_read_file !== undefined && readers.every(([name]) => /image/.test(name));
    });
    expect(blind.map(({ id }) => id)).toEqual(AGENTS.filter(({ partial }) => partial?.pre_read_file !== undefined).map(({ id }) => id));
    expect(blind.map(({ id }) => id)).toEqual(['codex']);
  });
});

/** Every payload that was recorded of an agent, or that its vendor documents. */
function payloadsOf(id: string): { name: string; event: string; payload: unknown }[] {
  const folder = join(import.meta.dirname, '..', 'src', id, 'fixtures');
  const names = ['recorded', 'documented'].filter((kind) => existsSync(join(folder, kind)));
  return names
    .flatMap((kind) => readdirSync(join(folder, kind), { recursive: true, encoding: 'utf8' }).map((name) => join(kind, name)))
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const file = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { event?: string; stdin?: { hook_event_name?: string } };
      const payload = file.stdin ?? file;
      return { name, event: file.event ?? (payload as { hook_event_name?: string }).hook_event_name ?? 'unknown', payload };
    });
}

describe('who speaks through a registration', () => {
  it.each(AGENTS.map(({ id }) => [id]))('%s keeps every payload of its own', (id) => {
    const all = payloadsOf(id);
    expect(all.length).toBeGreaterThan(0);
    const taken = all.filter(({ event, payload }) => agentFor(id, payload, { nativeEvent: event, cwd: '/', variables: {} })?.id !== id);
    expect(taken.map(({ name }) => name)).toEqual([]);
  });
  it('is unknown for a registration of no agent', () => {
    expect(agentFor('nobody', {}, { nativeEvent: 'x', cwd: '/', variables: {} })).toBeUndefined();
  });
});
