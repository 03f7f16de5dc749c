import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, Failure, reasonOf } from '../failure.ts';
import { readRegular, refuseLinks } from '../files/regular-file.ts';
import { removeEmpty } from '../files/remove-tree.ts';

/** The modes of files and directories to create. */
export interface Modes {
  readonly file: number;
  readonly directory: number;
  /** Whoever may read the file may execute it. Applies to an existing file too. */
  readonly executable?: boolean;
}

export interface ConfigText {
  /** Null if there is no file. */
  readonly text: string | null;
  readonly bytes: Buffer | null;
}

export function readConfig(path: string): ConfigText {
  try {
    const bytes = readRegular(path);
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes))
      throw new Failure('the file is not UTF-8, so it cannot be edited safely', { where: path, remedy: 'save it as UTF-8' });
    return { text, bytes };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { text: null, bytes: null };
    if (error instanceof Failure) throw error;
    throw new Failure(`cannot read the file: ${reasonOf(error)}`, { where: path });
  }
}

/**
 * Writes a temporary file and renames it, so that an agent never reads half a file. Owner and mode are kept. Returns the
 * directories it created. `expected` is the content that the edit was based on.
 */
export function writeConfig(path: string, text: string | Buffer, expected: Buffer | null, modes: Modes): string[] {
  refuseLinks(path);
  const made = makeDirectories(dirname(path), modes.directory);
  const before = statSync(path, { throwIfNoEntry: false });
  const temporary = join(dirname(path), `.${basename(path)}.piton-${process.pid}`);
  try {
    writeFileSync(temporary, text, { mode: before ? before.mode & 0o777 : modes.file });
    if (before) keepOwner(temporary, before);
    if (modes.executable) makeExecutable(temporary);
    refuseIfChanged(path, expected);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof Failure) throw error;
    throw new Failure(`cannot write the file: ${reasonOf(error)}`, {
      where: path,
      remedy: 'make the directory writable. Nothing was changed in it',
    });
  }
  return made;
}

function keepOwner(path: string, before: Stats): void {
  chmodSync(path, before.mode & 0o7777);
  if (before.uid !== process.geteuid?.() || before.gid !== process.getegid?.()) {
    try {
      chownSync(path, before.uid, before.gid);
    } catch {
      // not allowed: in our own directory the file then becomes ours
    }
  }
}

export function makeExecutable(path: string): void {
  const { mode } = statSync(path);
  chmodSync(path, (mode & 0o7777) | ((mode & 0o444) >> 2));
}

function refuseIfChanged(path: string, expected: Buffer | null): void {
  const now = existsSync(path) ? readFileSync(path) : null;
  const same = now === null || expected === null ? now === expected : now.equals(expected);
  if (!same) throw new Failure('the file was changed by another process', { where: path, remedy: 'run the command again' });
}

/**
 * Returns the created directories, outermost first. One by one, because Node's recursive mkdir never ends where the kernel
 * answers ENOENT to every attempt, as in /proc.
 */
export function makeDirectories(directory: string, mode: number): string[] {
  refuseLinks(directory);
  const missing: string[] = [];
  for (let at = directory; !existsSync(at); at = dirname(at)) missing.push(at);
  try {
    for (const each of missing.reverse()) makeOne(each, mode);
  } catch (error) {
    throw new Failure(`cannot create the directory: ${reasonOf(error)}`, { where: directory });
  }
  return missing;
}

function makeOne(directory: string, mode: number): void {
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error; // another `init` was faster
  }
}

/** Removes the file, then those of our directories that are empty. */
export function removeConfig(path: string, made: readonly string[]): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw new Failure(`cannot remove the file: ${reasonOf(error)}`, { where: path, remedy: 'make its directory writable' });
  }
  removeEmpty(made);
}
