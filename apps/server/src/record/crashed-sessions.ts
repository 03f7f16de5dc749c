import { createHash } from 'node:crypto';
import { ulid } from '@piton/contracts';
import type { Redactor } from '@piton/redact';
import type { SessionChange, SessionSummary, Store } from '@piton/store';
import { bootId } from '../process/boot-id.ts';
import { isRunning } from '../process/processes.ts';

/** People leave a session open overnight and continue the next morning. */
const SILENT_MS = 12 * 3_600_000;
const PAGE = 200;

/** Ctrl-C, a crash or a power cut sends no SessionEnd. A session that cannot continue is ended as crashed. */
export async function endCrashedSessions(
  store: Store,
  redactor: Redactor,
  now: number,
  onChange: (change: SessionChange) => void = () => {},
): Promise<void> {
  const boot = bootId();
  for (const phase of ['active', 'idle'] as const) {
    for await (const session of sessionsIn(store, phase)) {
      const why = whyDead(session, boot, now);
      if (why === undefined) continue;
      // The id is derived from the last event, so two servers record one crash once.
      const seed = createHash('sha256').update(`crash:${session.id}:${session.lastUs}`).digest();
      const id = ulid(Math.floor(session.lastUs / 1000), seed);
      const body = redactor.value({ why });
      const observation = {
        id,
        session: session.id,
        kind: 'crash',
        wallUs: BigInt(session.lastUs),
        body,
        redaction: redactor.version,
      } as const;
      const report = await store.observe(observation);
      if (report.ok) report.sessions.forEach(onChange);
    }
  }
}

/** Page by page: the sessions that were left open longest come last. */
async function* sessionsIn(store: Store, phase: SessionSummary['phase']): AsyncGenerator<SessionSummary> {
  let page = await store.sessions({ phase, limit: PAGE });
  while (page.length > 0) {
    yield* page;
    const last = page.at(-1) as SessionSummary;
    page = page.length < PAGE ? [] : await store.sessions({ phase, limit: PAGE, after: last });
  }
}

function whyDead(session: SessionSummary, boot: string, now: number): string | undefined {
  if (session.bootId !== '' && boot !== '' && session.bootId !== boot) return 'the machine was restarted';
  if (now - session.lastUs / 1000 < SILENT_MS || isRunning(session.ppid)) return undefined;
  return 'its agent is gone, and there was no event for twelve hours';
}
