import type { EventRecord, Lookup, RecordReport, SessionDetail, Store } from '../../src/index.ts';

export interface OpenedForTest {
  readonly store: Store;
  /** Moves the clock that dates records, in ms. */
  readonly setNow: (ms: number) => void;
  readonly end: () => Promise<void>;
}

/** What each part of the suite works on: the store of the test that runs, and what nearly every test does with it. */
export interface Bench {
  readonly store: Store;
  setNow(ms: number): void;
  record(...batch: EventRecord[]): Promise<RecordReport>;
  session(ref?: string): Promise<SessionDetail>;
}

export const one = <T>(lookup: Lookup<T>): T => {
  if (lookup.found !== 'one') throw new Error(`found ${lookup.found}`);
  return lookup.value;
};

export const did = (report: RecordReport): string[] => (report.ok ? report.events.map((recorded) => recorded.did) : [report.problem]);
