import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ForwarderHome } from './home.ts';

export interface Spawned {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Call {
  readonly agent?: string;
  readonly nativeEvent?: string;
  readonly scope?: string;
  readonly timeoutMs?: number;
  readonly variables?: string;
  readonly args?: readonly string[];
  /** Written and closed; `open` writes and leaves the pipe open. */
  readonly stdin?: string | Buffer;
  readonly open?: boolean;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export const registrationOf = (call: Call): string[] => [
  call.agent ?? 'claude',
  call.nativeEvent ?? 'PreToolUse',
  call.scope ?? 'user',
  String(call.timeoutMs ?? 20_000),
  call.variables ?? '-',
  ...(call.args ?? []),
];

/** What an agent does: spawns the registered line, writes the payload, reads the answer. */
export function forward(home: ForwarderHome, call: Call = {}): { readonly child: ChildProcess; readonly ended: Promise<Spawned> } {
  const child = spawn(home.forwarder, registrationOf(call), { cwd: call.cwd ?? home.root, env: call.env ?? process.env, stdio: 'pipe' });
  child.stdin.on('error', () => undefined); // who is refused early does not read
  if (call.stdin !== undefined) child.stdin.write(call.stdin);
  if (!call.open) child.stdin.end();
  return { child, ended: endOf(child) };
}

export const option = (home: ForwarderHome, ...args: string[]): Promise<Spawned> =>
  endOf(spawn(home.forwarder, args, { cwd: home.root, stdio: 'pipe' }));

export function endOf(child: ChildProcess): Promise<Spawned> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      child.stdin?.destroy();
      resolve({ code, signal, stdout: Buffer.concat(out).toString('latin1'), stderr: Buffer.concat(err).toString('latin1') });
    });
  });
}

export const silence: Spawned = { code: 0, signal: null, stdout: '', stderr: '' };

/** Waits for what another process does; the test's own time limit ends it. */
export async function until<T>(look: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Ended, also when whoever adopted it has not buried it yet: not every machine's first process does so at once. */
export function isGone(pid: number | string | undefined): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return true;
  }
}
