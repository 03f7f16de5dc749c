import type { Agent } from '@piton/contracts';
import type { AgentDriver } from '@piton/testing';
import { afterAll, beforeAll } from 'vitest';
import type { Ledger } from './ledger.ts';
import type { Finding, Play } from './plays.ts';
import type { Sessions } from './session.ts';

/** What all chapters of one agent share. */
export interface Tale {
  readonly agent: Agent;
  readonly driver: AgentDriver;
  readonly ledger: Ledger;
  /** Events whose hooks ran in any of its runs. */
  readonly fired: Set<string>;
}

const SESSIONS_LIMIT_MS = 900_000;

/** Runs sessions once, for all tests of a chapter. */
export function sessionsFor({ fired }: Tale, run: () => Promise<Sessions>): () => Sessions {
  let sessions: Sessions | undefined;
  beforeAll(async () => {
    sessions = await run();
    for (const event of sessions.fired) fired.add(event);
  }, SESSIONS_LIMIT_MS);
  afterAll(() => sessions?.remove());
  return () => {
    if (!sessions) throw new Error('the session did not run');
    return sessions;
  };
}

export function findingOf(sessions: Sessions, plays: readonly Play[], play: Play | undefined): Finding {
  const seen = play && sessions.seen[plays.indexOf(play)];
  if (!play || !seen) throw new Error('this was not played');
  return play.judge(seen);
}
