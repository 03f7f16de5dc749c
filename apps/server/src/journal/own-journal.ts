import type { Pushed } from '@piton/checkpoints';
import type { SubscriptionEntry } from '@piton/contracts';
import type { Fired } from '../subscriptions/fired.ts';
import { type JournalRecord, RECORD } from './journal-record.ts';

/** One of Piton's own events in the journal. */
export interface JournalledOwn extends Fired {
  /** Somebody hears it: until that is done it must not be forgotten. */
  readonly waits: boolean;
}
export interface OwnRuns {
  readonly id: string;
  readonly trace: readonly SubscriptionEntry[];
}

export interface OwnPart {
  readonly events: JournalledOwn[];
  readonly runs: OwnRuns[];
  readonly pushes: Pushed[];
}

export const noOwnPart = (): OwnPart => ({ events: [], runs: [], pushes: [] });

/** Takes the record if it is of Piton's own. */
export function takeOwn(part: OwnPart, { type, body }: JournalRecord): boolean {
  const list = type === RECORD.own ? part.events : type === RECORD.ownRuns ? part.runs : type === RECORD.push ? part.pushes : undefined;
  (list as unknown[] | undefined)?.push(JSON.parse(body.toString('utf8')));
  return list !== undefined;
}
