import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { CanonicalEvent, Tool } from '@piton/contracts';
import { repositoryOf } from '@piton/contracts/repository';
import { filesNamedIn } from '../authors/named-files.ts';
import { isListed } from '../repositories/listed.ts';
import { callInfo, ENDS_CALL, isHarmless, namesItsFiles } from '../turns/calls/call-effect.ts';
import { callOf } from '../turns/turn-repositories.ts';
import { CALL_FILE, type KeptCall, type KeptFile, keptFolder, NO_ANSWER } from './kept-call.ts';

/** What one call may have copied, and what all of them may take until a server comes. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 200;
const MOST_CALLS = 1000;
/** Others are copying: an agent waits for this one. */
const LOCK_WAIT_MS = 2000;
const LOCK_STEP_MS = 10;
/** Whoever held it this long is dead. */
const LOCK_STALE_MS = 30_000;

export interface CallToKeep {
  readonly home: string;
  readonly stamp: string;
  readonly event: CanonicalEvent;
  readonly atMs: number;
}

/** Where there is no way back, why not, and whether the person heard of it since the server went silent. */
export interface KeptResult {
  readonly noWayBack?: string;
  readonly isNews: boolean;
  /** Notes that the person was told. */
  told(): void;
}

/**
 * Before a call that no server answers for: the files that it names are copied into Piton's state, for the next server. Of any other call
 * that may change files it is noted that it has no way back. When it ends, what it has made of the files that it names is copied likewise. Null where the call changes nothing that is watched. Never throws.
 */
export function keepCall(call: CallToKeep): KeptResult | null {
  const { home, stamp, event, atMs } = call;
  const { tool, sessionId: session, agent } = event;
  const isEnd = ENDS_CALL.has(event.event);
  if ((event.event !== 'pre_tool_use' && !isEnd) || tool === undefined || session === '' || isHarmless(event, tool)) return null;
  let trees: ReturnType<typeof worktreesOf>;
  try {
    trees = worktreesOf(call, tool);
  } catch {
    return null; // nobody can tell whether it is watched
  }
  if (trees.size === 0) return null;
  const about = { ...callInfo(stamp, tool), session, agent, atMs, key: callOf(tool) };
  const folder = keptFolder(home);
  if (isEnd) {
    keepEnd(folder, { ...about, isEnd }, trees, event.cwd, tool);
    return null;
  }
  const isNews = !wasNotified(folder, session);
  const made: string[] = [];
  let noWayBack: string | undefined;
  for (const [at, [root, files]] of [...trees].entries()) {
    const place = join(folder, `${stamp}-${at}`);
    const why = keepTree(folder, place, { ...about, root, files: [] }, files);
    made.push(place);
    noWayBack ??= why;
  }
  return {
    ...(noWayBack !== undefined && { noWayBack }),
    isNews,
    told: () => {
      for (const place of made) noteNotified(place);
    },
  };
}

/** What a call has made of the files that it names: a person may change them before a server hears that it is over. */
function keepEnd(
  folder: string,
  about: Omit<KeptCall, 'root' | 'files'>,
  trees: ReadonlyMap<string, readonly string[] | null>,
  cwd: string,
  tool: Tool,
): void {
  // Without an id nobody could tell which call it was.
  if (about.key === '') return;
  for (const [at, [root, edited]] of [...trees].entries()) {
    const named = edited ?? filesNamedIn(tool.input, { cwd, root, home: homedir() }).files;
    const files = named.filter((file) => file.startsWith(`${root}/`) && lstatOf(file)?.isDirectory() !== true);
    if (files.length > 0) keepTree(folder, join(folder, `${about.stamp}-${at}`), { ...about, root, files: [] }, files);
  }
}

/** The working trees that it may change, each with the files that it names there; null: it may change anything. */
function worktreesOf({ home, event: { cwd } }: CallToKeep, tool: Tool): Map<string, string[] | null> {
  const trees = new Map<string, string[] | null>();
  const rootOf = (directory: string): string | null => {
    const root = repositoryOf(directory)?.root ?? null;
    return root !== null && isListed(home, root) ? realpathSync(root) : null;
  };
  if (!namesItsFiles(tool)) {
    const root = rootOf(cwd);
    return root === null ? trees : trees.set(root, null);
  }
  for (const file of tool.files) {
    const path = resolve(cwd, file);
    const root = rootOf(dirname(path));
    if (root !== null) trees.set(root, [...(trees.get(root) ?? []), path]);
  }
  return trees;
}

