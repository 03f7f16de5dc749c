import { open } from 'node:fs/promises';
import type { Agent, CanonicalEvent } from '@piton/contracts';
import { parseVersion } from '@piton/contracts';
import { noteSeen, registeredVersions, type SeenVersion, seenVersions } from '@piton/contracts/noted-versions';
import { type ProgramVersion, versionOnDisk } from './program-on-disk.ts';

export interface AgentVersionsPorts {
  readonly home: string;
  readonly findAgent: (id: string) => Agent | undefined;
  /** Shows this to the person with the next answer that can. */
  readonly notify: (session: string, text: string) => void;
  readonly reportProblem: (what: string, remedy: string) => void;
}

const MOST_SESSIONS = 256;
/** The version stands at the beginning of a transcript. */
const MAX_HEAD = 64 * 1024;
const TURNS: ReadonlySet<CanonicalEvent['event']> = new Set(['session_start', 'user_prompt_submit', 'stop', 'session_end']);

/** Which version of each agent sends events, and whether its registrations were written for another. All after the answers. */
export class AgentVersionWatch {
  readonly #ports: AgentVersionsPorts;
  /** Sessions whose version is known. */
  readonly #settled = new Set<string>();

  constructor(ports: AgentVersionsPorts) {
    this.#ports = ports;
  }

  /** An event was answered. */
  heard(event: CanonicalEvent): void {
    const key = `${event.agent}:${event.sessionId}`;
    if (event.sessionId === '' || this.#settled.has(key)) return;
    const agent = this.#ports.findAgent(event.agent);
    if (agent === undefined) return;
    setImmediate(() => {
      this.#look(agent, event, key).catch((error: unknown) =>
        this.#ports.reportProblem(`the version of ${agent.title} could not be noted: ${(error as Error).message}`, 'run piton doctor'),
      );
    });
  }

  async #look(agent: Agent, event: CanonicalEvent, key: string): Promise<void> {
    const { told } = agent.versions;
    const version = (told?.payload && fieldOf(event.raw, told.payload)) ?? (await this.#inTranscript(agent, event));
    if (version !== undefined) return this.#settle(agent, event, key, { version });
    if (told !== undefined) return; // a later event says it
    this.#settled.add(key);
    const found: ProgramVersion | undefined = await versionOnDisk(agent, seenVersions(this.#ports.home)[agent.id]);
    if (found !== undefined) this.#settle(agent, event, key, found);
  }

  async #inTranscript({ versions }: Agent, { event, transcriptPath }: CanonicalEvent): Promise<string | undefined> {
    const path = versions.told?.transcript;
    if (path === undefined || transcriptPath === undefined || !TURNS.has(event)) return undefined;
    for (const line of (await headOf(transcriptPath)).split('\n')) {
      const version = fieldOf(parsed(line), path);
      if (version !== undefined) return version;
    }
    return undefined;
  }

  #settle(agent: Agent, { sessionId }: CanonicalEvent, key: string, { version, identity }: ProgramVersion): void {
    this.#settled.add(key);
    const [oldest] = this.#settled;
    if (this.#settled.size > MOST_SESSIONS && oldest !== undefined) this.#settled.delete(oldest);
    const { home, notify } = this.#ports;
    const before = seenVersions(home)[agent.id];
    const registered = registeredVersions(home)[agent.id];
    const wanting = registered !== undefined && writtenFor(agent, registered) !== writtenFor(agent, version);
    const said = wanting && before?.version === version && before.said === true;
    if (wanting && !said) notify(sessionId, updateText(agent, registered, version));
    const seen: SeenVersion = { version, ...(identity !== undefined && { identity }), ...(wanting && { said: true }) };
    if (JSON.stringify(before) !== JSON.stringify(seen)) noteSeen(home, agent.id, seen);
  }
}

const updateText = ({ id, title }: Agent, registered: string | null, version: string): string =>
  `Piton is registered with ${title} ${registered ?? 'of an unknown version'}, but this is ${version}, which takes other registrations. Run: piton init --agent ${id}`;

/** What `piton init` would write for a version, in empty files. */
function writtenFor({ installer }: Agent, version: string | null): string {
  const target = { scope: 'user', forwarder: '/runtime/current/piton-forward', forwarderBelowHome: null, wanted: [] } as const;
  const results = installer
    .configFiles('user', {})
    .map((file) => installer.install(null, { ...target, ...(version !== null && { version }) }, file));
  return JSON.stringify(results.map((result) => (result.ok ? result.edit.text : null)));
}

function fieldOf(value: unknown, path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
    value,
  );
  return typeof found === 'string' ? parseVersion(found) : undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // the last line may be cut
  }
}

/** A transcript need not be there yet. */
async function headOf(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      if (!(await file.stat()).isFile()) return '';
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEAD), 0, MAX_HEAD, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}
