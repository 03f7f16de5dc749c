import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findTrustedProgram } from '@piton/contracts/programs';
import { type Environment, SETTING_ARGUMENTS, scrubbedEnvironment } from './environment.ts';

export interface GitPlace {
  /** Where git lies, asked before each start if it may move; without it, the first on the trusted part of `PATH`. */
  readonly program?: string | (() => string | undefined);
  readonly environment: Environment;
  readonly timeoutMs?: number;
}

export interface GitOptions {
  readonly cwd: string;
  readonly input?: Uint8Array | AsyncIterable<Uint8Array>;
  /** Set on top of the scrubbed environment; the only way a `GIT_*` variable gets in. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Aborted, git is killed, and the call rejects once git and what it started have ended. */
  readonly signal?: AbortSignal;
  /** Past this git is killed: code -1, and so much of its output. */
  readonly mostOutput?: number;
  /** Gets the output as it comes; then there is none in the result. */
  readonly onOutput?: (part: Buffer) => void;
}

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Undefined where no process came to be. */
  readonly pid?: number | undefined;
}

/** Runs git with these arguments. A git that cannot be started, or takes too long, has code -1. */
export type StartGit = (args: readonly string[], options: GitOptions) => Promise<GitResult>;

export const TIMEOUT_MS = 120_000;
/** How long a killed git and what it started may take to end. */
const MOST_ENDING_MS = 5000;

/** Never by its bare name: what a `PATH` finds first may have come with a repository. */
export function gitProgram({ program, environment }: GitPlace): string | undefined {
  if (typeof program === 'string') return program;
  return program === undefined ? findTrustedProgram('git', environment['PATH'] ?? '') : program();
}

export const NO_GIT: GitResult = { code: -1, stdout: Buffer.alloc(0), stderr: 'git is not on PATH, outside of working trees' };

export function gitStarter(place: GitPlace): StartGit {
  const base = scrubbedEnvironment(place.environment);
  return async (args, { cwd, input, environment, signal, mostOutput = Number.POSITIVE_INFINITY, onOutput }) => {
    const program = gitProgram(place);
    if (program === undefined) return NO_GIT;
    signal?.throwIfAborted();
    const child = spawn(program, [...SETTING_ARGUMENTS, ...args], {
      cwd,
      env: { ...base, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let room = mostOutput;
    child.stdout.on('data', (part: Buffer) => {
      if (onOutput !== undefined) return onOutput(part);
      stdout.push(part.length > room ? part.subarray(0, room) : part);
      room -= part.length;
      if (room < 0) {
        room = 0;
        end();
      }
    });
    child.stderr.on('data', (part: Buffer) => stderr.push(part));
    // A git that has read enough closes its end; what it thought of that is in its exit code.
    child.stdin.on('error', () => {});
    // Not spawn's own: where there is no git, that one keeps the process for as long as git would have had.
    const timeoutMs = place.timeoutMs ?? TIMEOUT_MS;
    let last: NodeJS.Timeout | undefined;
    // Git's children, such as `index-pack`, write on for a moment. They hold git's output open, so `close` comes after the last of them:
    // who removes a directory then meets nobody in it. One that hangs is left behind, for it may be anything that git was told to start.
    const end = () => {
      child.kill();
      last ??= setTimeout(
        () => {
          child.kill('SIGKILL');
          child.stdout.destroy();
          child.stderr.destroy();
        },
        Math.min(timeoutMs, MOST_ENDING_MS),
      );
    };
    const limit = setTimeout(end, timeoutMs);
    signal?.addEventListener('abort', end);
    const ended = new Promise<number>((resolve) => {
      child.on('error', (error) => {
        stderr.push(Buffer.from(String(error)));
        resolve(-1);
      });
      child.on('close', (code) => resolve(code ?? -1));
    }).finally(() => {
      signal?.removeEventListener('abort', end);
      clearTimeout(limit);
      clearTimeout(last);
    });
    try {
      await feed(child.stdin, input);
    } catch (error) {
      end();
      await ended;
      throw error;
    }
    const code = await ended;
    signal?.throwIfAborted();
    return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString(), pid: child.pid };
  };
}

async function feed(stdin: NodeJS.WritableStream & { destroyed?: boolean }, input: GitOptions['input']): Promise<void> {
  if (input instanceof Uint8Array) stdin.end(input);
  else if (input === undefined) stdin.end();
  else {
    for await (const part of input) {
      if (stdin.destroyed) return;
      if (!stdin.write(part)) await drained(stdin);
    }
    stdin.end();
  }
}

/** Or closed: one that has closed its end says why by its code and on stderr. Neither is listened for any longer than that. */
async function drained(stdin: NodeJS.WritableStream): Promise<void> {
  const over = new AbortController();
  const event = (name: string) => once(stdin, name, { signal: over.signal });
  await Promise.race([event('drain'), event('close')]).catch(() => {});
  over.abort();
}