/** Whole or absent: it is made aside and put in place when all of it is there. Gives back why nothing was kept. */
function keepTree(folder: string, place: string, about: KeptCall, files: readonly string[] | null): string | undefined {
  const draft = join(folder, `.${about.stamp}.${process.pid}.${place.slice(-2)}`);
  let why = files === null ? NO_ANSWER : undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (readdirSync(folder).length >= MOST_CALLS) return `${NO_ANSWER}, and too many calls wait for one`;
    mkdirSync(draft, { mode: 0o700 });
    let kept: readonly KeptFile[] = [];
    try {
      if (files !== null) kept = alone(folder, () => copyAll(draft, files));
    } catch (error) {
      why = `${NO_ANSWER}, and its files could not be kept: ${(error as Error).message}`;
      for (const name of readdirSync(draft)) rmSync(join(draft, name), { force: true });
    }
    // Of an end that could not be kept there is nothing to say.
    if (about.isEnd && why !== undefined) throw new Error(why);
    const call: KeptCall = { ...about, files: kept, ...(why !== undefined && { noWayBack: why }) };
    writeFileSync(join(draft, CALL_FILE), JSON.stringify(call), { mode: 0o600 });
    renameSync(draft, place);
  } catch (error) {
    why ??= `${NO_ANSWER}, and its files could not be kept: ${(error as Error).message}`;
    rmSync(draft, { recursive: true, force: true });
  }
  return why;
}

/** One copies at a time, so that many calls at once do not fill the disk or the time of each. */
function alone<T>(folder: string, act: () => T): T {
  const lock = join(folder, '.lock');
  for (let waited = 0; !taken(lock); waited += LOCK_STEP_MS) {
    if (waited >= LOCK_WAIT_MS) throw new Error('other calls are being kept');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_STEP_MS);
  }
  try {
    return act();
  } finally {
    rmSync(lock, { force: true });
  }
}

function taken(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (Math.abs(age) > LOCK_STALE_MS) rmSync(lock, { force: true });
    return false;
  }
}

function copyAll(draft: string, files: readonly string[]): KeptFile[] {
  if (files.length > MOST_FILES) throw new Error(`it names ${files.length} files`);
  let room = MOST_BYTES;
  return files.map((path, at): KeptFile => {
    const look = lstatOf(path);
    if (look === undefined) return { path, kind: 'absent' };
    if (look.isSymbolicLink()) return { path, kind: 'symlink', target: readlinkSync(path, { encoding: 'buffer' }).toString('base64') };
    if (!look.isFile()) throw new Error(`${JSON.stringify(path)} is not a regular file`);
    room -= look.size;
    if (room < 0) throw new Error(`more than ${MOST_BYTES / 1024 / 1024} MB`);
    const content = String(at);
    // Where the file system can, the copy shares the file's blocks.
    copyFileSync(path, join(draft, content), constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    chmodSync(join(draft, content), 0o600);
    return { path, kind: 'file', content, executable: (look.mode & 0o100) !== 0 };
  });
}

function lstatOf(path: string) {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Whether the person of a session was told of a call without a way back that no server has seen yet. */
function wasNotified(folder: string, session: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder).some((name) => {
    const call = readKept(join(folder, name));
    return call?.told === true && call.session === session;
  });
}

export function readKept(place: string): KeptCall | undefined {
  try {
    const call = JSON.parse(readFileSync(join(place, CALL_FILE), 'utf8')) as KeptCall;
    return typeof call.stamp === 'string' && typeof call.root === 'string' && Array.isArray(call.files) ? call : undefined;
  } catch {
    return undefined;
  }
}

function noteNotified(place: string): void {
  const call = readKept(place);
  if (call === undefined || call.noWayBack === undefined) return;
  try {
    writeFileSync(join(place, `${CALL_FILE}.new`), JSON.stringify({ ...call, told: true }), { mode: 0o600 });
    renameSync(join(place, `${CALL_FILE}.new`), join(place, CALL_FILE));
  } catch {
    // then it may be said twice
  }
}
