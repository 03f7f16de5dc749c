import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { checkpointRef } from '../checkpoint.ts';
import { goneState, worktreeKey } from './repository.ts';
import { stateDirectory } from './state-directory.ts';

/** What is known of each working tree lies in a folder that is named after its git directory. */
const stateOf = (home: string, gitDir: string): string => join(stateDirectory(home), worktreeKey({ gitDir }));

/** Of repositories that lay there once, and in whose place another was seen since, the state of the one that now lies in `to`. */
function goneTo(state: string, to: string): string | undefined {
  const start = basename(goneState(state, ''));
  const names = existsSync(dirname(state)) ? readdirSync(dirname(state)) : [];
  const name = names.find((each) => each.startsWith(start) && hasCheckpoint(to, each.slice(start.length)));
  return name === undefined ? undefined : join(dirname(state), name);
}

/** In a state that is being moved, until the list of repositories names the new place: where it was. Whoever began that may be gone. */
const movingFile = (state: string): string => join(state, 'moved-from');

function movingFrom(state: string): string | null {
  try {
    return readFileSync(movingFile(state), 'utf8');
  } catch {
    return null;
  }
}

/** The list names the new place. */
export const movedState = (home: string, to: string): void => rmSync(movingFile(stateOf(home, to)), { force: true });

/**
 * Of repositories that were watched elsewhere, the one that now lies in `gitDir`: it has the last checkpoint that was taken
 * there, and the old place has none any more. A copy has it too, but then the old place still has some, though perhaps not the last.
 * Where another has been made in the old place, that one's checkpoints tell nothing. Or its state is here already, since another process
 * has begun to move it.
 */
export function findMovedFrom(home: string, roots: readonly string[], gitDir: string): string | undefined {
  const moving = movingFrom(stateOf(home, gitDir));
  if (moving !== null && roots.includes(moving)) return moving;
  return roots.find((root) => {
    const old = join(root, '.git');
    if (old === gitDir) return false;
    const state = stateOf(home, old);
    return (hasLast(state, gitDir) && !hasCheckpoints(old)) || goneTo(state, gitDir) !== undefined;
  });
}

/** What waits for a commit, was promised to one, or belongs to an open turn comes along, in all of its working trees. */
export function moveState(home: string, from: string, to: string): void {
  const linked = existsSync(join(to, 'worktrees')) ? readdirSync(join(to, 'worktrees')) : [];
  // What lies under the old name is then that other one's.
  const isMadeAgain = goneTo(stateOf(home, from), to) !== undefined;
  for (const part of ['', ...linked.map((name) => join('worktrees', name))]) {
    const [kept, now] = [stateOf(home, join(from, part)), stateOf(home, join(to, part))];
    const old = goneTo(kept, to) ?? (isMadeAgain && !hasLast(kept, to) ? undefined : kept);
    if (old === undefined || !existsSync(old)) continue;
    if (part === '') note(movingFile(old), dirname(from));
    // What was still at work when the repository was moved has written there, and nobody knows of a checkpoint by it.
    if (existsSync(now) && !existsSync(join(now, 'last.json'))) rmSync(now, { recursive: true, force: true });
    if (!existsSync(now)) rename(old, now);
  }
}

function note(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Another process that follows the same repository may be faster. */
function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isGone(error) && !existsSync(to)) throw error;
  }
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

function hasLast(state: string, gitDir: string): boolean {
  const id = lastCheckpoint(state);
  return id !== null && hasCheckpoint(gitDir, id);
}

function lastCheckpoint(state: string): string | null {
  try {
    return (JSON.parse(readFileSync(join(state, 'last.json'), 'utf8')) as { id: string }).id;
  } catch {
    return null;
  }
}

function hasCheckpoint(gitDir: string, id: string): boolean {
  return existsSync(join(gitDir, checkpointRef(id))) || packedRefs(gitDir).includes(` ${checkpointRef(id)}\n`);
}

function hasCheckpoints(gitDir: string): boolean {
  const folder = join(gitDir, checkpointRef(''));
  return (existsSync(folder) && readdirSync(folder).length > 0) || packedRefs(gitDir).includes(` ${checkpointRef('')}`);
}

function packedRefs(gitDir: string): string {
  try {
    return readFileSync(join(gitDir, 'packed-refs'), 'latin1');
  } catch {
    return '';
  }
}
