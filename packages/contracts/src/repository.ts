import { constants, readFileSync, type Stats, statSync } from 'node:fs';
import { open, readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';

export interface Checkout {
  readonly root: string;
  /** Null when HEAD is detached. */
  readonly branch: string | null;
}

/** The repository around a directory and its branch, read from git's own files: a git process would cost more than the event. */
export function repositoryOf(cwd: string): Checkout | null {
  if (!isAbsolute(cwd)) return null;
  for (let at = cwd; ; at = dirname(at)) {
    const stat = lookAt(join(at, '.git'));
    if (stat) return { root: at, branch: branchOf(stat.isDirectory() ? join(at, '.git') : linkedDirectory(at)) };
    if (dirname(at) === at) return null;
  }
}

/** Names that no file can have, and places that we may not look at, are places without a repository. */
function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Git writes a line there. What an agent may have put in its place has no end (a device) or never begins (a pipe). */
const LONGEST = 64 * 1024;

function textOf(path: string): string {
  const stat = lookAt(path);
  // Of nothing else the kernel says a size: what it writes itself (/proc) may never end either.
  return stat?.isFile() && stat.size > 0 && stat.size <= LONGEST ? readFileSync(path, 'utf8') : '';
}

/** In a linked worktree and in a submodule `.git` is a file that names the directory. */
function linkedDirectory(root: string): string {
  try {
    return resolve(
      root,
      textOf(join(root, '.git'))
        .replace(/^gitdir:\s*/, '')
        .trim(),
    );
  } catch {
    return '';
  }
}

/** When HEAD last moved, by git's log of it: a commit, a checkout, a reset. Null where git writes none. */
export function headMovedMs(root: string): number | null {
  const stat = lookAt(join(root, '.git'));
  const directory = stat?.isDirectory() ? join(root, '.git') : linkedDirectory(root);
  return (stat && directory !== '' && lookAt(join(directory, 'logs', 'HEAD'))?.mtimeMs) || null;
}

function branchOf(directory: string): string | null {
  try {
    return /^ref: refs\/heads\/(.+)$/m.exec(textOf(join(directory, 'HEAD')))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Of a regular file; whole lines. */
async function tailOf(path: string, bytes: number): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    const from = Math.max(0, stats.size - bytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(stats.size - from), 0, stats.size - from, from);
    const text = buffer.toString('utf8', 0, bytesRead);
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await file.close();
  }
}

const orNothing = (): undefined => undefined;

/** Paths as this machine has them. The calls run on threads of their own: a mount that hangs holds up none of ours. */
export const pathPorts = () => ({
  home: homedir(),
  links: {
    patienceMs: 2000,
    realpath: (path: string) => realpath(path).catch(orNothing),
    readlink: (path: string) => readlink(path).catch(orNothing),
  },
  transcripts: { patienceMs: 500, tail: (path: string, bytes: number) => tailOf(path, bytes).catch(orNothing) },
});
