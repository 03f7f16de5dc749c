import type { Outcome } from '@piton/contracts';
import type { GuardedPlaces, GuardMode, HookDefinition } from '@piton/hooks';
import type { FrameOutcome } from './frame-outcome.ts';

/** The policies that hold without a server. A server writes it as `registry.json`, and the stand-in reads it. */
export interface GuardSnapshot {
  readonly hooks: readonly HookDefinition[];
  /** The built-in guard; absent if an older server wrote the file. */
  readonly guard?: { readonly mode: GuardMode; readonly places: GuardedPlaces };
}

const VERSION = 1;

export const guardSnapshotText = (snapshot: GuardSnapshot): string => JSON.stringify({ version: VERSION, ...snapshot });

/** Undefined if it has another version. Throws if it is not JSON. */
export function readGuardSnapshot(text: string): GuardSnapshot | undefined {
  const read = JSON.parse(text) as Partial<GuardSnapshot> & { version?: unknown };
  return read.version === VERSION && Array.isArray(read.hooks) ? (read as GuardSnapshot) : undefined;
}

/** The decision of a stand-in, written next to the frame for the next server. */
export interface StandInRecord {
  readonly outcome: Outcome;
  readonly repo: string | null;
  readonly branch: string | null;
  readonly useId?: string;
}

export function standInRecordText({ outcome, repo, branch, useId }: Extract<FrameOutcome, { kind: 'decided' }>): string {
  const record: StandInRecord = { outcome, repo, branch, ...(useId !== undefined && { useId }) };
  return JSON.stringify({ version: VERSION, ...record });
}

/** Undefined if the stand-in was killed while writing. Then it has not answered. */
export function readStandInRecord(text: string): StandInRecord | undefined {
  try {
    const read = JSON.parse(text) as Partial<StandInRecord> & { version?: unknown };
    const { version, outcome, repo = null, branch = null, useId } = read;
    if (version !== VERSION || outcome?.decision === undefined) return undefined;
    return { outcome, repo, branch, ...(useId !== undefined && { useId }) };
  } catch {
    return undefined;
  }
}
