import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import { codeOf, reasonOf } from '../failure.ts';
import { teamDirectory, writePrivate } from './membership.ts';
import { sentLines } from './sent-log.ts';

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
  /** The server knows that the person agreed. */
  readonly consentKnown: boolean;
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
  ...{ inventoryAt: null, inventoryHash: null, teamWantsBodies: false, consentKnown: false, problem: null },
};

export const stateFile = (places: Pick<Places, 'home'>): string => join(teamDirectory(places), 'state.json');

export const readSenderState = (places: Pick<Places, 'home'>): SenderState => lookAtSenderState(places).state;

/** Of a file that is damaged what is as it should be; the rest from the list of what left. How far it is says the server anyway. */
export function lookAtSenderState(places: Pick<Places, 'home'>): { readonly state: SenderState; readonly wrong?: string } {
  let value: unknown;
  try {
    const text = readFileSync(stateFile(places), 'utf8');
    if (text.trim() === '') return { state: listedState(places), wrong: 'the file is empty' };
    value = JSON.parse(text);
  } catch (error) {
    const state = listedState(places);
    if (codeOf(error) === 'ENOENT') return state === NO_STATE ? { state } : { state, wrong: 'the file is missing' };
    return { state, wrong: error instanceof SyntaxError ? 'the file is damaged' : reasonOf(error) };
  }
  const given = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const right = Object.entries(SHAPES).filter(([name, isRight]) => isRight(given[name]));
  if (right.length === Object.keys(SHAPES).length) return { state: given as unknown as SenderState };
  return {
    state: { ...listedState(places), ...Object.fromEntries(right.map(([name]) => [name, given[name]])) },
    wrong: 'the file is damaged',
  };
}

function listedState(places: Pick<Places, 'home'>): SenderState {
  const lines = sentLines(places);
  const last = lines.at(-1);
  if (last === undefined) return NO_STATE;
  const records = lines.reduce((sum, line) => sum + line.records, 0);
  const { store, through, number, at } = last;
  return { ...NO_STATE, store, position: through, scanned: through, uploads: number, records, lastSentAt: at };
}

const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown): boolean => typeof value === 'string' || value === null;
const isTime = (value: unknown): boolean => value === null || (typeof value === 'string' && !Number.isNaN(Date.parse(value)));
const SHAPES: Readonly<Record<keyof SenderState, (value: unknown) => boolean>> = {
  ...{ store: isText, position: isCount, scanned: isCount, uploads: isCount, records: isCount, lastSentAt: isTime },
  ...{ inventoryAt: isTime, inventoryHash: isText, teamWantsBodies: isBoolean, consentKnown: isBoolean },
  problem: (value) => value === null || isProblem(value),
};

function isProblem(value: unknown): boolean {
  if (typeof value !== 'object') return false;
  const { why, error, since, failures, nextAt } = value as Readonly<Record<string, unknown>>;
  return (
    typeof why === 'string' && typeof error === 'string' && [since, nextAt].every((at) => at !== null && isTime(at)) && isCount(failures)
  );
}

export const writeSenderState = (places: Pick<Places, 'home'>, state: SenderState): void =>
  writePrivate(stateFile(places), `${JSON.stringify(state, null, 2)}\n`);
