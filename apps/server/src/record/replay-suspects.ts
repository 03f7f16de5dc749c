import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '../file-parts.ts';
import { unlinkQuietly } from '../journal/journal.ts';

const DEATHS = 3;

interface OnDisk {
  /** What a replay is at; it is still there in the next replay only if the process died. */
  at?: string;
  /** How often a process died at what. */
  readonly deaths: Record<string, number>;
}

/**
 * Which frame of a journal kills whoever stores it. A server can be killed by anybody at any moment, so one death says
 * nothing about the frame that it was at; and a death at one frame must not be forgotten when the next replay
 * passes all the others before it.
 */
export class ReplaySuspects {
  readonly #file: string;
  readonly #onDisk: OnDisk;

  constructor(directory: string) {
    this.#file = join(directory, 'working-on');
    const { at, deaths } = parse(readIfThere(this.#file)?.toString() ?? '');
    this.#onDisk = { deaths: at === undefined ? deaths : { ...deaths, [at]: (deaths[at] ?? 0) + 1 } };
  }

  deathsAt(what: string): number {
    return this.#onDisk.deaths[what] ?? 0;
  }

  isDeadly(what: string): boolean {
    return this.deathsAt(what) >= DEATHS;
  }

  /** Before work that may end this process. */
  begin(what: string): void {
    this.#onDisk.at = what;
    writeFileSync(this.#file, JSON.stringify(this.#onDisk), { mode: 0o600 });
  }

  /** The process is alive: what it was at did not kill it. */
  end(): void {
    delete this.#onDisk.at;
    if (Object.keys(this.#onDisk.deaths).length > 0) writeFileSync(this.#file, JSON.stringify(this.#onDisk), { mode: 0o600 });
    else unlinkQuietly(this.#file);
  }
}

/** What a killed process or an earlier version left there may be anything. Then nothing is suspected yet. */
function parse(text: string): OnDisk {
  try {
    const { at, deaths } = JSON.parse(text) as Partial<OnDisk>;
    const counts = Object.entries(deaths ?? {}).filter(([, count]) => Number.isInteger(count));
    return { ...(typeof at === 'string' && { at }), deaths: Object.fromEntries(counts) };
  } catch {
    return { deaths: {} };
  }
}
