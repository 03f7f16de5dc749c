import { Worker } from 'node:worker_threads';
import { type CheckpointReport, type CheckpointRequest, type TrackerPorts, TurnTracker } from '@piton/checkpoints';
import type { Delivery } from '../subscriptions/subscriptions.ts';
import { CLOSE, type Receipt, type ThreadData } from './thread-data.ts';

export interface ThreadPorts extends Omit<TrackerPorts<Delivery>, 'home' | 'send'> {
  readonly script: string;
  readonly data: ThreadData;
  /** Settles once all that agents have sent so far has been read, and asked of the thread. */
  readonly allReceived: () => Promise<void>;
}

/** An idle thread ends after this time. The next prompt starts another. */
const IDLE_MS = 10 * 60_000;
/** An agent that was killed or closed in the middle of a turn is missed after this time. */
const GONE_MS = 5000;

/** Takes checkpoints on a separate thread: git is started often, and starting a process blocks the event loop. */
export class CheckpointThread {
  readonly turns: TurnTracker<Delivery>;
  readonly #ports: ThreadPorts;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #closed: (() => void) | undefined;
  readonly #sweep: NodeJS.Timeout;

  constructor(ports: ThreadPorts) {
    this.#ports = ports;
    this.turns = new TurnTracker({ ...ports, home: ports.data.home, send: (request) => this.#send(request) });
    this.#sweep = setInterval(() => this.turns.endGone(), GONE_MS).unref();
  }

  close(): Promise<void> {
    clearInterval(this.#sweep);
    if (this.#worker === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#closed = resolve;
      this.#send(CLOSE);
    });
  }

  #send(message: CheckpointRequest | typeof CLOSE): void {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
    this.#idle = setTimeout(() => this.#worker?.postMessage(CLOSE), IDLE_MS).unref();
  }

  #start(): Worker {
    const { script, data, problem } = this.#ports;
    const worker = new Worker(script, {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 256 },
    });
    worker.on('message', (report: CheckpointReport | Receipt) => {
      if (report.kind !== 'receipt') return this.turns.receive(report);
      // In order behind all that is asked by then.
      void this.#ports.allReceived().then(() => worker.postMessage(report));
    });
    worker.on('error', (error) =>
      problem(`the checkpoint thread failed: ${error.message}`, 'it is restarted. If this repeats, run piton doctor'),
    );
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      this.turns.workerGone();
      this.#closed?.();
    });
    worker.unref();
    return worker;
  }
}
