import type { Agent, EventName, ProofRow } from '@piton/contracts';
import { type AgentDriver, keep } from '@piton/testing';
import { expect } from 'vitest';
import { type Cell, claimOf, claimsOf, nameOf } from './cells.ts';
import type { Finding } from './plays.ts';

/** What the runs of one agent have shown, against what its table claims. */
export interface Ledger {
  /** Fails unless the finding is what the table says; then it is a row. */
  enter(cell: Cell, finding: Finding): void;
  /** The event was heard: its hook ran. */
  heard(event: EventName): void;
  /** It could not be brought about, and why. */
  unprovoked(event: EventName, decision: ProofRow['decision'], why: string): void;
  promise(promise: string, how?: string): void;
  /** Claims of which nothing is known. */
  open(): string[];
}

const assertion = (): string => expect.getState().currentTestName ?? '';

export function openLedger(agent: Agent, driver: AgentDriver): Ledger {
  const rows: ProofRow[] = [];
  const who = { agent: agent.id, version: driver.pinned.version };
  const add = (said: Omit<ProofRow, 'assertion'>): void => {
    const row = { ...said, assertion: assertion() };
    rows.push(row);
    keep({ ...who, row });
  };
  return {
    enter(cell, finding) {
      const claim = claimOf(agent, cell);
      expect(finding, `${nameOf(cell)} is claimed as ${claim.how}`).toMatchObject({ honoured: true });
      // A deny of which the model never hears is not what a hook's author expects.
      if (claim.how === 'now' && cell.decision === 'deny' && finding.told !== undefined)
        expect(finding.told, `${nameOf(cell)} is claimed as now: the model must read the reason (else it is degraded)`).toBe(true);
      const unheard = finding.told === false ? 'the model does not read why' : undefined;
      if (cell.decision === 'ask') {
        const becomes = claim.how === 'degraded' ? claim.becomes : 'a deny, where nobody can answer';
        return add({ ...cell, result: 'degraded', how: [becomes, unheard].filter(Boolean).join('; ') });
      }
      if (claim.how === 'now') return add({ ...cell, result: 'verified', ...(unheard && { how: unheard }) });
      if (claim.how === 'deferred') return add({ ...cell, result: 'deferred', how: claim.until });
      if (claim.how === 'degraded') return add({ ...cell, result: 'degraded', how: claim.becomes });
    },
    heard: (event) => add({ event, decision: 'observe', result: 'verified' }),
    unprovoked: (event, decision, how) => add({ event, decision, result: 'not provoked', how }),
    promise(promise, how) {
      keep({ ...who, promise: { promise, ...(how && { how }), assertion: assertion() } });
    },
    open() {
      const known = new Set(rows.map(({ event, decision }) => `${event}-${decision}`));
      return claimsOf(agent)
        .map(nameOf)
        .filter((name) => !known.has(name));
    },
  };
}
