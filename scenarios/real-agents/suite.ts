import { findAgent } from '@piton/agents';
import { EVENTS, type EventName } from '@piton/contracts';
import { type AgentDriver, describeReal } from '@piton/testing';
import { expect, test } from 'vitest';
import { atThePrompt, atTheStop, whenCompacting } from './boundaries.ts';
import { claimsOf, nameOf } from './cells.ts';
import { whenPitonIsDead } from './dead-server.ts';
import { openLedger } from './ledger.ts';
import { inOneSession } from './one-session.ts';
import { withoutPermission } from './permissions.ts';

/** The same stories for every agent: what its table claims must be seen. */
export function agentSuite(driver: AgentDriver): void {
  const { id } = driver.pinned;
  const agent = findAgent(id);
  if (!agent) throw new Error(`${id} has a driver and no folder in packages/agents`);
  const tale = { agent, driver, ledger: openLedger(agent, driver), fired: new Set<string>() };
  const { ledger, fired } = tale;
  describeReal(id, 'what its table claims', () => {
    inOneSession(tale);
    withoutPermission(tale);
    atThePrompt(tale);
    atTheStop(tale);
    whenCompacting(tale);
    whenPitonIsDead(tale);

    test('events reach hooks by their canonical names', () => {
      const claimed = new Set<EventName>(agent.events.filter(({ costly }) => costly === undefined).map(({ event }) => event));
      for (const event of EVENTS) {
        const silent = claimed.has(event) && event !== 'other' && !fired.has(event);
        if (fired.has(event)) ledger.heard(event);
        if (silent) ledger.unprovoked(event, 'observe', driver.unprovoked?.[event] ?? 'did not fire in these runs');
      }
      expect([...fired]).toEqual(expect.arrayContaining(['pre_tool_use', 'pre_shell_execution', 'pre_file_edit']));
    });

    test('nothing is claimed that no run has shown', () => {
      for (const cell of claimsOf(agent)) {
        const why = driver.unprovoked?.[`${cell.event}.${cell.decision}`] ?? driver.unprovoked?.[cell.event];
        if (why !== undefined && ledger.open().includes(nameOf(cell))) ledger.unprovoked(cell.event, cell.decision, why);
      }
      expect(ledger.open()).toEqual([]);
    });
  });
}
