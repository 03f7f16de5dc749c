import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent, TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { createRedactor } from '@piton/redact';
import { openStore, type Store } from '@piton/store';
import { event } from '../../../../packages/store/test/records.ts';
import { LIMITS, type Limits } from '../../src/transcripts/limits.ts';
import { TranscriptReader } from '../../src/transcripts/reader.ts';

export const redactor = createRedactor({ key: Buffer.alloc(32, 7) });

export interface Scene {
  readonly home: string;
  readonly store: Store;
  readonly session: string;
  readonly problems: string[];
  /** Reads a transcript until there is nothing more. */
  read(
    agent: Agent,
    path: string,
    more?: { agentId?: string; agentPath?: string; ref?: string; format?: TranscriptFormat; reader?: TranscriptReader },
  ): Promise<void>;
  reader(limits?: Partial<Limits>): TranscriptReader;
  end(): Promise<void>;
}

export async function openScene(): Promise<Scene> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-transcripts-')));
  const home = join(root, 'home');
  mkdirSync(home);
  const opened = await openStore({ kind: 'sqlite', file: join(root, 'piton.db') });
  if (!opened.ok) throw new Error(opened.error);
  const { store } = opened;
  const report = await store.record([event(1, { event: 'session_start' })]);
  const session = report.ok ? (report.events[0]?.session as string) : '';
  const problems: string[] = [];
  const reader = (limits: Partial<Limits> = {}): TranscriptReader =>
    new TranscriptReader({ home, redactor, reportProblem: (what) => void problems.push(what), limits: { ...LIMITS, ...limits } });
  const usual = reader();
  return {
    home,
    store,
    session,
    problems,
    reader,
    async read(agent, path, { agentId, agentPath, ref, format: given, reader: other } = {}) {
      const with_ = other ?? usual;
      const format = given ?? (agent.transcript as TranscriptFormat);
      with_.enqueue([{ session, ref: ref ?? 'native', agent, format, path, agentId: agentId ?? null, agentPath: agentPath ?? null }]);
      while (await with_.step(store));
    },
    async end() {
      await store.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export interface Recorded {
  readonly agent: Agent;
  readonly name: string;
  readonly bytes: Buffer;
}

const AGENTS_SOURCE = join(import.meta.dirname, '..', '..', '..', '..', 'packages', 'agents', 'src');

/** Every recorded transcript of a real agent, from its folder's fixtures. */
export function recordedTranscripts(): Recorded[] {
  return AGENTS.filter(({ transcript }) => transcript !== null && transcript.print === undefined).flatMap((agent) => {
    const directory = join(AGENTS_SOURCE, agent.id, 'fixtures', 'transcripts');
    return filesIn(directory).map((name) => ({ agent, name, bytes: readFileSync(join(directory, name)) }));
  });
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

export const agentOf = (id: string): Agent => AGENTS.find((agent) => agent.id === id) as Agent;

/** What the agent's folder reads from the whole text at once, without unknown entries. */
export const entriesIn = ({ agent, bytes }: Recorded): TranscriptEntry[] =>
  (agent.transcript?.read(bytes.toString('utf8')).entries ?? []).filter(({ kind }) => kind !== 'unknown');
