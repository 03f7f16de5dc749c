interface OpenTurn {
  readonly turn: string;
  readonly prompt: string;
  /** Repositories in which it is at work. */
  readonly directories: Set<string>;
}

/** Sessions that end without a word must not add up. */
const MOST_SESSIONS = 256;

/** In which repositories a turn is at work: it begins in one, or in none, and may reach into others. */
export class OpenTurns {
  readonly #sessions = new Map<string, OpenTurn>();

  began(session: string, turn: string, prompt: string, directory: string | null): void {
    this.#sessions.delete(session);
    this.#sessions.set(session, { turn, prompt, directories: new Set(directory === null ? [] : [directory]) });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
  }

  /** The turn, where it reaches into this repository for the first time. */
  reaches(session: string, directory: string): Pick<OpenTurn, 'turn' | 'prompt'> | null {
    const open = this.#sessions.get(session);
    if (open === undefined || open.directories.has(directory)) return null;
    open.directories.add(directory);
    return open;
  }

  /** All of its repositories, and the one in which it ends. */
  directories(session: string, last: string | null): readonly string[] {
    const known = this.#sessions.get(session)?.directories ?? new Set<string>();
    return [...new Set([...known, ...(last === null ? [] : [last])])];
  }

  forget(session: string): void {
    this.#sessions.delete(session);
  }
}
