import type { CheckpointRequest } from './messages.ts';

/** How long somebody waits for the worker, and what is reported when they went on without it. */
export interface Patience {
  readonly afterMs: number;
  readonly what: string;
  readonly remedy: string;
}

export interface RequestPorts {
  readonly send: (request: CheckpointRequest) => void;
  readonly problem: (what: string, remedy: string) => void;
}

/** Requests that the worker has not answered yet. */
export class Requests {
  readonly #ports: RequestPorts;
  readonly #waiting = new Map<number, (why?: string) => void>();
  #next = 0;

  constructor(ports: RequestPorts) {
    this.#ports = ports;
  }

  /** Resolves when the worker is done with it, or when patience ends, with why not in that case; without patience it may take its time. */
  ask(requestFor: (id: number) => CheckpointRequest, patience: Patience | null): Promise<string | undefined> {
    const id = ++this.#next;
    return new Promise((resolve) => {
      const over = (why?: string): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(why);
      };
      const late = ({ what, remedy }: Patience): void => {
        this.#ports.problem(what, remedy);
        this.#ports.send({ kind: 'gave-up', id });
        over(what);
      };
      const timer = patience === null ? undefined : setTimeout(late, patience.afterMs, patience);
      this.#waiting.set(id, over);
      this.#ports.send(requestFor(id));
    });
  }

  /** `why` it could not be done, where that is so. */
  done(id: number, why?: string): void {
    this.#waiting.get(id)?.(why);
  }

  /** Nobody waits for a worker that is gone. */
  releaseAll(): void {
    for (const release of [...this.#waiting.values()]) release('the checkpoint thread ended');
  }
}
