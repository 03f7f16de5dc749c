import type { Todo } from '../todos/todos.ts';
import type { TreeSession } from './messages.ts';

/** A session's turn in one working tree. Each has its own: the next prompt may come while the end of this one still waits in line. */
export interface TurnWork {
  /** Null where this server has not seen it begin, and has not looked yet. */
  turn: string | null;
  readonly prompt: string;
  /** From its beginning on. */
  readonly seen: boolean;
  /** Files that tools named as changed. */
  readonly touched: Set<string>;
  /** Something ran that says nothing of what it changes. */
  unknown: boolean;
}

/** What is known of a session in one working tree. */
export interface SessionWork {
  now: TurnWork;
  /** Whether there is a before-image of what it does next, or one is being saved. */
  hasImage: boolean;
  /** Null: what is on disk. */
  todos: readonly Todo[] | null;
}

/** Of a session that began before this server did, nobody knows what it has touched. */
const newWork = (): SessionWork => ({
  ...{ now: { turn: null, prompt: '', seen: false, touched: new Set(), unknown: true }, todos: null },
  hasImage: false,
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

export const keyOf = ({ directory, agent, session }: TreeSession): string => [directory, agent, session].join('\0');

export class Works {
  readonly #works = new Sessions<SessionWork>();

  of(key: string): SessionWork {
    const known = this.#works.get(key) ?? newWork();
    this.#works.set(key, known);
    return known;
  }

  begins(key: string, asked: Pick<TurnWork, 'turn' | 'prompt'>): SessionWork {
    const work = this.of(key);
    work.now = { ...asked, seen: true, touched: new Set(), unknown: false };
    return work;
  }

  /**
   * The turn that ends. It may end in a working tree where it did not begin, such as one that was moved meanwhile: nobody knows
   * what it touched there. An agent that is told to go on at its stop does so without a prompt: then another before-image is saved.
   */
  ends(key: string, latest: Pick<TurnWork, 'turn' | 'prompt'> | undefined): TurnWork {
    const work = this.of(key);
    const over =
      latest === undefined || work.now.turn === latest.turn
        ? work.now
        : { ...latest, seen: true, touched: new Set<string>(), unknown: true };
    work.now = { ...over, touched: new Set() };
    work.hasImage = false;
    return over;
  }

  /** Unless the session was asked again. */
  drop(key: string, { turn }: TurnWork): void {
    if (this.#works.get(key)?.now.turn === turn) this.#works.delete(key);
  }
}
