import { existsSync } from 'node:fs';
import type { CanonicalEvent, Tool } from '@piton/contracts';

interface OpenTurn {
  /** Null where this server has not heard it begin. */
  readonly begun: Begun | null;
  /** Repositories in which it is at work. */
  readonly directories: Set<string>;
  /** Others, and the calls that named them and have not ended. */
  readonly visited: Map<string, Set<string>>;
}

export interface Begun {
  readonly turn: string;
  readonly prompt: string;
}

const UNNAMED = '\0';
const LONGEST_CALL = 4096;

/** Not all agents give their calls an id: then what it is called with tells one from another. '' where the end of a call does not say. */
export function callOf(tool: Pick<Tool, 'useId' | 'name' | 'input'> | undefined): string {
  if (tool === undefined || tool.useId !== undefined) return tool?.useId ?? '';
  const input = JSON.stringify(tool.input) ?? '{}';
  return input === '{}' ? '' : `${UNNAMED}${tool.name} ${input}`.slice(0, LONGEST_CALL);
}

/** One that has no id of its own. */
export const isUnnamedCall = (key: string): boolean => key.startsWith(UNNAMED);

/** One that no other call has. */
export const isOwnId = (key: string): boolean => key !== '' && !isUnnamedCall(key);

/** Sessions that end without a word must not add up. */
const MOST_SESSIONS = 256;

/** In which repositories a turn is at work: it begins in one, or in none, and may reach into others. */
export class TurnRepositories {
  readonly #sessions = new Map<string, OpenTurn>();
  readonly #leftOpen: (session: string) => readonly string[];

  /** Where a session is at work that began before this server did. */
  constructor(leftOpen: (session: string) => readonly string[]) {
    this.#leftOpen = leftOpen;
  }

  /** The other repositories in which the turn before it was: nobody tells of the end of one that was interrupted. */
  began(session: string, begun: Begun, directory: string | null): readonly string[] {
    const { directories, visited } = this.#of(session);
    this.#open(session, begun, directory === null ? [] : [directory]);
    return [...directories, ...visited.keys()].filter((each) => each !== directory);
  }

  /** The latest that this server has heard begin. */
  begunOf(session: string): Begun | null {
    return this.#sessions.get(session)?.begun ?? null;
  }

  /** The turn, where it reaches into this repository for the first time. */
  reaches(session: string, directory: string): Begun | null {
    const open = this.#of(session);
    if (open.directories.has(directory)) return null;
    open.directories.add(directory);
    // A command is at work there already, and its before-image is saved.
    return open.visited.delete(directory) ? null : open.begun;
  }

  /** A call names this repository: the turn is at work there until the call ends, and no longer. The turn, where that is news. */
  visits(session: string, directory: string, call: string): Begun | null {
    const open = this.#of(session);
    if (open.directories.has(directory)) return null;
    const calls = open.visited.get(directory);
    calls?.add(call);
    if (calls === undefined) open.visited.set(directory, new Set([call]));
    return calls === undefined ? open.begun : null;
  }

  /** The repositories that it leaves with this call. */
  leaves(session: string, call: string): readonly string[] {
    const { visited } = this.#of(session);
    const isIt = (each: string): boolean => each === call || (call === '' && isUnnamedCall(each));
    const left: string[] = [];
    for (const [directory, calls] of visited) {
      for (const each of [...calls].filter(isIt)) calls.delete(each);
      if (calls.size === 0) left.push(directory);
    }
    for (const directory of left) visited.delete(directory);
    return left;
  }

  /** Where its calls are followed. */
  at(session: string): readonly string[] {
    const { directories, visited } = this.#of(session);
    return [...directories, ...visited.keys()];
  }

  /** Of an event that is late: a repository that has been moved since may be back where the session was before. */
  placeOf({ sessionId, cwd }: Pick<CanonicalEvent, 'sessionId' | 'cwd'>, root: () => string | null): string | null {
    return existsSync(cwd) ? root() : (this.at(sessionId).find((each) => existsSync(each)) ?? null);
  }

  /** All of its repositories, and the one in which it ends. */
  ends(session: string, last: string | null): readonly string[] {
    const { directories, visited } = this.#of(session);
    const all = new Set([...directories, ...visited.keys(), ...(last === null ? [] : [last])]);
    visited.clear();
    return [...all];
  }

  #of(session: string): OpenTurn {
    return this.#sessions.get(session) ?? this.#open(session, null, this.#leftOpen(session));
  }

  #open(session: string, begun: Begun | null, directories: readonly string[]): OpenTurn {
    const open: OpenTurn = { begun, directories: new Set(directories), visited: new Map() };
    this.#sessions.delete(session);
    this.#sessions.set(session, open);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return open;
  }

  forget(session: string): void {
    this.#sessions.delete(session);
  }
}
