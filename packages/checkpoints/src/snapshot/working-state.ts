import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RawPath } from '../raw-path.ts';
import type { Recipe } from './conversion/recipe.ts';
import type { Skipped } from './skipped.ts';
import type { Entry } from './tree.ts';
import type { Sighting } from './working-file.ts';

/** One file that may differ from HEAD. */
export interface Known {
  /** Null: the file is not there. */
  readonly entry: Entry | null;
  readonly untracked: boolean;
  /** Absent where the file must be read again each time. */
  readonly sighting?: Sighting;
  /** It is in `entry` with other bytes than on disk; this is the blob of the bytes. Of `lfs` what the pointer calls them. */
  readonly verbatim?: string;
  /** How those bytes follow from `entry`; absent where they are stored. */
  readonly recipe?: Recipe;
}

/** A working tree: HEAD, and everything that differs from it. */
export interface WorkingState {
  readonly head: string | null;
  readonly files: ReadonlyMap<RawPath, Known>;
  /** Files as HEAD has them of which the disk has other bytes. Absent in what older versions wrote, which did not look. */
  readonly converted?: ReadonlyMap<RawPath, Known>;
  readonly skipped: readonly Skipped[];
}

/** The working tree as the last checkpoint has it. */
export interface LastCheckpoint extends WorkingState {
  readonly id: string;
  readonly tree: string;
  /** No other repository has it, but for copies of this one. Absent in what older versions wrote. */
  readonly commit?: string;
  /** When it was taken, in milliseconds. Absent in what older versions wrote. */
  readonly atMs?: number;
}

const lastFile = (state: string) => join(state, 'last.json');

export const readLast = async (state: string): Promise<LastCheckpoint | null> => readLastNow(state);

export function readLastNow(state: string): LastCheckpoint | null {
  try {
    return revivedState<LastCheckpoint>(readFileSync(lastFile(state), 'utf8'));
  } catch {
    return null;
  }
}

export async function writeLast(state: string, last: LastCheckpoint): Promise<void> {
  await writeWhole(lastFile(state), stateText(last));
}

/** A state as text: it has maps, which JSON does not. */
export const stateText = <T extends WorkingState>({ files, converted, ...rest }: T): string =>
  JSON.stringify({ ...rest, files: [...files], ...(converted && { converted: [...converted] }) });

export function revivedState<T extends WorkingState>(text: string): T {
  type Listed = { readonly files: [RawPath, Known][]; readonly converted?: [RawPath, Known][] };
  const { files, converted, ...rest } = JSON.parse(text) as Listed;
  return { ...rest, files: new Map(files), ...(converted && { converted: new Map(converted) }) } as unknown as T;
}

/**
 * A reader sees the old file or the new one; what a crash leaves behind is either. At once, since the file is small and on a thread
 * that nobody else uses: each wait for the pool of threads takes longer than the call itself, and several times that on a busy machine.
 */
export const writeWhole = async (file: string, text: string): Promise<void> => replaceFile(file, text);

/** The same for bytes, and at once. On a full disk nothing is left of what could not be written. */
export function replaceFile(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}.new`;
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
