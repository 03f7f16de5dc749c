import { readFileSync } from 'node:fs';

/** A process, by more than its number: numbers are used again. */
export interface AgentProcess {
  readonly pid: number;
  /** When it started, in the kernel's own count. */
  readonly started: string;
}

const DEEPEST = 16;

interface Status {
  readonly parent: number;
  readonly started: string;
}

/** Null where there is no such process, or this system does not tell. */
function statusOf(pid: number): Status | null {
  try {
    // The name, in parentheses, may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, '').trim().split(' ');
    // One that has ended, and that nobody has asked about yet.
    return fields[0] === 'Z' ? null : { parent: Number(fields[1]), started: fields[19] ?? '' };
  } catch {
    return null;
  }
}

/**
 * A process and those above it, the nearest first; none where that cannot be trusted. A process in a container may be known here by
 * another number: then its parent is not the one that it names.
 */
export function lineOf(pid: number, parent: number): readonly AgentProcess[] {
  if (statusOf(pid)?.parent !== parent) return [];
  const found: AgentProcess[] = [];
  for (let at = pid; at > 1 && found.length < DEEPEST; ) {
    const status = statusOf(at);
    if (status === null) break;
    found.push({ pid: at, started: status.started });
    at = status.parent;
  }
  return found;
}

/** Only if that is sure. */
export function isGone({ pid, started }: AgentProcess): boolean {
  const status = statusOf(pid);
  if (status !== null) return status.started !== started;
  return statusOf(process.pid) !== null;
}

const isSame = (a: AgentProcess, b: AgentProcess): boolean => a.pid === b.pid && a.started === b.started;

const MOST_SESSIONS = 256;

/**
 * Which process an agent is. A forwarder ends with its event, and so may a shell that started it: the agent is the nearest process that
 * is in the line of every event of a session, and of one event nobody can tell.
 */
export class AgentProcesses {
  readonly #sessions = new Map<string, Followed>();

  seen({ session, agent }: Pick<Followed, 'session' | 'agent'>, line: readonly AgentProcess[]): AgentProcess | undefined {
    if (line.length === 0) return this.of(session);
    const known = this.#sessions.get(session);
    const common = known?.line.filter((one) => line.some((other) => isSame(one, other))) ?? [];
    this.#sessions.delete(session);
    // Nothing in common: another process has taken the session over.
    const [now, events] = common.length === 0 ? [line, 1] : [common, (known?.events ?? 0) + 1];
    this.#sessions.set(session, { session, agent, line: now, events });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return this.of(session);
  }

  of(session: string): AgentProcess | undefined {
    const { line = [], events = 0 } = this.#sessions.get(session) ?? {};
    return events > 1 ? line[0] : undefined;
  }

  forget(session: string): void {
    this.#sessions.delete(session);
  }

  /** The sessions whose agent has ended, each once. */
  takeGone(): readonly Pick<Followed, 'session' | 'agent'>[] {
    const gone = [...this.#sessions.values()].filter(({ session }) => {
      const process = this.of(session);
      return process !== undefined && isGone(process);
    });
    for (const { session } of gone) this.forget(session);
    return gone;
  }
}

interface Followed {
  readonly session: string;
  readonly agent: string;
  readonly line: readonly AgentProcess[];
  readonly events: number;
}
