import type { Envelope, EventName, Outcome, TraceEntry } from '@piton/contracts';
import { namesFor, OBSERVE, ulid } from '@piton/contracts';
import { createRedactor } from '@piton/redact';
import type { EventRecord, RecordedTool } from '../src/index.ts';

export const redactor = createRedactor({ key: Buffer.alloc(32, 5) });
export const BASE_MS = Date.UTC(2026, 0, 5, 12);

/** The n-th event's stamp; events of one test differ by n alone. */
export const stampOf = (n: number): string => {
  const random = Buffer.alloc(10);
  random.writeUInt32BE(n, 6);
  return ulid(BASE_MS + n, random);
};

/** Short texts of the agent's. */
type Said = 'source' | 'agentId' | 'parentRef' | 'transcriptPath' | 'model' | 'branch';

export interface Given extends Partial<Omit<EventRecord, 'tool' | 'prompt' | 'envelope' | 'outcome' | 'text' | Said>> {
  readonly event?: EventName;
  readonly agent?: string;
  readonly session?: string;
  readonly cwd?: string;
  readonly payload?: unknown;
  readonly prompt?: string;
  readonly text?: string;
  readonly source?: string;
  readonly agentId?: string;
  readonly parentRef?: string;
  readonly transcriptPath?: string;
  readonly model?: string;
  readonly branch?: string;
  readonly tool?: Partial<RecordedTool>;
  readonly outcome?: Outcome;
}

/** A whole record of which a test names only what it is about. */
export function event(n: number, given: Given = {}): EventRecord {
  const {
    event: name = 'notification',
    agent = 'claude',
    session = 'ref-1',
    cwd = '/home/me/x',
    payload,
    prompt,
    text,
    tool,
    outcome,
    source,
    agentId,
    parentRef,
    transcriptPath,
    model,
    branch,
    ...rest
  } = given;
  const said = (value: string | undefined) => (value === undefined ? null : redactor.text(value));
  const envelope: Envelope = {
    schemaVersion: 1,
    provider: agent,
    event: name,
    providerRef: session,
    projectPath: cwd,
    receivedAt: new Date(BASE_MS + n).toISOString(),
    payload: payload ?? { session_id: session, n },
  };
  const whole: RecordedTool | null = tool
    ? { name: 'Bash', nativeName: 'Bash', kind: 'shell', useId: null, command: null, files: [], ...tool }
    : null;
  return {
    eventId: stampOf(n),
    nativeEvent: name,
    via: `${agent}:${name}:user`,
    late: false,
    derived: false,
    parentId: null,
    depth: 0,
    run: '',
    bootId: 'boot-a',
    monotonicUs: BigInt(n) * 1000n,
    wallUs: BigInt(BASE_MS + n) * 1000n,
    pid: 100,
    ppid: 99,
    terminal: false,
    truncated: false,
    payloadSize: 10,
    sender: 'forwarder/0.1.0',
    canary: false,
    names: namesFor(name, whole?.kind),
    tool: whole && redactor.value(whole),
    prompt: said(prompt),
    source: said(source),
    agentId: said(agentId),
    parentRef: said(parentRef),
    transcriptPath: said(transcriptPath),
    text: said(text),
    model: said(model),
    problems: redactor.value([]),
    repo: null,
    branch: said(branch),
    envelope: redactor.value(envelope),
    outcome: outcome ? redactor.value(outcome) : null,
    serverUs: 120,
    redaction: redactor.version,
    ...rest,
  };
}

export const OBSERVED: Outcome = { decision: OBSERVE, trace: [], delivered: [] };
export const DENIED: Outcome = {
  decision: { decision: 'deny', verdict: 'deny', reason: 'not here' },
  trace: [
    {
      hook: 'guard',
      scope: 'user',
      event: 'pre_tool_use',
      did: 'ran',
      exitCode: 2,
      durationMs: 1.5,
      said: { decision: 'deny', reason: 'not here' },
      stdout: '',
      stderr: 'not here',
    },
    { hook: 'other', scope: 'project', event: 'pre_tool_use', did: 'skipped', why: 'no-match' },
    { hook: 'new', scope: 'project', event: 'pre_tool_use', did: 'skipped', why: 'not-trusted' },
    {
      hook: 'slow',
      scope: 'user',
      event: 'pre_tool_use',
      did: 'ran',
      exitCode: -1,
      durationMs: 500,
      timedOut: 'hook',
      failed: 'timeout',
      said: { decision: 'observe' },
      stdout: '',
      stderr: '',
    },
  ],
  delivered: [{ decision: 'deny', how: 'now' }],
};
export const CONTINUED: Outcome = {
  decision: { decision: 'continue', verdict: 'observe', continue: 'tests are red' },
  trace: [],
  delivered: [{ decision: 'continue', how: 'now' }],
};

/** Numbers from a seed, so that a failing shuffle can be run again. */
export function shuffle<T>(items: readonly T[], seed: number): T[] {
  const out = [...items];
  let state = seed >>> 0 || 1;
  for (let i = out.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = state % (i + 1);
    [out[i], out[j]] = [out[j] as T, out[i] as T];
  }
  return out;
}

/** Of a hook that ran after the answer. */
export const RUNS = redactor.value<readonly TraceEntry[]>([
  {
    ...{ hook: 'watch', scope: 'user', event: 'pre_tool_use', did: 'ran', exitCode: 0, startedUs: 700, durationMs: 3 },
    ...{ said: { decision: 'observe' }, stdout: '', stderr: '' },
  },
]);
