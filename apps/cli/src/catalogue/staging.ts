import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TreeFile } from '@piton/hooks';
import { catchSignals, Interrupted } from '../interruption.ts';

/** A private directory for hooks that are looked at before they are added: lint and test cases need them as files. */
export interface Staging {
  /** The folder with these files, named as the hook is. */
  write(name: string, files: readonly TreeFile[]): string;
  /** Runs what may take a while. Ctrl-C ends it, and the command. */
  during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** Its files are removed however `use` ends. */
export async function withStaging(use: (staging: Staging) => Promise<void>): Promise<void> {
  const { staging, remove } = openStaging();
  try {
    await use(staging);
  } finally {
    remove();
  }
}

async function during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = catchSignals();
  try {
    return await work(interruption.signal);
  } catch (error) {
    throw interruption.signal.aborted ? new Interrupted() : error;
  } finally {
    interruption.release();
  }
}

function openStaging(): { staging: Staging; remove: () => void } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-add-')));
  let count = 0;
  const write: Staging['write'] = (name, files) => {
    const folder = join(root, String(count++), name);
    for (const { path, bytes, executable } of files) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, bytes);
      chmodSync(file, executable ? 0o700 : 0o600);
    }
    return folder;
  };
  return { staging: { write, during }, remove: () => rmSync(root, { recursive: true, force: true }) };
}
