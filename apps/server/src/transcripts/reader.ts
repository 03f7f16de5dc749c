import { closeSync } from 'node:fs';
import type { Redactor } from '@piton/redact';
import type { Store, TranscriptHead, TranscriptMark } from '@piton/store';
import type { TranscriptCandidate } from './candidates.ts';
import { readDatabase, withLog } from './database.ts';
import { type OpenFile, openTranscript } from './file.ts';
import { LIMITS, type Limits } from './limits.ts';
import { type Remaining, redactEntries } from './redacted-entries.ts';
import { readWindow, tailOf } from './window.ts';

export interface ReaderPorts {
  readonly home: string;
  readonly redactor: Redactor;
  readonly reportProblem: (what: string, remedy: string) => void;
  readonly limits?: Limits;
}

/** Raised when more is read out of transcripts than before: those that were read by an older one are read again. 1: classes of tokens. */
export const READER = 1;

/** A refused file is reported once. At most this many are remembered. */
const MAX_REFUSED = 1000;

/** Reads what is new in transcripts, one piece per step, so that events can be stored in between. */
export class TranscriptReader {
  readonly #ports: ReaderPorts;
  readonly #limits: Limits;
  readonly #waiting = new Map<string, TranscriptCandidate>();
  readonly #refused = new Set<string>();

  constructor(ports: ReaderPorts) {
    this.#ports = ports;
    this.#limits = ports.limits ?? LIMITS;
  }

  enqueue(candidates: readonly TranscriptCandidate[]): void {
    for (const candidate of candidates) this.#waiting.set(`${candidate.session}\0${candidate.path}`, candidate);
  }

  get idle(): boolean {
    return this.#waiting.size === 0;
  }

  /** Reads one piece of one transcript. False when there is nothing more to read. */
  async step(store: Store): Promise<boolean> {
    const [next] = this.#waiting;
    if (next === undefined) return false;
    const [key, candidate] = next;
    this.#waiting.delete(key);
    const more = await this.#read(store, candidate);
    // Back to the end of the queue: a long transcript does not delay the others.
    if (more) this.#waiting.set(key, candidate);
    return this.#waiting.size > 0;
  }

  async #read(store: Store, candidate: TranscriptCandidate): Promise<boolean> {
    const result = openTranscript(candidate.path, this.#ports.home, candidate.agentPath);
    if (!result.ok) {
      if (result.refused !== null) this.#refuse(candidate, result.refused);
      return false;
    }
    try {
      const { opened } = result;
      return await this.#readOn(store, candidate, candidate.format.database ? withLog(candidate.path, opened) : opened);
    } finally {
      closeSync(result.opened.fd);
    }
  }

  async #readOn(store: Store, candidate: TranscriptCandidate, opened: OpenFile): Promise<boolean> {
    const { format, session } = candidate;
    const { redactor } = this.#ports;
    const path = redactor.text(candidate.path);
    const heads = await store.transcriptHeads(session);
    const known = heads.find((head) => head.path === path);
    if (known === undefined && heads.length >= this.#limits.transcripts) {
      this.#refuse(candidate, `${heads.length} transcripts of one session are kept at most`);
      return false;
    }
    if (known !== undefined && isUnchanged(known.mark, opened)) return false;
    const from = known !== undefined && continues(known.mark, opened) ? known.mark.consumed : 0;
    const window = format.database
      ? await readDatabase(candidate, this.#limits)
      : readWindow(opened, format, { from, memory: (from > 0 && known?.mark.memory) || '' }, this.#limits);
    if (window === null) return false;
    const { entries, next, over, note, memory } = window;
    const remaining = this.#remainingFor(heads, from === 0 ? undefined : known, path);
    const kept = redactEntries(entries, redactor, this.#limits, remaining, candidate.model);
    const mark: TranscriptMark = {
      file: opened.file,
      // After a partial read the file must be read again, whatever its size.
      size: over ? opened.size : next,
      modifiedMs: over ? opened.modifiedMs : 0,
      consumed: next,
      tail: tailOf(opened.fd, next),
      reader: READER,
      memory: redactor.text(memory),
    };
    // A file without a single entry in the agent's format is not its transcript: nothing of it is kept, not even its path.
    if (known === undefined && kept.entries.length === 0 && note === undefined) return false;
    const notes = redactor.value([...kept.notes, ...(note === undefined ? [] : [note])]);
    const agentId = candidate.agentId === null ? null : redactor.text(candidate.agentId);
    // What was dropped by age or by hand does not come back because somebody reads better now.
    const stored = known?.expired && known.mark.reader < READER ? kept.entries.filter(({ entry }) => entry.kind === 'usage') : kept.entries;
    const reading = { session, path, agentId, format: format.name, mark, entries: stored, notes, redaction: redactor.version };
    const report = await store.addTranscript(reading);
    if (!report.ok) throw new Error(report.error);
    return !over;
  }

  /** A transcript that is read from its beginning again replaces what was stored of it. */
  #remainingFor(heads: readonly TranscriptHead[], continued: TranscriptHead | undefined, path: string): Remaining {
    const read = continued?.characters ?? 0;
    const others = heads.reduce((sum, head) => (head.path === path ? sum : sum + head.characters), 0);
    return {
      characters: Math.min(this.#limits.sessionCharacters - others - read, this.#limits.transcriptCharacters - read),
      entries: this.#limits.entries - (continued?.entries ?? 0),
    };
  }

  #refuse({ path, agent }: TranscriptCandidate, why: string): void {
    const shown = this.#ports.redactor.text(path.slice(0, 300));
    if (this.#refused.has(shown) || this.#refused.size >= MAX_REFUSED) return;
    this.#refused.add(shown);
    this.#ports.reportProblem(
      `the transcript ${shown} of ${agent.title} is not read: ${why}`,
      'events are still recorded. See docs/export.md',
    );
  }
}

const isUnchanged = (mark: TranscriptMark, { file, size, modifiedMs }: OpenFile): boolean =>
  mark.reader === READER && mark.file === file && mark.size === size && mark.modifiedMs === modifiedMs;

const continues = (mark: TranscriptMark, { fd, file, size }: OpenFile): boolean =>
  mark.reader === READER && mark.file === file && size >= mark.consumed && tailOf(fd, mark.consumed) === mark.tail;
