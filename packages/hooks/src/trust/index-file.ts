import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scope } from '@piton/contracts';
import type { HookEvent, Permission } from '../definition.ts';
import { withLock } from './lock.ts';

export interface TrustedHook {
  readonly kind: 'executable' | 'setting' | 'artifact';
  readonly scope: Exclude<Scope, 'user'>;
  readonly event: HookEvent;
  readonly name: string;
  /** Where the source is, or was, below the root. */
  readonly source: string;
  /** Names the copy. */
  readonly hash: string;
  /** The file in the copy: the executable, or the definition. */
  readonly file: string;
  readonly may: readonly Permission[];
  /** ISO-8601. */
  readonly at: string;
}

export interface TrustedRoot {
  /** `hooks_enabled` of each scope as it was when trust was given. Nothing depends on it: versions up to 0.1 read it. */
  readonly enabled: Readonly<Record<Exclude<Scope, 'user'>, boolean>>;
  readonly hooks: Readonly<Record<string, TrustedHook>>;
}

export interface TrustIndex {
  readonly version: 1;
  /** By the real path of the project directory. */
  readonly roots: Readonly<Record<string, TrustedRoot>>;
}
export type TrustRead = { readonly index: TrustIndex; readonly problem?: string };

export const indexPath = (trustDir: string): string => join(trustDir, 'index.json');
const EMPTY: TrustIndex = { version: 1, roots: {} };

/** What is trusted. An index that cannot be read trusts nothing, and says so. */
export function readTrust(trustDir: string): TrustRead {
  let text: string;
  try {
    text = readFileSync(indexPath(trustDir), 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return missing ? { index: EMPTY } : { index: EMPTY, problem: (error as Error).message };
  }
  try {
    const value = JSON.parse(text) as TrustIndex;
    if (value.version !== 1) return { index: EMPTY, problem: `its version is ${String(value.version)}, this Piton reads version 1` };
    if (typeof value.roots !== 'object' || value.roots === null) return { index: EMPTY, problem: 'it has no "roots"' };
    return { index: value };
  } catch (error) {
    return { index: EMPTY, problem: (error as Error).message };
  }
}

/** Changes the index as one step, whoever else does so at the same time. */
export function changeTrust(trustDir: string, change: (index: TrustIndex) => TrustIndex): void {
  mkdirSync(trustDir, { recursive: true, mode: 0o700 });
  withLock(`${indexPath(trustDir)}.lock`, () => {
    const { index, problem } = readTrust(trustDir);
    if (problem !== undefined) throw new Error(`${indexPath(trustDir)} cannot be read: ${problem}`);
    const draft = `${indexPath(trustDir)}.${process.pid}.${randomBytes(4).toString('hex')}`;
    try {
      writeFileSync(draft, `${JSON.stringify(change(index), null, 2)}\n`, { flag: 'wx', mode: 0o600, flush: true });
      renameSync(draft, indexPath(trustDir));
    } finally {
      rmSync(draft, { force: true });
    }
  });
}
