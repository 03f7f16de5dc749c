import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '@piton/contracts/places';

export interface Backoff {
  readonly file: string;
  readonly until: number;
  readonly failures: number;
  readonly why: string;
  /** The forwarder still waits. */
  readonly active: boolean;
}

/** What the forwarder reads before it starts a server: `<until> <failed starts> <why>`. */
export function readBackoff(places: Places): Backoff | undefined {
  const file = join(places.environment, 'backoff');
  try {
    const [, until, failures, why] = /^(\d+) (\d+) ?([\s\S]*)$/.exec(readFileSync(file, 'utf8').trim()) ?? [];
    if (until === undefined) return undefined;
    return { file, until: Number(until), failures: Number(failures), why: why ?? '', active: Number(until) > Date.now() };
  } catch {
    return undefined;
  }
}
