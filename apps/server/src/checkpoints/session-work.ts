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

/** Sessions come and go; those that were never ended are forgotten by age. */
const MOST_SESSIONS = 1000;

export class Works {
  readonly #works = new Map<string, SessionWork>();

  of(key: string): SessionWork {
    const known = this.#works.get(key) ?? newWork();
    this.#works.delete(key);
    this.#works.set(key, known);
    for (const oldest of this.#works.keys()) {
      if (this.#works.size <= MOST_SESSIONS) break;
      this.#works.delete(oldest);
    }
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
