import { createHash } from 'node:crypto';
import { observedIn, readHandoff } from '@piton/context';
import { ulid } from '@piton/contracts';
import type { Redactor } from '@piton/redact';
import type { EventRecord, RecordedEvent, Store } from '@piton/store';

const MINUTE_US = 60_000_000;
const DAY_US = 86_400_000_000n;
/** Observations are forgotten after that, unless they are made again. */
const KEPT_DAYS = { works: 30n, fix: 90n } as const;
const MOST_ROWS = 300;

export interface SessionNotesPorts {
  readonly redactor: Redactor;
  /** How many minutes lie between two handoffs of a session. */
  readonly minutes: () => number;
}

/** What the recorder writes about sessions: a handoff when a turn or the session ends, and what commands have shown. */
export class SessionNotes {
  readonly #ports: SessionNotesPorts;

  constructor(ports: SessionNotesPorts) {
    this.#ports = ports;
  }

  /** After these events are stored. */
  async after(store: Store, batch: readonly EventRecord[], recorded: readonly RecordedEvent[]): Promise<void> {
    const sessions = new Map(recorded.map(({ eventId, session, did }) => [eventId, did === 'replayed' ? null : session]));
    const ended = new Map<string, EventRecord>();
    for (const record of batch) {
      const session = sessions.get(record.eventId);
      if (!session || record.derived || record.depth > 0) continue;
      // The end of a session is never taken back by a stop that comes late.
      if (isEnd(record) || (isStop(record) && !isEnd(ended.get(session)))) ended.set(session, record);
      if (record.ledger?.some(({ kind }) => kind === 'command')) await this.#observe(store, session, record);
    }
    for (const [session, record] of ended)
      if (isEnd(record) || (await this.#isDue(store, session, record))) await this.handoff(store, session, record.wallUs);
  }

  /** The gate goes by the forwarder's clock, as `receivedAt` does. */
  async #isDue(store: Store, session: string, { wallUs }: EventRecord): Promise<boolean> {
    const [last] = await store.observations({ session, kinds: ['handoff'], limit: 1 });
    return last === undefined || Number(wallUs) - last.wallUs >= this.#ports.minutes() * MINUTE_US;
  }

  async handoff(store: Store, session: string, wallUs: bigint): Promise<void> {
    const handoff = await readHandoff(store, session);
    if (handoff === null) return;
    const { redactor } = this.#ports;
    const id = idOf(`handoff\0${session}`);
    await store.observe({ id, session, kind: 'handoff', wallUs, body: redactor.value(handoff), redaction: redactor.version });
  }

  async #observe(store: Store, session: string, { eventId, wallUs, repo, envelope }: EventRecord): Promise<void> {
    const rows = await store.ledger({ session, limit: MOST_ROWS });
    const { redactor } = this.#ports;
    for (const { kind, key, holds, body } of observedIn(rows, eventId, repo ?? envelope.projectPath))
      await store.observe({
        ...{ id: idOf(`${kind}\0${key}`), session, kind, wallUs, redaction: redactor.version },
        body: redactor.value(body),
        expiresUs: holds ? wallUs + KEPT_DAYS[kind] * DAY_US : wallUs,
      });
  }
}

/** The same for the same thing, whoever writes it. Its first part is no time either, so that a few characters of it are unique. */
function idOf(what: string): string {
  const hash = createHash('sha256').update(what).digest();
  return ulid(hash.readUIntBE(0, 6), hash.subarray(6));
}

const isEnd = (record: EventRecord | undefined): boolean => record?.names.includes('session_end') === true;
const isStop = ({ names, agentId }: EventRecord): boolean => agentId === null && (names.includes('stop') || names.includes('stop_failure'));
