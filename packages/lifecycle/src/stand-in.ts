import type { Outcome } from '@piton/contracts';
import type { FrameOutcome } from './frame-outcome.ts';

const VERSION = 1;

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
