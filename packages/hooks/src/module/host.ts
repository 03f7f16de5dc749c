import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { RunResult } from '../answer.ts';
import type { HookEvent } from '../definition.ts';
import type { RunRequest } from '../hook-run.ts';

export interface HostOptions {
  /** What starts `module-host.mjs`, confined or not. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** It takes no more runs: it ended, or a run in it was late. */
  readonly retired: (host: Host) => void;
}

interface Run {
  begun: boolean;
  /** To be run elsewhere: this host ended before it began here. */
  readonly moved: () => void;
  readonly settle: (end: { stdout?: string; error?: string; late?: boolean; crash?: number }) => void;
}

/** What a module prints is kept for the case that it crashes, and no longer. */
const KEPT_OUTPUT = 4096;
/** What it printed last may come after its end, and a child of its own may hold the pipe. */
const LAST_WORDS_MS = 200;
/** Far more than an answer may have: a host cuts them before it sends them. */
const LONGEST_LINE = 2 ** 23;

/** One warm process that runs modules. It is never used again once a run in it was late: nobody knows what still runs there. */
export class Host {
  readonly #child: ChildProcess;
  readonly #pipe: Socket;
  readonly #runs = new Map<number, Run>();
  readonly #options: HostOptions;
  #next = 0;
  #output = '';
  #rest = '';
  #retired = false;

  constructor(options: HostOptions) {
    this.#options = options;
    const [command = '', ...args] = options.argv;
    this.#child = spawn(command, args, {
      cwd: '/',
      env: { ...options.env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#pipe = this.#child.stdio[3] as Socket;
    this.#pipe.setEncoding('utf8');
    this.#pipe.on('data', (chunk: string) => this.#receive(chunk));
    this.#pipe.on('error', () => undefined); // the exit that follows says all
    for (const stream of [this.#child.stdout, this.#child.stderr] as Socket[]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output = `${this.#output}${chunk}`.slice(-KEPT_OUTPUT);
      });
      stream.unref();
    }
    this.#child.once('exit', (code, by) => {
      this.#leave();
      const ended = (): void => (by === null ? this.#ended(`with code ${code}`, 1) : this.#ended(`by ${by}`, 128 + constants.signals[by]));
      const waited = setTimeout(ended, LAST_WORDS_MS);
      this.#child.once('close', () => {
        clearTimeout(waited);
        ended();
      });
    });
    this.#child.once('error', (error) => this.#ended(error.message, 126));
    this.#release();
  }

  get busy(): boolean {
    return this.#runs.size > 0;
  }

  /** Calls `moved` if the host ended before the run began: then it may run elsewhere, and only then. */
  run(request: RunRequest<HookEvent>, signal: AbortSignal | undefined, moved: () => void, ended: (result: RunResult) => void): void {
    const began = performance.now();
    const id = ++this.#next;
    const { hook, stdin, set: env, stdoutCap, stderrCap } = request;
    const rest = JSON.stringify({ module: hook.module, env, stdoutCap, stderrCap });
    // The payload is JSON already. An end of a line within it stands between its parts, where it means nothing.
    this.#pipe.write(`${id}{"payload":${stdin.replaceAll('\n', ' ')},${rest.slice(1)}\n`);
    // It wakes up meanwhile.
    this.#hold();
    const late = (): void => this.#late(id);
    const timer = setTimeout(late, Math.min(request.timeoutMs, 2 ** 31 - 1));
    signal?.addEventListener('abort', late, { once: true });
    const over = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', late);
      this.#runs.delete(id);
      this.#release();
    };
    this.#runs.set(id, {
      begun: false,
      moved: () => {
        over();
        moved();
      },
      settle: (end) => {
        over();
        ended(resultOf(end, request, performance.now() - began));
      },
    });
    if (signal?.aborted) late();
  }

  /** No new runs; those that have begun may end in their own time, then the process goes. */
  retire(): void {
    this.#leave();
    for (const run of [...this.#runs.values()]) if (!run.begun) run.moved();
    if (!this.busy) this.kill();
  }

  kill(): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // gone already
    }
  }

  #late(id: number): void {
    const run = this.#runs.get(id);
    if (run === undefined) return;
    this.#pipe.write(`${-id}\n`);
    run.settle({ late: true });
    this.retire();
  }

  #receive(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() as string;
    for (const line of lines) {
      const message = read(line);
      if (message === undefined) return this.#confused();
      const { id, begun, ...end } = message;
      const run = this.#runs.get(id);
      if (run === undefined) continue;
      if (begun) run.begun = true;
      else run.settle(end);
    }
    if (this.#rest.length > LONGEST_LINE) this.#confused();
    else if (this.#retired && !this.busy) this.kill();
  }

  /** A module can write to its host's descriptor: from then on no message can be trusted. */
  #confused(): void {
    this.#pipe.removeAllListeners('data');
    this.kill();
    this.#output = 'something other than the host wrote on descriptor 3';
    this.#ended('', 128 + constants.signals.SIGKILL);
  }

  #leave(): void {
    if (!this.#retired) this.#options.retired(this);
    this.#retired = true;
  }

  /** A code of the process is none of a hook: others may have run there, and 2 would be a deny. */
  #ended(how: string, exitCode: number): void {
    this.#leave();
    // The lines of V8 around these words help nobody.
    const error = /heap out of memory/.test(this.#output) ? 'it needs more memory than allowed' : this.#output.trim() || how;
    for (const run of [...this.#runs.values()]) {
      if (run.begun) run.settle({ crash: exitCode, error });
      else run.moved();
    }
  }

  /** A host that has nothing to do keeps nobody alive. */
  #release(): void {
    if (this.busy) return;
    this.#child.unref();
    this.#pipe.unref();
  }

  #hold(): void {
    this.#pipe.ref();
    this.#child.ref();
  }
}

interface Message {
  readonly id: number;
  readonly begun?: boolean;
  readonly stdout?: string;
  readonly error?: string;
}

/** What a host says, or undefined where it cannot have said so. */
function read(line: string): Message | undefined {
  try {
    const message = JSON.parse(line) as Message | null;
    const texts = [message?.stdout ?? '', message?.error ?? ''];
    return typeof message?.id === 'number' && texts.every((text) => typeof text === 'string') ? message : undefined;
  } catch {
    return undefined;
  }
}

function resultOf(
  { stdout = '', error, late = false, crash }: Parameters<Run['settle']>[0],
  request: RunRequest<HookEvent>,
  ms: number,
): RunResult {
  const text = Buffer.from(stdout);
  const words = Buffer.from(crash === undefined ? (error ?? '') : `the module host exited: ${error}`);
  return {
    exitCode: late ? -1 : (crash ?? (error === undefined ? 0 : 1)),
    timedOut: late,
    stdoutCut: text.length > request.stdoutCap,
    stderrCut: words.length > request.stderrCap,
    notStarted: false,
    durationUs: BigInt(Math.round(ms * 1000)),
    stdout: text.subarray(0, request.stdoutCap),
    stderr: words.subarray(0, request.stderrCap),
  };
}
