import { describe, expect, it } from 'vitest';
import { AGENTS, findAgent } from '../src/index.ts';
import { documentedFields, payloadTable } from '../src/payload-table.ts';
import { everyPayloadOf, payloadsOf } from './every-agent.ts';

describe.each(AGENTS.map((agent) => [agent.id, agent] as const))('the payloads of %s', (_id, agent) => {
  const rows = payloadTable(agent, payloadsOf(agent), everyPayloadOf(agent));
  it('have a row for every documented field of every event that was recorded', () => {
    const events = [...new Set(rows.map(({ event }) => event))];
    for (const event of events)
      expect(
        rows
          .filter((row) => row.event === event)
          .map(({ field }) => field)
          .sort(),
      ).toEqual([...(documentedFields(event) ?? [])].sort());
    expect(events).toEqual(expect.arrayContaining(['session_start', 'pre_tool_use', 'post_tool_use', 'stop']));
  });
});

describe('the table', () => {
  const rowOf = (agent: string, event: string, field: string) => {
    const found = findAgent(agent);
    return (
      found &&
      payloadTable(found, payloadsOf(found), everyPayloadOf(found)).find((row) => row.event === event && row.field === field)?.fidelity
    );
  };
  it('says of Claude Code that what it sends is exact', () => {
    const claude = findAgent('claude');
    const translated =
      claude && payloadTable(claude, payloadsOf(claude), everyPayloadOf(claude)).filter(({ fidelity }) => fidelity === 'translated');
    expect(translated?.map(({ event, field }) => `${event} ${field}`)).toEqual([]);
  });
  it.each([
    ['codex', 'post_tool_use', 'tool_response', 'translated'],
    ['copilot', 'session_start', 'source', 'translated'],
    ['codex', 'session_start', 'source', 'exact'],
    ['gemini', 'pre_tool_use', 'permission_mode', 'not told'],
    ['droid', 'stop', 'last_assistant_message', 'translated'],
    ['opencode', 'subagent_stop', 'agent_type', 'translated'],
  ])('%s, %s: %s is %s', (agent, event, field, fidelity) => expect(rowOf(agent, event, field)).toBe(fidelity));
  it('loses a row when a decoder loses a field', () => {
    const codex = findAgent('codex');
    if (!codex) throw new Error('no codex');
    const without: typeof codex = { ...codex, decode: (payload, context) => ({ ...codex.decode(payload, context), portable: {} }) };
    expect(payloadTable(without, payloadsOf(codex), everyPayloadOf(codex)).find(({ field }) => field === 'tool_response')?.fidelity).toBe(
      'not told',
    );
  });
});
