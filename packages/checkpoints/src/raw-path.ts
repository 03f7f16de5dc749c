import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/**
 * A path from the root of the working tree, one character a byte: git's names are bytes, and not every name is UTF-8.
 * Outside this package names are ordinary strings.
 */
export type RawPath = string;

export const rawPath = (text: string): RawPath => Buffer.from(text, 'utf8').toString('latin1');
export const shownPath = (path: RawPath): string => Buffer.from(path, 'latin1').toString('utf8');
export const pathBytes = (path: RawPath): Buffer => Buffer.from(path, 'latin1');

/** What to hand to the file system. */
export const onDisk = (root: string, path: RawPath): Buffer => Buffer.concat([Buffer.from(`${root}/`), pathBytes(path)]);

/** The fields of a `-z` output. */
export function fields(output: Buffer): RawPath[] {
  const text = output.toString('latin1');
  return text === '' ? [] : text.replace(/\0$/, '').split('\0');
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };

/** A name as git writes it where there is no `-z`: in quotes if anything in it could be mistaken. */
export function unquoted(text: string): RawPath {
  if (!/^".*"$/s.test(text)) return text;
  const character = (_: string, octal: string | undefined, letter: string): string =>
    octal ? String.fromCharCode(Number.parseInt(octal, 8)) : (ESCAPES[letter] ?? letter);
  return text.slice(1, -1).replace(/\\(?:([0-7]{3})|(.))/gs, character);
}

export const nulList = (paths: Iterable<RawPath>): Buffer => Buffer.from([...paths].map((path) => `${path}\0`).join(''), 'latin1');

/** The path of a file from a root, through symlinked directories; null if it lies outside, or is git's own. */
export function fromRoot(root: string, file: string, cwd = root): RawPath | null {
  const absolute = isAbsolute(file) ? file : resolve(cwd, file);
  const parent = realParent(dirname(absolute));
  const path = relative(root, join(parent, basename(absolute)));
  if (path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return null;
  const parts = path.split(sep);
  return parts.some((part) => part.toLowerCase() === '.git') ? null : rawPath(parts.join('/'));
}

/** The nearest directory that exists is resolved; the rest is yet to be made, or gone. */
function realParent(directory: string): string {
  try {
    return realpathSync.native(directory);
  } catch {
    return dirname(directory) === directory ? directory : join(realParent(dirname(directory)), basename(directory));
  }
}

/** Whether another repository, a submodule included, begins between the root and the file. */
export function inInnerRepository(root: string, path: RawPath): boolean {
  const parts = path.split('/').slice(0, -1);
  for (let at = 1; at <= parts.length; at++) {
    if (isThere(onDisk(root, `${parts.slice(0, at).join('/')}/.git`))) return true;
  }
  return false;
}

function isThere(path: Buffer): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
