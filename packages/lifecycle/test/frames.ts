import { AGENTS } from '@piton/agents';
import type { Agent, Frame } from '@piton/contracts';

export const [known] = AGENTS as readonly [Agent];

/** A frame as the forwarder sends it, with defaults for what a test does not set. */
export function frame(payload: object | string, more: Partial<Frame> = {}): Frame {
  const bytes = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  return {
    agent: known.id,
    nativeEvent: 'UserPromptSubmit',
    scope: 'project',
    timeoutMs: 30_000,
    args: [],
    stamp: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    wallUs: 1n,
    monotonicUs: 1n,
    bootId: 'b',
    pid: 1,
    ppid: 1,
    depth: 0,
    run: '',
    cwd: '/',
    terminal: false,
    variables: {},
    payload: bytes,
    payloadSize: bytes.length,
    truncated: false,
    sender: 'test',
    resent: false,
    canary: '',
    ...more,
  };
}
