import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unlinkQuietly } from '../journal.ts';

/** One call of a tool that runs a subagent. */
export interface Call {
  /** In its session. */
  readonly key: number;
  readonly toolUseId?: string | undefined;
  /** What it was asked may hold a secret: of a call that an earlier server has seen, nobody knows. */
  readonly name?: string | undefined;
  /** Its own end has not come yet. */
  open: boolean;
  agentId?: string | undefined;
  /** The subagent's has. */
  stopped: boolean;
  /** Files that its tools said they change. */
  readonly files: string[];
  /** Others that were at work while it was. */
  readonly beside: number[];
}

/** Of sessions that never ended. */
const KEPT_MS = 7 * 24 * 3_600_000;

/**
 * The calls of each session in a file of its own: a server that is killed, or told to go, leaves them to the next one. At once,
 * for the agent goes on as soon as it is answered; few events are about subagents, and the files are small.
 */
export class SubagentFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  read(session: string): Call[] {
    try {
      return JSON.parse(readFileSync(this.#file(session), 'utf8')) as Call[];
    } catch {
      return [];
    }
  }

  write(session: string, calls: readonly Call[]): void {
    const file = this.#file(session);
    const temporary = `${file}.${process.pid}.new`;
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, JSON.stringify(calls.map(({ name: _, ...kept }) => kept)), { mode: 0o600 });
      renameSync(temporary, file);
    } catch {
      // A full disk costs the next server what it would have known, not the agent its answer.
    }
  }

  drop(session: string): void {
    unlinkQuietly(this.#file(session));
  }

  dropOld(): void {
    try {
      for (const path of readdirSync(this.#directory).map((name) => join(this.#directory, name)))
        if (Date.now() - statSync(path).mtimeMs > KEPT_MS) unlinkQuietly(path);
    } catch {
      // there are none, or another server was faster
    }
  }

  /** Ids come from agents and may hold anything. */
  #file(session: string): string {
    return join(this.#directory, `${createHash('sha256').update(session).digest('hex').slice(0, 24)}.json`);
  }
}
