import { monotonicUs } from '@piton/contracts';
import { birthAt } from '../repositories/birth.ts';
import type { Awaited, CheckpointRequest } from './messages.ts';

/** How long somebody waits for the worker, and what is reported when they went on without it. */
export interface Patience {
  readonly afterMs: number;
  readonly what: string;
  readonly remedy: string;
}

/** A tool waits no longer than this for its before-image; then it runs without one, and that is reported. */
const TOOL_PATIENCE: Patience = {
  afterMs: 10_000,
  what: 'a tool started before the state before it was saved: that took longer than 10 s',
  remedy: 'check with `piton checkpoints`. The turn may have no checkpoint to rewind to',
};
/** Of a call that is over: what it named is shared then. */
const END_PATIENCE: Patience = {
  afterMs: TOOL_PATIENCE.afterMs,
  what: 'an agent went on before the files that its call named were read: that took longer than 10 s',
  remedy: 'lines of that call may be shared in `piton blame`',
};
/** A person waits for git, and a link that is missed is found again. */
export const GIT_PATIENCE: Patience = {
  afterMs: 2000,
  what: 'git continued before its hook was handled: that took longer than 2 s',
  remedy: 'run `piton checkpoints repair` to link the commit',
};

export interface RequestPorts {
  readonly send: (request: CheckpointRequest) => void;
  readonly problem: (what: string, remedy: string) => void;
  /** How long a tool waits for the state before it, and for its end to be read, if not as long as usual. */
  readonly toolPatienceMs?: number;
}

/** With what tells its working tree from another that is made in its place: it may wait in line for as long as that takes. */
export function placed(request: CheckpointRequest): CheckpointRequest {
  if (!('session' in request)) return request;
  const birth = birthAt(request.directory);
  return birth === null ? request : { ...request, birth };
}

/** The first reason, where several were asked. */
export const allOf = (asked: readonly Promise<string | undefined>[]): Promise<string | undefined> | null =>
  asked.length === 0 ? null : Promise.all(asked).then((all) => all.find((why) => why !== undefined));

/** Requests that the worker has not answered yet. */
export class Requests {
  readonly #ports: RequestPorts;
  readonly #waiting = new Map<number, (why?: string) => void>();
  #next = 0;

  constructor(ports: RequestPorts) {
    this.#ports = ports;
  }

  /** Resolves when the worker is done with it, or when patience ends, with why not in that case; without patience it may take its time. */
  ask(requestFor: (awaited: Awaited) => CheckpointRequest, patience: Patience | null): Promise<string | undefined> {
    const id = ++this.#next;
    // A timer counts from when its turn of the event loop began, and so may end early.
    const untilUs = monotonicUs() + BigInt(Math.floor((patience?.afterMs ?? 0) * 900));
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
      this.#ports.send(requestFor({ id, untilUs }));
    });
  }

  askForTool(requestFor: (awaited: Awaited) => CheckpointRequest): Promise<string | undefined> {
    const { toolPatienceMs: afterMs = TOOL_PATIENCE.afterMs } = this.#ports;
    return this.ask((awaited) => placed(requestFor(awaited)), { ...TOOL_PATIENCE, afterMs });
  }

  /** Never with a reason: nobody loses a way back. */
  askAtEnd(requestFor: (awaited: Awaited) => CheckpointRequest): Promise<undefined> {
    const { toolPatienceMs: afterMs = END_PATIENCE.afterMs } = this.#ports;
    return this.ask((awaited) => placed(requestFor(awaited)), { ...END_PATIENCE, afterMs }).then(() => undefined);
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
