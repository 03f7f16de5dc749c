import { closeSync, existsSync, lstatSync, openSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Disk } from './guarded-places.ts';

const HEAD = 64 * 1024;

export const machineDisk: Disk = { real, exists: (path) => existsSync(path), head };

/** What does not exist lies where its nearest parent that does leads. */
function real(path: string): string {
  let missing = '';
  for (let at = path; ; ) {
    // Asked first: an error that is thrown costs more than all looks together.
    const found = existsSync(at) ? realOf(at) : undefined;
    if (found !== undefined) return found === '/' ? missing || found : found + missing;
    if (isLink(at)) return followed(path);
    const above = dirname(at);
    if (above === at) return path;
    missing = `/${basename(at)}${missing}`;
    at = above;
  }
}

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** Step by step: a write through a link to what does not exist makes it. */
function followed(path: string): string {
  const names = path.split('/');
  let at = '';
  for (let name = names.shift(), links = 0; name !== undefined; name = names.shift()) {
    if (name === '' || name === '.') continue;
    const next = name === '..' ? at.slice(0, Math.max(0, at.lastIndexOf('/'))) : `${at}/${name}`;
    const target = name !== '..' && isLink(next) ? linkOf(next) : undefined;
    if (target === undefined) at = next;
    else if (++links > MOST_LINKS) return path;
    else {
      if (target.startsWith('/')) at = '';
      names.unshift(...target.split('/'));
    }
  }
  return at === '' ? '/' : at;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false; // a file where a directory was looked for, or no right to look
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function head(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(HEAD);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, HEAD, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}
