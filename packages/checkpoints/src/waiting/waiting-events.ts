import { monotonicUs } from '@piton/contracts';
import { keptFilesIn } from '../kept/kept-files.ts';
import type { RawPath } from '../raw-path.ts';
import type { Held, HeldFiles } from '../snapshot/observe.ts';
import type { OpenTurn } from '../turns/turn-file.ts';

/** What a look has to know of events whose own turn in the line has not come. */
export interface Waiting {
  /** Files as they were at the first event that names them: what was done to them since belongs to that event, or to a later one. */
  held(): HeldFiles;
  /** Turns whose calls went on before anybody could look. */
  atWork(): readonly OpenTurn[];
  /** Grows with every call that goes on so. */
  news(): number;
  /** All that agents have sent until now is in the line. */
  allReceived(): Promise<void>;
}

export interface WaitingEvent {
  /** What was read of files in that moment. */
  readonly files?: ReadonlyMap<RawPath, Held>;
  /** Of a call. */
  readonly turn?: () => OpenTurn;
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
        // What stand-ins have kept is older than whatever this server has read.
        const kept = keptFilesIn(this.#home, root);
        const find = (path: RawPath): Held | undefined =>
          kept.get(path) ??
          events()
            .find(({ files }) => files?.has(path))
            ?.files?.get(path);
        return { get: find, keys: () => new Set([...kept.keys(), ...events().flatMap(({ files }) => [...(files?.keys() ?? [])])]).keys() };
      },
      atWork: () => {
        const now = monotonicUs();
        return events().flatMap((event) => (event.turn && isAtWork(event, now) ? [event.turn()] : []));
      },
      news: () => this.#news,
      allReceived: this.#allReceived,
    };
  }
}

const isAtWork = ({ goesOnUs }: WaitingEvent, nowUs: bigint): boolean => goesOnUs !== undefined && goesOnUs <= nowUs;
