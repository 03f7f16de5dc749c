import type { Todo } from '@piton/checkpoints';

/** What is known of a session's turn in one working tree. */
export interface SessionWork {
  turn: string | null;
  prompt: string;
  /** Settles when the way back is laid. */
  laid: Promise<unknown>;
  /** Settles when files can be read for it one by one. */
  begun: Promise<((file: string) => Promise<void>) | undefined>;
  /** Files that tools said they change. */
  touched: Set<string>;
  /** Something ran that says nothing of what it changes. */
  unknown: boolean;
  /** Null: what is on disk. */
  todos: readonly Todo[] | null;
}

/** Of a session that began before this server did, nobody knows what it has touched. */
export const newWork = (): SessionWork => ({
  ...{ turn: null, prompt: '', laid: Promise.resolve(), begun: Promise.resolve(undefined) },
  ...{ touched: new Set(), unknown: true, todos: null },
});

const MOST_SESSIONS = 1000;

/** Sessions come and go; those that were never ended are forgotten by age. */
export class Sessions<Known> {
  readonly #all = new Map<string, Known>();

  get(session: string): Known | undefined {
    return this.#all.get(session);
  }

  set(session: string, known: Known): void {
    this.#all.delete(session);
    this.#all.set(session, known);
    for (const oldest of this.#all.keys()) {
      if (this.#all.size <= MOST_SESSIONS) break;
      this.#all.delete(oldest);
    }
  }

  delete(session: string): void {
    this.#all.delete(session);
  }
}

export class Works {
  readonly #works = new Sessions<SessionWork>();

  of(key: string): SessionWork {
    const known = this.#works.get(key) ?? newWork();
    this.#works.set(key, known);
    return known;
  }

  /** A turn may end in a working tree where it did not begin, such as one that was moved meanwhile: nobody knows what it touched there. */
  ends(key: string, latest: Pick<SessionWork, 'turn' | 'prompt'> | undefined): SessionWork {
    const work = this.of(key);
    if (latest !== undefined && work.turn !== latest.turn) Object.assign(work, { ...latest, touched: new Set(), unknown: true });
    return work;
  }

  drop(key: string): void {
    this.#works.delete(key);
  }
}
