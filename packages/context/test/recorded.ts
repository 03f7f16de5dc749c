import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentFor } from '@piton/agents';
import { factsOf } from '@piton/context';
import { type CanonicalEvent, type Envelope, type Outcome, ulid } from '@piton/contracts';
import { createRedactor } from '@piton/redact';
import { type EventRecord, openStore, type Store } from '@piton/store';

export const redactor = createRedactor({ key: Buffer.alloc(32, 7) });
const AGENTS = join(import.meta.dirname, '../../agents/src');
const BASE_MS = Date.UTC(2026, 10, 16, 9);
/** The n-th event of a session, counted from 1. */
export const stampOf = (n: number): string => ulid(BASE_MS + n * 1000, Buffer.alloc(10, n % 256));
export const wallOf = (n: number): number => (BASE_MS + n * 1000) * 1000;

export interface RecordedEvent {
  readonly event: CanonicalEvent;
  readonly endsInTranscript: boolean;
}

/** A session as the real agent played it, decoded as the server does. */
export function recordedSession(agent: string, folder: string): RecordedEvent[] {
  const directory = join(AGENTS, agent, 'fixtures/recorded', folder);
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const text = readFileSync(join(directory, name), 'utf8').replaceAll('$REPO', '/proj/repo').replaceAll('$HOME', '/home/me');
      const { event: nativeEvent, stdin, cwd, env } = JSON.parse(text) as Recording;
      return [eventOf(agent, nativeEvent, stdin, cwd, env)];
    });
}

/** A session that did all that a ledger can have, as scenarios/real-context recorded it, and the agent's transcript where that says how commands ended. */
export function recordedWork(agent: string): { readonly events: RecordedEvent[]; readonly transcript: string } {
  const text = readFileSync(join(import.meta.dirname, 'work', `${agent}.json`), 'utf8');
  const { steps, transcript = [] } = JSON.parse(text.replaceAll('$REPO', '/proj/repo').replaceAll('$HOME', '/home/me')) as {
    readonly steps: readonly { readonly event: string; readonly payload: unknown }[];
    readonly transcript?: readonly object[];
  };
  return {
    events: steps.map(({ event, payload }) => eventOf(agent, event, payload)),
    transcript: transcript.map((line) => `${JSON.stringify(line)}\n`).join(''),
  };
}

interface Recording {
  readonly event: string;
  readonly stdin: unknown;
  readonly cwd: string;
  readonly env?: Record<string, string>;
}

export function eventOf(
  agent: string,
  nativeEvent: string,
  payload: unknown,
  cwd = '/proj/repo',
  env: Record<string, string> = {},
): RecordedEvent {
  const context = { nativeEvent, cwd, variables: env };
  const found = agentFor(agent, payload, context);
  if (found === undefined) throw new Error(`no agent ${agent}`);
  const event = found.decode(payload, context);
  const files = event.tool?.files.map((file) => (file.startsWith('/') ? file : `${event.cwd}/${file}`));
  return {
    event: event.tool && files ? { ...event, tool: { ...event.tool, files } } : event,
    endsInTranscript: found.endsInTranscript === true,
  };
}

/** A store in a directory of its own, and what it was given. */
export async function openBench(): Promise<Bench> {
  const directory = mkdtempSync(join(tmpdir(), 'piton-context-'));
  let nowMs = BASE_MS;
  const opened = await openStore({ kind: 'sqlite', file: join(directory, 'piton.db') }, { nowUs: () => nowMs * 1000 });
  if (!opened.ok) throw new Error(opened.error);
  const { store } = opened;
  let n = 0;
  return {
    store,
    setNow: (ms) => {
      nowMs = ms;
    },
    async play(events, more = {}) {
      const report = await store.record(events.map((each) => recordOf(++n, each, more)));
      if (!report.ok || report.rejected.length > 0) throw new Error(JSON.stringify(report));
    },
    async end() {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export interface Bench {
  readonly store: Store;
  setNow(ms: number): void;
  /** Records them as the server's recorder does. */
  play(events: readonly RecordedEvent[], more?: Partial<EventRecord> & { readonly given?: Outcome }): Promise<void>;
  end(): Promise<void>;
}

function recordOf(
  n: number,
  { event, endsInTranscript }: RecordedEvent,
  { given, ...more }: Partial<EventRecord> & { given?: Outcome },
): EventRecord {
  const said = (text: string | undefined) => (text === undefined ? null : redactor.text(text));
  const envelope: Envelope = {
    schemaVersion: 1,
    provider: event.agent,
    event: event.event,
    providerRef: event.sessionId,
    projectPath: event.cwd,
    receivedAt: new Date(BASE_MS + n * 1000).toISOString(),
    payload: event.raw,
  };
  const { tool } = event;
  return {
    ...{ eventId: stampOf(n), nativeEvent: event.nativeEvent, via: 'test', late: false, derived: false, parentId: null, depth: 0, run: '' },
    ...{ bootId: 'boot', monotonicUs: BigInt(n) * 1_000_000n, wallUs: BigInt(wallOf(n)), pid: 1, ppid: 1, terminal: false },
    ...{ truncated: false, payloadSize: 1, sender: 'test', canary: false, names: event.names },
    tool: tool
      ? redactor.value({
          ...{ name: tool.name, nativeName: tool.nativeName, kind: tool.kind, useId: tool.useId ?? null },
          ...{ command: tool.command ?? null, files: tool.files },
        })
      : null,
    ...{ prompt: said(event.prompt), source: said(event.source), agentId: said(event.agentId), transcriptPath: null },
    ...{
      text: said(event.text),
      model: said(event.model),
      problems: redactor.value([]),
      repo: '/proj/repo',
      branch: redactor.text('main'),
    },
    envelope: redactor.value(envelope),
    outcome: given === undefined ? null : redactor.value(given),
    ledger: redactor.value(factsOf(event, given ?? null, { endsInTranscript })),
    ...{ serverUs: 1, redaction: redactor.version },
    ...more,
  };
}
