import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, Failure, reasonOf } from '../failure.ts';

/** The modes of a file and of a directory that are not there yet. */
export interface Modes {
  readonly file: number;
  readonly directory: number;
  /** Whoever may read the file may run it, also where it is there already. */
  readonly executable?: boolean;
}

export interface ConfigText {
  /** Null where there is no file. */
  readonly text: string | null;
  readonly bytes: Buffer | null;
}

export function readConfig(path: string): ConfigText {
  try {
    const bytes = readFileSync(path);
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
 * Writes beside the file and renames, so that an agent never reads half a file. Owner and mode stay as they are.
 * Gives back the directories it had to make. `expected` is what the edit was made from.
 */
export function writeConfig(path: string, text: string | Buffer, expected: Buffer | null, modes: Modes): string[] {
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
      // not ours to give away; a file in our own directory then becomes ours
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
 * The directories that it made, outermost first. One by one: where the kernel says ENOENT to every attempt, as in
 * /proc, Node's own recursive mkdir never ends.
 */
export function makeDirectories(directory: string, mode: number): string[] {
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
    if (codeOf(error) !== 'EEXIST') throw error; // a second `init` was faster
  }
}

/** Removes the file, then those of our directories that are empty. */
export function removeConfig(path: string, made: readonly string[]): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw new Failure(`cannot remove the file: ${reasonOf(error)}`, { where: path, remedy: 'make its directory writable' });
  }
  for (const directory of [...made].reverse()) {
    try {
      rmdirSync(directory);
    } catch {
      return; // something else lives there now
    }
  }
}
