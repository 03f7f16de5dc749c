import type { Agent, PortablePayload } from '@piton/contracts';
import type { AgentDriver, Workspace } from '@piton/testing';
import { afterAll, beforeAll } from 'vitest';
import { firedIn, payloadsReceived } from './hooks.ts';
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
  /** What hooks read in any of its runs. */
  readonly received: PortablePayload[];
}

/** Keeps what the hooks of a run heard, before its directories go. */
export function collect({ fired, received }: Tale, workspace: Workspace): void {
  for (const event of firedIn(workspace)) fired.add(event);
  received.push(...payloadsReceived(workspace));
}

const SESSIONS_LIMIT_MS = 900_000;

/** Runs sessions once, for all tests of a chapter. */
export function sessionsFor(tale: Tale, run: () => Promise<Sessions>): () => Sessions {
  let sessions: Sessions | undefined;
  beforeAll(async () => {
    sessions = await run();
    for (const room of sessions.rooms) collect(tale, room);
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
