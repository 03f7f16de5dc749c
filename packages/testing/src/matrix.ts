import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DecisionName, EventName } from '@piton/contracts';

/** One thing that a real run has shown about an agent, or could not bring about. */
export interface Row {
  readonly agent: string;
  readonly version: string;
  readonly event: EventName;
  readonly decision: DecisionName;
  readonly result: 'verified' | 'degraded' | 'deferred' | 'not provoked';
  /** How it is degraded, until when deferred, or why it could not be provoked. */
  readonly how?: string;
  /** The full name of the test that saw it. */
  readonly assertion: string;
}

/** A promise that does not hang on one event. */
export interface Promised {
  readonly agent: string;
  readonly version: string;
  readonly promise: string;
  readonly how?: string;
  readonly assertion: string;
}

/** Keeps what a run has shown where `PITON_ROWS_TO` says; without it the assertion alone counts. */
export function keepRow(row: Row | Promised, env: Readonly<Record<string, string | undefined>> = process.env): void {
  const directory = env.PITON_ROWS_TO;
  if (!directory) return;
  mkdirSync(directory, { recursive: true });
  // A line of its own file for each worker: nobody writes into another's line.
  appendFileSync(join(directory, `${process.pid}.jsonl`), `${JSON.stringify(row)}\n`);
}
