import { closeSync, openSync, readFileSync } from 'node:fs';
import { type Frame, ulid } from '@piton/contracts';
import type { Line } from './call.ts';
import { sinceStart } from './clock.ts';
import type { Payload } from './payload.ts';
import { randomBytes } from './random.ts';
import { isTerminal } from './terminal.ts';

declare const PITON_VERSION: string;

/** One event as the agent gave it, and where and when that was. The clocks are those of our start, not of the end of stdin. */
export async function buildFrame(registration: Line, args: readonly string[], payload: Payload): Promise<Frame> {
  const env = process.env;
  const passed = sinceStart();
  const began = Date.now() - passed;
  return {
    agent: registration.agent,
    nativeEvent: registration.nativeEvent,
    scope: registration.scope,
    timeoutMs: registration.timeoutMs,
    args,
    stamp: ulid(Math.floor(began), await randomBytes(10)),
    bootId: bootId(),
    wallUs: BigInt(Math.round(began * 1000)),
    monotonicUs: process.hrtime.bigint() / 1000n - BigInt(Math.round(passed * 1000)),
    pid: process.pid,
    ppid: process.ppid,
    depth: depthOf(env.PITON_DEPTH),
    run: env.PITON_RUN ?? '',
    cwd: cwd(),
    terminal: (await isTerminal(0)) || (await isTerminal(1)) || (await isTerminal(2)) || ttyOpens(),
    truncated: payload.size > payload.bytes.length,
    resent: false,
    variables: variablesOf(registration.variables, env),
    sender: `client/${PITON_VERSION}`,
    canary: env.PITON_CANARY ?? '',
    payloadSize: payload.size,
    payload: payload.bytes,
  };
}

/** Those that the registration names, as far as they are set. */
export function variablesOf(names: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

export function depthOf(text = ''): number {
  const depth = Number.parseInt(text, 10);
  return depth > 0 && depth <= 0xffffffff ? depth : 0;
}

function cwd(): string {
  try {
    return process.cwd();
  } catch {
    return ''; // it was deleted
  }
}

function ttyOpens(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
