import type { Pushed } from '@piton/checkpoints';
import type { SubscriptionEntry } from '@piton/contracts';
import type { Fired } from '../subscriptions/fired.ts';
import { type JournalRecord, RECORD } from './journal-record.ts';

/** An event that Piton emits, in the journal. */
export interface JournalledPitonEvent extends Fired {
  /** It has subscribers. The journal keeps it until they have run. */
  readonly waits: boolean;
}
export interface SubscriptionRuns {
  readonly id: string;
  readonly trace: readonly SubscriptionEntry[];
}

export interface PitonRecords {
  readonly events: JournalledPitonEvent[];
  readonly runs: SubscriptionRuns[];
  readonly pushes: Pushed[];
}

export const noPitonRecords = (): PitonRecords => ({ events: [], runs: [], pushes: [] });

/** Adds the record to `part` if it is one of these kinds. False otherwise. */
export function takePitonRecord(part: PitonRecords, { type, body }: JournalRecord): boolean {
  const list =
    type === RECORD.pitonEvent
      ? part.events
      : type === RECORD.subscriptionRuns
        ? part.runs
        : type === RECORD.push
          ? part.pushes
          : undefined;
  (list as unknown[] | undefined)?.push(JSON.parse(body.toString('utf8')));
  return list !== undefined;
}
