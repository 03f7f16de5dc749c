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
  readonly #waiting = new Map<number, () => void>();
  #next = 0;

  constructor(ports: RequestPorts) {
    this.#ports = ports;
  }

  /** Resolves when the worker is done with it, or when patience ends; without patience it may take its time. */
  ask(requestFor: (id: number) => CheckpointRequest, patience: Patience | null): Promise<void> {
    const id = ++this.#next;
    return new Promise((resolve) => {
      const over = (isLate: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        if (isLate && patience) this.#ports.problem(patience.what, patience.remedy);
        resolve();
      };
      const timer = patience === null ? undefined : setTimeout(over, patience.afterMs, true);
      this.#waiting.set(id, () => over(false));
      this.#ports.send(requestFor(id));
    });
  }

  done(id: number): void {
    this.#waiting.get(id)?.();
  }

  /** Nobody waits for a worker that is gone. */
  releaseAll(): void {
    for (const release of [...this.#waiting.values()]) release();
  }
}
