import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { type Frame, ulid } from '@piton/contracts';
import { randomBytes } from './random.ts';
import type { PluginEvent } from './send-event.ts';

declare const PITON_VERSION: string;

/** One event as a plugin sends it. Both process ids are the agent's: it is the parent of what would have been a forwarder. */
export async function buildFrame({ registration, payload, cwd }: PluginEvent): Promise<Frame> {
  const { agent, nativeEvent, scope, timeoutMs } = registration;
  const now = Date.now();
  return {
    agent,
    nativeEvent,
    scope,
    timeoutMs,
    args: [],
    stamp: ulid(now, await randomBytes(10)),
    bootId: bootId(),
    wallUs: BigInt(now) * 1000n,
    // Bun counts from the start of its process, not of the machine: the server knows better.
    monotonicUs: 0n,
    pid: process.pid,
    ppid: process.pid,
    depth: depthOf(process.env.PITON_DEPTH),
    run: process.env.PITON_RUN ?? '',
    cwd,
    terminal: isatty(0) || isatty(1) || isatty(2),
    truncated: false,
    resent: false,
    runsNothing: true,
    variables: variablesOf(registration.variables, process.env),
    sender: `plugin/${PITON_VERSION}`,
    canary: '',
    payloadSize: payload.length,
    payload,
  };
}

/** Those that the registration names, as far as they are set. */
function variablesOf(names: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
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
