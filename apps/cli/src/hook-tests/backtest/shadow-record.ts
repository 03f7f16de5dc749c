import type { HookDefinition } from '@piton/hooks';
import type { RecordedRun, Store } from '@piton/store';
import { subjectOf } from '../../events/row.ts';
import { openCallResults } from '../call-results.ts';
import { type BacktestCall, CHANGES_CALL } from './run.ts';

/** What a hook in shadow mode would have done, as recorded. */
export interface ShadowRecord {
  /** Null if it has not run in shadow mode yet. */
  readonly firstUs: number | null;
  readonly lastUs: number | null;
  readonly runs: number;
  readonly failures: number;
  /** What it would have denied, asked about or changed. */
  readonly calls: readonly BacktestCall[];
}

export const NO_RECORD: ShadowRecord = { firstUs: null, lastUs: null, runs: 0, failures: 0, calls: [] };

export async function readShadowRecord(store: Store, { id, root }: HookDefinition): Promise<ShadowRecord> {
  const runs = (await store.hookRuns({ hook: id, root })).filter(({ observed }) => observed);
  const resultOf = openCallResults(store);
  const calls: BacktestCall[] = [];
  for (const run of runs) {
    if (run.said === null || !CHANGES_CALL[run.said]) continue;
    const found = await store.event(run.eventId);
    if (found.found === 'one')
      calls.push({ ...callOf(run), session: found.value.session, subject: subjectOf(found.value), fate: await resultOf(found.value) });
  }
  return {
    firstUs: runs[0]?.wallUs ?? null,
    lastUs: runs.at(-1)?.wallUs ?? null,
    runs: runs.length,
    failures: runs.filter(({ failed }) => failed !== null).length,
    calls,
  };
}

const callOf = ({ eventId, agent, wallUs, said, note, durationMs, failed }: RecordedRun): BacktestCall => ({
  ...{ eventId, agent: agent ?? '', wallUs, session: null, subject: '', said: said ?? 'observe', reason: note, reachesAgent: true },
  ...{ ms: durationMs ?? 0, failure: failed, redacted: false, fate: null },
});
