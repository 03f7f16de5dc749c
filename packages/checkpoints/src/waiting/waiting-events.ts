import { monotonicUs } from '@piton/contracts';
import type { TurnAtWork } from '../authors/turns-at-work.ts';
import { filesOf, type KeptPlace, keptFilesIn, keptIn } from '../kept/kept-files.ts';
import type { RawPath } from '../raw-path.ts';
import type { Held, HeldFiles } from '../snapshot/observe.ts';

/** What a look has to know of events whose own turn in the line has not come. */
export interface Waiting {
  /** Files as they were at the first event that names them: what was done to them since belongs to that event, or to a later one. */
  held(): HeldFiles;
  /** Turns whose calls went on before anybody could look. */
  atWork(): readonly TurnAtWork[];
  /** Calls that are over, and have their end still in the line. */
  over(): readonly CallsOver[];
  /** Grows with every call that goes on so. */
  news(): number;
  /** All that agents have sent until now is in the line. */
  allReceived(): Promise<void>;
}

export interface CallsOver {
  readonly session: string;
  /** Null: all of the session's that are older than this. */
  readonly keys: readonly string[] | null;
  /** Of an event that was late. */
  readonly stamp?: string;
  readonly atMs: number;
  /** Whether what a look takes for this file is from before that end. Of others nobody knows who has changed them since. */
  readonly isRead: (path: RawPath) => boolean;
}

export interface WaitingEvent {
  /** What was read of files in that moment. */
  readonly files?: HeldFiles;
  /** When that was. Of an event: by its stamp, since a server that stalls goes on where it was. */
  readonly readMs?: number;
  /** Of the end of a call, or of a turn. */
  readonly over?: CallsOver;
  /** Of a call. */
  readonly turn?: () => TurnAtWork;
  /** When the call goes on, whether or not anybody has looked: on the machine's monotonic clock. */
  goesOnUs?: bigint;
}

/**
 * Events that wait in line, by working tree. Looks are made in the order of events, and may come late: without this one would find what
 * was done after events that are behind it.
 */
export class WaitingEvents {
  readonly #places = new Map<string, Set<WaitingEvent>>();
  readonly #home: string;
  readonly #allReceived: () => Promise<void>;
  #news = 0;

  constructor(home: string, allReceived: () => Promise<void>) {
    this.#home = home;
    this.#allReceived = allReceived;
  }

  /** Gives back what takes it out of the line. */
  add(directory: string, event: WaitingEvent): () => void {
    const events = this.#places.get(directory) ?? new Set();
    this.#places.set(directory, events.add(event));
    if (isAtWork(event, monotonicUs())) this.#news += 1;
    return () => {
      events.delete(event);
      if (events.size === 0 && this.#places.get(directory) === events) this.#places.delete(directory);
    };
  }

  /** It did not wait any longer. */
  goesOn(event: WaitingEvent): void {
    event.goesOnUs = 0n;
    this.#news += 1;
  }

  of(directory: string, root: string): Waiting {
    const events = (): WaitingEvent[] => [...(this.#places.get(directory) ?? [])];
    return {
      held: () => {
        // While this server stalled, stand-ins have kept what came after all that it had read, and before all that it reads now.
        const kept = keptFilesIn(this.#home, root);
        const find = (path: RawPath): Held | undefined => earlier(kept.get(path), firstOf(events(), path))?.held;
        return { get: find, keys: () => new Set([...kept.keys(), ...events().flatMap(({ files }) => [...(files?.keys() ?? [])])]).keys() };
      },
      atWork: () => {
        const now = monotonicUs();
        return events().flatMap((event) => (event.turn && isAtWork(event, now) ? [event.turn()] : []));
      },
      over: () => events().flatMap(({ over }) => over ?? []),
      news: () => this.#news,
      allReceived: this.#allReceived,
    };
  }
}

interface Reading {
  readonly held: Held;
  readonly readMs: number;
}

const earlier = (kept: Reading | undefined, read: Reading | undefined): Reading | undefined =>
  kept !== undefined && read !== undefined ? (read.readMs < kept.readMs ? read : kept) : (kept ?? read);

function firstOf(events: readonly WaitingEvent[], path: RawPath): Reading | undefined {
  for (const { files, readMs = Number.POSITIVE_INFINITY } of events) {
    const held = files?.get(path);
    if (held !== undefined) return { held, readMs };
  }
  return undefined;
}

/** Whether a stand-in has kept a file of a working tree before that event. */
export const isKeptUntil = (home: string, root: string, stamp: string, path: RawPath): boolean =>
  keptIn(home, root).some((one) => one.kept.stamp <= stamp && isKeptIn(one, path));

function isKeptIn(one: KeptPlace, path: RawPath): boolean {
  try {
    return filesOf(one).has(path);
  } catch {
    return false; // it is being taken up, or broken
  }
}

const isAtWork = ({ goesOnUs }: WaitingEvent, nowUs: bigint): boolean => goesOnUs !== undefined && goesOnUs <= nowUs;
