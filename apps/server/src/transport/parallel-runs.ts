import { randomBytes } from 'node:crypto';
import { ulid } from '@piton/contracts';
import type { RunRequest, RunResult, Spawn } from '@piton/hooks';
import { type Link, LinkLost } from './connection.ts';

/** A child of the forwarder attaches at once, but not on a loaded machine. */
const ATTACH_TIMEOUT_MS = 30_000;
/** Commands of one event that run at the same time. Others wait. */
const MAX_PARALLEL = 8;

/** Runs the commands of one group in parallel, each on a forwarder that attaches for it: a forwarder runs one at a time. */
export class ParallelRuns {
  readonly #expected = new Map<string, (link: Link) => void>();

  /** False if no run waits for this ticket. */
  attach(ticket: string, link: Link): boolean {
    const accept = this.#expected.get(ticket);
    accept?.(link);
    return accept !== undefined;
  }

  /** Runs a single request on `link`. Of several at once, all but the last run on branches of it. */
  spawnOn(link: Link): Spawn {
    let requests: { request: RunRequest; run: (result: Promise<RunResult>) => void }[] = [];
    const begin = (): void => {
      const batch = requests;
      requests = [];
      const branched = batch.splice(0, Math.min(batch.length - 1, MAX_PARALLEL - 1));
      // A forwarder reads no messages while it runs a command, so the branches go first.
      for (const { request, run } of branched) run(this.#runOnBranch(link, request));
      for (const { request, run } of batch) run(link.spawn(request));
    };
    return (request) =>
      new Promise((run) => {
        if (requests.length === 0) setImmediate(begin);
        requests.push({ request, run });
      });
  }

  async #runOnBranch(trunk: Link, request: RunRequest): Promise<RunResult> {
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
      const late = setTimeout(() => reject(new LinkLost('no forwarder was available to run it')), ATTACH_TIMEOUT_MS);
      this.#expected.set(ticket, (link) => {
        clearTimeout(late);
        link.ack(true, true);
        resolve(link);
      });
      trunk.branch(ticket);
    }).finally(() => this.#expected.delete(ticket));
  }
}
