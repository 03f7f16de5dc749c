import { randomBytes } from 'node:crypto';
import { ulid } from '@piton/contracts';
import type { RunRequest, RunResult, Spawn } from '@piton/hooks';
import { type Link, LinkLost } from './connection.ts';

/** A child of the forwarder's comes at once; on a loaded machine that may take a while. */
const COMES_WITHIN_MS = 30_000;
/** Of one event at the same time; what is more waits its turn. */
const MOST_BESIDE = 8;

/** Forwarders that are to come, so that commands of one group run side by side: each runs one at a time. */
export class ParallelRuns {
  readonly #expected = new Map<string, (link: Link) => void>();

  /** False where nobody waits under this ticket. */
  attach(ticket: string, link: Link): boolean {
    const come = this.#expected.get(ticket);
    come?.(link);
    return come !== undefined;
  }

  /** Runs on `link` what is asked for alone. What is asked for together goes to branches of it, the last to itself. */
  spawnOn(link: Link): Spawn {
    let asked: { request: RunRequest; run: (result: Promise<RunResult>) => void }[] = [];
    const begin = (): void => {
      const together = asked;
      asked = [];
      const beside = together.splice(0, Math.min(together.length - 1, MOST_BESIDE - 1));
      // A forwarder that runs something hears nothing: the branches go first.
      for (const { request, run } of beside) run(this.#runBeside(link, request));
      for (const { request, run } of together) run(link.spawn(request));
    };
    return (request) =>
      new Promise((run) => {
        if (asked.length === 0) setImmediate(begin);
        asked.push({ request, run });
      });
  }

  async #runBeside(trunk: Link, request: RunRequest): Promise<RunResult> {
    const link = await this.#branch(trunk);
    try {
      return await link.spawn(request);
    } finally {
      link.end();
    }
  }

  #branch(trunk: Link): Promise<Link> {
    const ticket = ulid(Date.now(), randomBytes(10));
    return new Promise<Link>((resolve, reject) => {
      const late = setTimeout(() => reject(new LinkLost('no forwarder was available to run it')), COMES_WITHIN_MS);
      this.#expected.set(ticket, (link) => {
        clearTimeout(late);
        link.ack(true, true);
        resolve(link);
      });
      trunk.branch(ticket);
    }).finally(() => this.#expected.delete(ticket));
  }
}
