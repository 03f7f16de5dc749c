import { Worker } from 'node:worker_threads';
import type { RunResult } from '@piton/hooks';
import type { SubscriptionRequest } from './run.ts';

/** An idle thread ends after this time. The next event starts another. */
const IDLE_MS = 10 * 60_000;

export interface ToRunner extends Omit<SubscriptionRequest, 'hook'> {
  readonly id: number;
}
export interface FromRunner {
  readonly id: number;
  readonly result: RunResult;
}

export interface Runner {
  run(request: Omit<SubscriptionRequest, 'hook'>): Promise<RunResult>;
}

/** Starts commands on a separate thread: starting a process blocks the event loop. */
export function createRunner(script: string, environment: Readonly<Record<string, string>>): Runner {
  const waiting = new Map<number, { resolve: (result: RunResult) => void; reject: (error: Error) => void }>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let next = 0;

  function start(): Worker {
    const thread = new Worker(script, {
      workerData: { environment },
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 },
    });
    thread.on('message', ({ id, result }: FromRunner) => {
      waiting.get(id)?.resolve(result);
      waiting.delete(id);
    });
    const lost = (error: Error): void => {
      if (worker === thread) worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    thread.on('error', lost);
    thread.on('exit', () => lost(new Error('the thread that ran it ended')));
    thread.unref();
    return thread;
  }

  return {
    run(given) {
      // A definition may hold functions, which no thread can be sent.
      const { hook: _, ...request } = given as SubscriptionRequest;
      clearTimeout(idle);
      worker ??= start();
      const thread = worker;
      const id = ++next;
      return new Promise<RunResult>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        thread.postMessage({ ...request, id } satisfies ToRunner);
      }).finally(() => {
        if (waiting.size === 0) idle = setTimeout(() => void thread.terminate(), IDLE_MS).unref();
      });
    },
  };
}
