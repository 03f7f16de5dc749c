import type { Outcome } from '@piton/contracts';
import type { GuardedPlaces, GuardMode, HookDefinition } from '@piton/hooks';
import type { FrameOutcome } from './frame-outcome.ts';

/** What must hold without a server: a server writes it as `registry.json`, and whoever stands in for it reads it. */
export interface GuardSnapshot {
  readonly hooks: readonly HookDefinition[];
  /** The built-in guard; left out by a server that did not know it yet. */
  readonly guard?: { readonly mode: GuardMode; readonly places: GuardedPlaces };
}

const VERSION = 1;

export const guardSnapshotText = (snapshot: GuardSnapshot): string => JSON.stringify({ version: VERSION, ...snapshot });

/** Undefined where it is of another version. Throws where it is no JSON. */
export function readGuardSnapshot(text: string): GuardSnapshot | undefined {
  const read = JSON.parse(text) as Partial<GuardSnapshot> & { version?: unknown };
  return read.version === VERSION && Array.isArray(read.hooks) ? (read as GuardSnapshot) : undefined;
}

/** What a stand-in decided: it writes this beside the frame, for the server that will read both. */
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

/** Undefined where it was ended in the middle of writing, and so has not answered. */
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
