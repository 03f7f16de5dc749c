import { findAgent } from '@piton/agents';
import { type Agent, EVENTS, type EventName } from '@piton/contracts';
import { type AgentDriver, describeReal } from '@piton/testing';
import { expect, test } from 'vitest';
import { atThePrompt, atTheStop, whenCompacting, whenTheModelFails } from './boundaries.ts';
import { claimsOf, nameOf } from './cells.ts';
import { whatItCosts } from './cost.ts';
import { whenPitonIsDead } from './dead-server.ts';
import { openLedger } from './ledger.ts';
import { inOneSession } from './one-session.ts';
import { comparePayloads } from './payloads.ts';
import { withoutPermission } from './permissions.ts';
import { onATerminal } from './terminal.ts';

/** The same stories for every agent: what its table claims must be seen. */
export function agentSuite(driver: AgentDriver): void {
  const { id } = driver.pinned;
  const agent = findAgent(id);
  if (!agent) throw new Error(`${id} has a driver and no folder in packages/agents`);
  const tale = { agent, driver, ledger: openLedger(agent, driver), fired: new Set<string>(), received: [] };
  const { ledger, fired } = tale;
  describeReal(id, 'what its table claims', () => {
    inOneSession(tale);
    withoutPermission(tale);
    atThePrompt(tale);
    atTheStop(tale);
    whenCompacting(tale);
    whenTheModelFails(tale);
    onATerminal(tale);
    whenPitonIsDead(tale);
    whatItCosts(tale);

    test('hooks receive events by their canonical names', () => {
      const silent = expectedEvents(agent, driver).filter((event) => !fired.has(event));
      for (const event of EVENTS) if (fired.has(event)) ledger.heard(event);
      for (const event of silent) {
        const why = driver.unprovoked?.[event];
        if (why !== undefined) ledger.unprovoked(event, 'observe', why);
      }
      // What these runs cannot bring about is named in the driver, with the reason.
      expect(silent.filter((event) => driver.unprovoked?.[event] === undefined)).toEqual([]);
    });

    comparePayloads(tale);

    test('the capability table claims nothing that no run has shown', () => {
      for (const cell of claimsOf(agent)) {
        const why = driver.unprovoked?.[`${cell.event}.${cell.decision}`] ?? driver.unprovoked?.[cell.event];
        if (why !== undefined && ledger.open().includes(nameOf(cell))) ledger.unprovoked(cell.event, cell.decision, why);
      }
      expect(ledger.open()).toEqual([]);
    });
  });
}

/** What its native events and its tools let one expect. */
function expectedEvents({ events }: Agent, { tools }: AgentDriver): EventName[] {
  const native = events.filter(({ costly, event }) => costly === undefined && event !== 'other').map(({ event }) => event);
  const after = native.includes('post_tool_use');
  return [
    ...new Set<EventName>([
      ...native,
      'pre_shell_execution',
      'pre_file_edit',
      ...(after ? (['post_shell_execution', 'post_file_edit'] as const) : []),
      ...(tools.read ? (['pre_read_file'] as const) : []),
      ...(tools.mcp ? (['pre_mcp_execution'] as const) : []),
      ...(tools.mcp && after ? (['post_mcp_execution'] as const) : []),
      ...(tools.todo && after ? (['todo_update'] as const) : []),
    ]),
  ];
}
