import type { Agent, Envelope, Frame } from '@piton/contracts';
import type { Spawn } from '@piton/hooks';
import { isCommand, type PreparedFrame } from '@piton/lifecycle';
import { LinkLost } from './connection.ts';

const ATTACH_MS = 30_000;

export type FrameClock = Pick<Frame, 'wallUs' | 'monotonicUs' | 'bootId'>;

/** Envelopes whose hooks a forwarder has to run: each waits for it, for a while. */
export class WaitingEnvelopes {
  readonly #waiting = new Map<string, { prepared: PreparedFrame; expiry: NodeJS.Timeout }>();
  readonly #expired: (stamp: string) => void;

  constructor(expired: (stamp: string) => void) {
    this.#expired = expired;
  }

  add(stamp: string, prepared: PreparedFrame): void {
    const expiry = setTimeout(() => this.#waiting.delete(stamp) && this.#expired(stamp), ATTACH_MS).unref();
    this.#waiting.set(stamp, { prepared, expiry });
  }

  take(stamp: string): PreparedFrame | undefined {
    const found = this.#waiting.get(stamp);
    clearTimeout(found?.expiry);
    this.#waiting.delete(stamp);
    return found?.prepared;
  }
}

export const hasCommands = ({ deciding, observing }: PreparedFrame): boolean => [...deciding, ...observing].some(isCommand);

/** For events whose hooks are all modules: there is nothing for a forwarder to run. */
export const noCommand: Spawn = () => Promise.reject(new LinkLost('nothing to run'));

export function frameOfEnvelope(envelope: Envelope, agent: Agent, stamp: string, clock: FrameClock): Frame {
  const payload = Buffer.from(JSON.stringify(envelope.payload ?? null));
  return {
    agent: agent.id,
    nativeEvent: agent.events.find((native) => native.event === envelope.event)?.name ?? envelope.event,
    scope: 'envelope',
    timeoutMs: ATTACH_MS,
    args: [],
    stamp,
    ...clock,
    pid: 0,
    ppid: 0,
    depth: 0,
    run: '',
    cwd: envelope.projectPath,
    terminal: false,
    truncated: false,
    resent: false,
    variables: {},
    sender: 'envelope',
    canary: '',
    payloadSize: payload.length,
    payload,
  };
}
