import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Installed } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import type { Context } from '../context.ts';
import { canaryState, issueCanary } from '../server/client.ts';

export type Canary =
  | { readonly arrived: true; readonly eventId: string; readonly tookUs: number | null; readonly roundTripMs: number }
  | { readonly arrived: false; readonly why: string };

/** What an agent makes of a registration: the command that it runs, or why it runs none. */
export type AsRun = Installed['command'] | { readonly never: string };

const LIMIT_MS = 10_000;

/**
 * Runs an installed command line exactly as the agent does, with a token issued by the server, and asks the server whether the
 * token arrived.
 */
export async function sendCanary(places: Places, command: AsRun, { env, cwd }: Pick<Context, 'env' | 'cwd'>): Promise<Canary> {
  if ('never' in command) return { arrived: false, why: command.never };
  const issued = await issueCanary(places);
  if (!issued.ok) return { arrived: false, why: `the server did not issue a token: ${issued.error}` };
  const { token } = issued.value;
  const run = await runCommand(command, { ...env, PITON_CANARY: token }, cwd);
  if (run.failure) return { arrived: false, why: run.failure };
  for (const until = Date.now() + 2000; Date.now() < until; await sleep(20)) {
    const state = await canaryState(places, token);
    if (state.ok && state.value.arrived)
      return { arrived: true, eventId: state.value.eventId ?? '', tookUs: state.value.tookUs, roundTripMs: run.ms };
  }
  return {
    arrived: false,
    why: `the command ran (exit ${run.code}) but the server received nothing${run.stderr ? `: ${run.stderr}` : ''}`,
  };
}

interface Ran {
  readonly ms: number;
  readonly code: number | null;
  readonly stderr: string;
  readonly failure?: string;
}

function runCommand(command: Installed['command'], env: NodeJS.ProcessEnv, cwd: string): Promise<Ran> {
  const [program = '', ...args] = 'argv' in command ? command.argv : ['/bin/sh', '-c', command.shell];
  return new Promise((resolve) => {
    const started = performance.now();
    // By a name that is no UTF-8 it cannot be found: there the child is where we are.
    const child = spawn(program, args, { env, ...(existsSync(cwd) && { cwd }), stdio: ['pipe', 'ignore', 'pipe'] });
    let stderr = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    const end = (code: number | null, failure?: string): void => {
      clearTimeout(timer);
      resolve({ ms: performance.now() - started, code, stderr: stderr.trim().slice(0, 300), ...(failure && { failure }) });
    };
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString('utf8');
    });
    child.stdin.on('error', () => {}); // it need not read all of it
    child.on('error', (error) => end(null, `cannot run the command: ${error.message}`));
    child.on('exit', (code, signal) => (signal ? end(null, `the command did not exit within ${LIMIT_MS / 1000} s`) : end(code)));
    child.stdin.end(JSON.stringify({ piton_canary: true, cwd }));
  });
}
