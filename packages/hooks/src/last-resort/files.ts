import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAST_RESORT_FOLDER, LAST_RESORT_OF_USER, type LastResort, readLastResort } from '@piton/contracts';

export const lastResortFolder = (home: string): string => join(home, LAST_RESORT_FOLDER);

/** A root's file. What the file holds names the root; its name only has to differ from others'. */
export const lastResortFile = (root: string | null): string =>
  root === null ? LAST_RESORT_OF_USER : createHash('sha256').update(root).digest('hex').slice(0, 32);

export interface KeptFile {
  readonly name: string;
  /** Undefined: it is broken. */
  readonly kept: LastResort | undefined;
}

/** All that is kept. Nothing where nobody has written any yet. */
export function readLastResorts(home: string): KeptFile[] {
  const folder = lastResortFolder(home);
  return namesIn(folder).map((name) => ({ name, kept: readAt(join(folder, name)) }));
}

export function textAt(home: string, root: string | null): string | undefined {
  try {
    return readFileSync(join(lastResortFolder(home), lastResortFile(root)), 'utf8');
  } catch {
    return undefined;
  }
}

/** Whole or not at all: a forwarder may be reading. */
export function writeLastResort(home: string, root: string | null, text: string): void {
  const folder = lastResortFolder(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${process.pid}.${randomBytes(4).toString('hex')}`);
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
    renameSync(draft, join(folder, lastResortFile(root)));
  } finally {
    rmSync(draft, { force: true });
  }
}

export const removeLastResort = (home: string, name: string): void => rmSync(join(lastResortFolder(home), name), { force: true });

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}

function readAt(path: string): LastResort | undefined {
  try {
    return readLastResort(readFileSync(path));
  } catch {
    return undefined;
  }
}
