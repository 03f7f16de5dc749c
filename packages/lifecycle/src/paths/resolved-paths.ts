import { dirname, join, posix } from 'node:path';
import type { CanonicalEvent } from '@piton/contracts';
import { outsideProcess } from './absolute-paths.ts';

/** What is asked of the file system. Each answers undefined where there is nothing, or nothing that may be looked at. */
export interface LinkReader {
  /** A path that exists, without links in it. */
  realpath(path: string): Promise<string | undefined>;
  /** What a link says, also one that leads nowhere. */
  readlink(path: string): Promise<string | undefined>;
  /** A network mount that does not answer must not hold up an agent for longer. */
  readonly patienceMs: number;
}

/** The kernel's own limit. */
const MOST_LINKS = 40;

/**
 * The event with each of its files as the kernel would find it: links followed, `..` taken after them, and of what does not exist yet the
 * deepest folder that does. Null where that cannot be said in time. `root`: of the repository, or the working directory.
 */
export async function withResolvedPaths(event: CanonicalEvent, root: string, links: LinkReader): Promise<CanonicalEvent> {
  const { tool, cwd } = event;
  if (tool === undefined || tool.files.length === 0) return event;
  // `a/../b` is not `b` where `a` is a link: what the agent wrote decides.
  const written = tool.files.map((file) => asWritten(tool.nativePaths?.[file] ?? file, file, cwd));
  const asked = Promise.all([root, ...written].map((path) => resolve(path, links, MOST_LINKS)));
  const [place, ...resolved] = await inTime(links.patienceMs, asked, () => [null, ...written.map(() => null)]);
  const leadsOut = tool.files.some((file, at) => {
    const found = resolved[at];
    return typeof found !== 'string' || typeof place !== 'string' || (isInside(file, root) && !isInside(found, place));
  });
  return { ...event, tool: { ...tool, resolved, ...(leadsOut && { leadsOut }) } };
}

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

function asWritten(native: string, absolute: string, cwd: string): string {
  if (!native.split('/').includes('..') || native.startsWith('~') || native.includes('://')) return absolute;
  const path = outsideProcess(native, cwd);
  return path.startsWith('/') ? path : `${cwd}/${path}`;
}

async function resolve(path: string, links: LinkReader, left: number): Promise<string | null> {
  const found = await links.realpath(path);
  if (found !== undefined) return found;
  if (path === '/') return path;
  const name = posix.basename(path);
  // Nothing can be done there before somebody makes the folder: then it is what it looks like.
  if (name === '..' || name === '.') return resolve(posix.normalize(path), links, left);
  const parent = await resolve(dirname(path), links, left);
  if (parent === null) return null;
  const here = join(parent, name);
  const goal = await links.readlink(here);
  if (goal === undefined) return here;
  if (left === 0) return null;
  return resolve(goal.startsWith('/') ? goal : `${parent}/${goal}`, links, left - 1);
}

async function inTime<T>(patienceMs: number, work: Promise<T>, otherwise: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((settle) => {
    timer = setTimeout(() => settle(otherwise()), patienceMs);
  });
  try {
    return await Promise.race([work.catch(otherwise), late]);
  } finally {
    clearTimeout(timer);
  }
}
