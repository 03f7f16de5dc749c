import { readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../snapshot/working-state.ts';
import { sessionFile } from '../turns/session-file.ts';

/** One call of a tool that runs a subagent. */
export interface Call {
  /** In its session. */
  readonly key: number;
  readonly toolUseId?: string | undefined;
  /** May hold a secret, and is not written here: its note has it, redacted. Of a call that an earlier server has seen it is not known. */
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

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // it is gone, which is all that was asked
  }
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
    // A full disk costs the next server what it would have known, not the agent its answer.
    writeWhole(this.#file(session), JSON.stringify(calls.map(({ name: _, ...kept }) => kept))).catch(() => {});
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

  #file(session: string): string {
    return sessionFile(this.#directory, session);
  }
}
