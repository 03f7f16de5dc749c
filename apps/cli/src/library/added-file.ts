import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from '@piton/hooks';
import type { Origin } from '../catalogue/origin.ts';

/** What `hooks add` wrote, by folder: only that is replaced or removed without asking. */
export interface Added {
  readonly version: string;
  /** `hookHash` of what was written. */
  readonly essence: string;
  /** The paths of the test cases that came with it. */
  readonly cases: readonly string[];
  readonly at: string;
  /** Where it came from, and the digest of what was there. Absent in records of older versions. */
  readonly origin?: Origin;
  readonly digest?: string;
  /** Who had signed it: a newer version needs the same. */
  readonly signer?: string;
}

const fileIn = (home: string): string => join(home, 'added-hooks.json');

export function readAdded(home: string): Readonly<Record<string, Added>> {
  try {
    const value: unknown = JSON.parse(readFileSync(fileIn(home), 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, Added>) : {};
  } catch {
    return {}; // without it every folder counts as the user's, which is the safe side
  }
}

/** Atomic, even if others add or remove at the same time. */
export function writeAdded(home: string, folder: string, added: Added | undefined): void {
  const file = fileIn(home);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  withLock(`${file}.lock`, () => {
    const { [folder]: _, ...others } = readAdded(home);
    const text = `${JSON.stringify(added ? { ...others, [folder]: added } : others, null, 2)}\n`;
    writeFileSync(`${file}.${process.pid}`, text, { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  });
}
