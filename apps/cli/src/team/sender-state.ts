import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import { teamDirectory, writePrivate } from './membership.ts';

/** What the sender leaves for `piton team status`, `doctor` and the next sender. The server knows how far it is: this is a copy. */
export interface SenderState {
  /** The identity of the store that was read last; another one begins with a gap. */
  readonly store: string | null;
  readonly position: number;
  /** Nothing between the position and here may leave. */
  readonly scanned: number;
  readonly uploads: number;
  readonly records: number;
  readonly lastSentAt: string | null;
  readonly inventoryAt: string | null;
  readonly inventoryHash: string | null;
  /** The team wants bodies, as far as was heard. */
  readonly teamWantsBodies: boolean;
  readonly problem: SenderProblem | null;
}
export interface SenderProblem {
  readonly why: string;
  readonly error: string;
  readonly since: string;
  readonly failures: number;
  readonly nextAt: string;
}

export const NO_STATE: SenderState = {
  ...{ store: null, position: 0, scanned: 0, uploads: 0, records: 0, lastSentAt: null },
  ...{ inventoryAt: null, inventoryHash: null, teamWantsBodies: false, problem: null },
};

const fileOf = (places: Pick<Places, 'home'>): string => join(teamDirectory(places), 'state.json');

export function readSenderState(places: Pick<Places, 'home'>): SenderState {
  try {
    return { ...NO_STATE, ...(JSON.parse(readFileSync(fileOf(places), 'utf8')) as Partial<SenderState>) };
  } catch {
    return NO_STATE; // nothing left yet, or cut: the server says how far it is
  }
}

export const writeSenderState = (places: Pick<Places, 'home'>, state: SenderState): void =>
  writePrivate(fileOf(places), `${JSON.stringify(state, null, 2)}\n`);
