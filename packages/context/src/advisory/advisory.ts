import type { CanonicalEvent } from '@piton/contracts';
import type { FailureCause, LedgerEntry } from '@piton/store';
import { factsOf } from '../ledger/facts.ts';
import { quote } from '../text/quote.ts';

/** What happened, and what to do next. `RESETS`: when the limit ends, where the agent has said it. */
const ADVICE: Readonly<Record<FailureCause, readonly [what: string, next: string]>> = {
  'rate-limit': ['reached a rate limit', 'Wait RESETS, or continue in another agent: piton handoff'],
  outage: ['could not reach its model: an outage', 'Try again in a while, or continue in another agent: piton handoff'],
  context: ['has no room left in its context', 'Compact or clear the session: what it has done is recorded, and is given back'],
  billing: ['was refused for billing', 'Check the account, or continue in another agent: piton handoff'],
  login: ['is not logged in', 'Log in again, then repeat the prompt'],
  other: ['could not finish the turn', 'Repeat the prompt'],
};

type Failure = Extract<LedgerEntry, { kind: 'failure' }>;

/** For the person, never for the model: what to do after a turn that failed. Undefined for any other event. */
export function adviceOn(event: CanonicalEvent, title: string): string | undefined {
  if (event.event !== 'stop_failure' || event.agentId !== undefined) return undefined;
  const fact = factsOf(event, null).find(({ kind }) => kind === 'failure');
  return fact?.kind === 'failure' ? adviceAfter(fact, title) : undefined;
}

/** The same from the ledger, for whoever reads it later. */
export function adviceAfter(fact: Failure, title: string): string {
  const [what, next] = ADVICE[fact.cause];
  const until = fact.resetsAt === null ? 'for it to reset' : `until ${quote(fact.resetsAt, 60)}`;
  const said = fact.cause === 'other' && fact.text !== null ? `: ${quote(fact.text, 120)}` : '';
  return `Piton: ${title} ${what}${said}. ${next.replace('RESETS', until)}.`;
}
