import type { TraceEntry } from '@piton/contracts';
import type { PageDecision, PageTrace } from '@piton/contracts/page';
import type { EventDetail, HookRun } from '@piton/store';
import { maybeText } from '../text.ts';

const OUTPUT = 2000;
const MAX_TRACE = 100;

/** What was decided at an event, by whom and how. Null where no hook had anything to do with it. */
export function decisionIn({ eventId, decision, reason, decidedBy, outcome, hookRuns }: EventDetail): PageDecision | null {
  if (decision === null && hookRuns.length === 0) return null;
  const before = outcome?.trace.filter((entry) => entry.did === 'ran' || entry.why !== 'no-match') ?? null;
  const later = hookRuns.filter(({ observed }) => observed);
  const trace =
    before === null
      ? hookRuns.map((run) => runRow(run))
      : [
          ...before.map((entry, at) => traceRow(entry, `${eventId}.${at}`)),
          ...later.filter((run) => !before.some(isRun(run))).map((run) => runRow(run)),
        ];
  return {
    decision: decision ?? 'observe',
    reason: reason ?? outcome?.decision.reason ?? null,
    by: decidedBy,
    trace: trace.slice(0, MAX_TRACE),
    unmatched: outcome === null ? 0 : (outcome.unmatched ?? 0) + outcome.trace.length - (before?.length ?? 0),
  };
}

const isRun = (run: HookRun) => (entry: TraceEntry) =>
  entry.did === 'ran' && entry.observed === true && entry.hook === run.hook && entry.event === run.event;

/** `of`: the event and the place in the trace, by which the whole output is found. */
function traceRow(entry: TraceEntry, of: string): PageTrace {
  const { hook, scope, did } = entry;
  const ran = did === 'ran' ? entry : null;
  return {
    ...{ hook, scope, did, why: did === 'skipped' ? entry.why : null, said: ran?.said.decision ?? null },
    ...{ exitCode: ran?.exitCode ?? null, failed: ran?.timedOut ?? ran?.failed ?? null },
    startedMs: ran?.startedUs === undefined ? null : ran.startedUs / 1000,
    ...{ durationMs: ran?.durationMs ?? null, observed: ran?.observed === true },
    note: entry.note ?? (ran !== null && 'reason' in ran.said ? (ran.said.reason ?? null) : null),
    stdout: maybeText(ran?.stdout, OUTPUT, `trace.stdout.${of}`),
    stderr: maybeText(ran?.stderr, OUTPUT, `trace.stderr.${of}`),
  };
}

const runRow = (run: HookRun): PageTrace => ({
  ...{ hook: run.hook, scope: run.scope, did: run.did, why: run.why as PageTrace['why'], said: run.said, exitCode: run.exitCode },
  failed: (run.timedOut ?? run.failed) as PageTrace['failed'],
  startedMs: run.startedUs === null ? null : run.startedUs / 1000,
  ...{ durationMs: run.durationMs, observed: run.observed, note: run.note, stdout: null, stderr: null },
});
