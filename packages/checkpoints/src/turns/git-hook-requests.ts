import type { GitHookCall } from '../links/git-hook-call.ts';
import { birthAt } from '../repositories/birth.ts';
import type { Watched } from '../repositories/watched.ts';
import { GIT_PATIENCE, type Requests } from './requests.ts';

/** Hooks of git's that git waits for. */
const AWAITED: ReadonlySet<string> = new Set(['prepare-commit-msg', 'commit-msg', 'pre-push']);

interface GitHookPorts {
  readonly watched: Watched;
  readonly rootOf: (directory: string) => string | null;
}

export interface GitHookAsked<Delivery> {
  /** When git may go on. */
  readonly handled: Promise<void>;
  /** Once the work is done: what was delivered because of it. */
  readonly delivered: Promise<readonly Delivery[]>;
}

/** What the worker is asked for because of git's hooks, and what is delivered because of that. */
export class GitHookRequests<Delivery> {
  readonly #ports: GitHookPorts;
  readonly #requests: Requests;
  /** Of calls that are not answered yet. */
  readonly #deliveries = new Map<number, Delivery[]>();

  constructor(ports: GitHookPorts, requests: Requests) {
    this.#ports = ports;
    this.#requests = requests;
  }

  /** A message is marked, and a push noted, before git goes on; what follows a commit, git does not wait for. */
  ask(directory: string, call: GitHookCall): GitHookAsked<Delivery> {
    // A commit may be the first that is seen of a repository since it was moved: what waits for that commit must be found.
    const root = this.#ports.watched.any() ? this.#ports.rootOf(directory) : null;
    if (root !== null) this.#ports.watched.has(root);
    const birth = birthAt(root ?? directory);
    const deliveries: Delivery[] = [];
    const awaited = AWAITED.has(call.hook);
    let id = 0;
    const done = this.#requests
      .ask(
        (given) => {
          id = given.id;
          this.#deliveries.set(id, deliveries);
          return { kind: 'git', id, directory, ...(birth !== null && { birth }), ...call };
        },
        awaited ? GIT_PATIENCE : null,
      )
      .then(() => {})
      .finally(() => this.#deliveries.delete(id));
    return { handled: awaited ? done : Promise.resolve(), delivered: done.then(() => deliveries) };
  }

  /** `call`: of which hook the checkpoint came, or null. */
  deliver(call: number | null, deliveries: readonly Delivery[]): void {
    if (call !== null) this.#deliveries.get(call)?.push(...deliveries);
  }
}
