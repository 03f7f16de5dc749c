import { closeSync, openSync, readFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { type Frame, ulid } from '@piton/contracts';
import type { Line } from './call.ts';
import type { Payload } from './payload.ts';
import { randomBytes } from './random.ts';

declare const PITON_VERSION: string;

/** One event as the agent gave it, and where and when that was. The clocks are those of our start, not of the end of stdin. */
export async function buildFrame(registration: Line, args: readonly string[], payload: Payload): Promise<Frame> {
  const env = process.env;
  const sinceStartUs = BigInt(Math.round(performance.now() * 1000));
  const variables: Record<string, string> = {};
  for (const name of registration.variables) {
    const value = env[name];
    if (value !== undefined) variables[name] = value;
  }
  return {
    agent: registration.agent,
    nativeEvent: registration.nativeEvent,
    scope: registration.scope,
    timeoutMs: registration.timeoutMs,
    args,
    stamp: ulid(Math.floor(performance.timeOrigin), await randomBytes(10)),
    bootId: bootId(),
    wallUs: BigInt(Math.round(performance.timeOrigin * 1000)),
    monotonicUs: process.hrtime.bigint() / 1000n - sinceStartUs,
    pid: process.pid,
    ppid: process.ppid,
    depth: depthOf(env.PITON_DEPTH),
    run: env.PITON_RUN ?? '',
    cwd: cwd(),
    terminal: isatty(0) || isatty(1) || isatty(2) || ttyOpens(),
    truncated: payload.size > payload.bytes.length,
    resent: false,
    variables,
    sender: `client/${PITON_VERSION}`,
    canary: env.PITON_CANARY ?? '',
    payloadSize: payload.size,
    payload: payload.bytes,
  };
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function depthOf(text = ''): number {
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
