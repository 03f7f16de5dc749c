import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Exec, ExecResult } from '@piton/contracts';
import { type Capture, capture } from './capture.ts';
import { childEnvironment, type Environment } from './environment.ts';
import { openPipes, type Pipes } from './pipes.ts';
import { killTree, MARK } from './process-tree.ts';
import { directoryFailure, type StartFailure, startFailure } from './start-failure.ts';

export interface RunOptions {
  /** Ends the command at once, as if its time were up. */
  readonly signal?: AbortSignal;
  /** What the command inherits: the own environment unless said. */
  readonly environment?: Environment;
  /** Gets the process group once the command runs, so that the caller can pass signals on. */
  readonly onStart?: (group: number) => void;
}

/** How long the output of descendants is still taken after the command itself has ended. */
const LEFTOVER_MS = 100;
/** A killed process can hang in the kernel; the answer does not wait for that. */
const BURIAL_MS = 2000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs one command as `docs/protocol.md` says under "Running a command". Never throws. */
export async function runCommand(exec: Exec, options: RunOptions = {}): Promise<ExecResult> {
  const began = process.hrtime.bigint();
  const mark = randomUUID();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), Math.min(exec.timeoutMs, LONGEST_TIMER_MS));
  const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal;
  const environment = { ...childEnvironment(options.environment ?? process.env, exec.set, exec.unset), [MARK]: mark };
  try {
    const started = directoryFailure(exec.cwd) ?? (await start(exec, environment));
    if ('reason' in started) return notStarted(exec, started, began);
    options.onStart?.(started.pid);
    const ended = await end(started, mark, signal);
    const [stdout, stderr] = [started.stdout.take(), started.stderr.take()];
    started.close();
    return {
      id: exec.id,
      exitCode: ended.exitCode,
      timedOut: ended.killed,
      stdoutCut: stdout.cut,
      stderrCut: stderr.cut,
      notStarted: false,
      durationUs: (process.hrtime.bigint() - began) / 1000n,
      stdout: stdout.bytes,
      stderr: stderr.bytes,
    };
  } finally {
    clearTimeout(timer);
  }
}

interface Started {
  readonly pid: number;
  readonly exit: Promise<number>;
  readonly stdout: Capture;
  readonly stderr: Capture;
  close(): void;
}

async function start(exec: Exec, env: Record<string, string>): Promise<Started | StartFailure> {
  const [command, ...args] = exec.argv;
  if (command === undefined || command === '') return startFailure('empty command', { code: 'ENOENT' });
  const pipes = await openPipes(exec.stdin);
  let child = await launch(command, args, exec.cwd, env, pipes);
  // A script without #!, as every shell takes it. With glibc this has happened already, with musl it has not.
  if ('error' in child && child.error.code === 'ENOEXEC') child = await launch('/bin/sh', [command, ...args], exec.cwd, env, pipes);
  if ('error' in child) {
    pipes.close();
    return startFailure(command, child.error);
  }
  child.on('error', () => undefined);
  const { pid } = child;
  const started = child;
  const exit = new Promise<number>((resolve) => started.once('exit', (code, name) => resolve(exitCodeOf(code, name))));
  const { stdout, stderr, close } = pipes.attach(child);
  return { pid, exit, stdout: capture(stdout, exec.stdoutCap), stderr: capture(stderr, exec.stderrCap), close };
}

type Launched = (ChildProcess & { readonly pid: number }) | { readonly error: NodeJS.ErrnoException };

async function launch(command: string, args: readonly string[], cwd: string, env: Record<string, string>, pipes: Pipes): Promise<Launched> {
  try {
    // `detached` is setsid: a session of its own, where the C forwarder makes only a group (setpgid), which Node cannot.
    const child = spawn(command, args, { ...(cwd !== '' && { cwd }), env, stdio: pipes.stdio, detached: true, windowsHide: true });
    if (child.pid !== undefined) return child as ChildProcess & { readonly pid: number };
    return { error: await new Promise<Error>((resolve) => child.once('error', resolve)) };
  } catch (error) {
    return { error: error as Error };
  }
}

/** Node knows no name for the real-time signals and reports such an end as 0: the one case that only the C forwarder reports right. */
function exitCodeOf(code: number | null, name: NodeJS.Signals | null): number {
  return name === null ? (code ?? 0) : 128 + constants.signals[name];
}

async function end(started: Started, mark: string, signal: AbortSignal): Promise<{ exitCode: number; killed: boolean }> {
  const cut = new Promise<'cut'>((resolve) => {
    if (signal.aborted) resolve('cut');
    signal.addEventListener('abort', () => resolve('cut'), { once: true });
  });
  const first = await Promise.race([started.exit, cut]);
  if (first === 'cut') {
    await killTree(started.pid, mark);
    await within(BURIAL_MS, started.exit);
  }
  await within(LEFTOVER_MS, Promise.all([started.stdout.ended, started.stderr.ended]));
  return first === 'cut' ? { exitCode: -1, killed: true } : { exitCode: first, killed: false };
}

async function within(limitMs: number, done: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const limit = sleep(limitMs, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([done, limit]);
  timer.abort();
  // On a busy machine the timer may be due before the loop has read what was there all along.
  await turn();
  await turn();
}

function notStarted(exec: Exec, failure: StartFailure, began: bigint): ExecResult {
  return {
    id: exec.id,
    exitCode: failure.exitCode,
    timedOut: false,
    stdoutCut: false,
    stderrCut: false,
    notStarted: true,
    durationUs: (process.hrtime.bigint() - began) / 1000n,
    stdout: Buffer.alloc(0),
    stderr: Buffer.from(failure.reason),
  };
}
