import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type About, oneLine } from '../checkpoint.ts';
import type { RawPath } from '../raw-path.ts';
import { readHead } from '../repositories/repository.ts';
import { compareStates, type FileChange } from '../snapshot/comparison.ts';
import { scan, stripped, type Taken, take } from '../snapshot/take.ts';
import { readLast, revivedState, stateText, type WorkingState, writeWhole } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';

/** What names a subagent's run: its tool call, else its own id, else which one it is in its session. */
export interface TaskIdentity {
  readonly session: string;
  readonly toolUseId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly order?: number | undefined;
}

/** Ids come from agents and may hold anything, line feeds included. */
function noteFile(worktree: Worktree, { session, toolUseId, agentId, order }: TaskIdentity): string {
  const name = toolUseId ? ['tool', toolUseId] : agentId ? ['agent', agentId] : ['order', `${order ?? 0}`];
  const key = createHash('sha256')
    .update(JSON.stringify([session, ...name]))
    .digest('hex')
    .slice(0, 32);
  return join(worktree.state, 'notes', `${key}.json`);
}

interface Note extends WorkingState {
  readonly name?: string;
}

interface NoteOptions {
  /** It has a note of this very moment already, with its name. */
  readonly like?: TaskIdentity | undefined;
  /** What the task is called; it is redacted before it is written. */
  readonly name?: string | undefined;
}

/** Before a subagent: HEAD, and path, status and blob id of every file that differs from it. On disk when this returns. */
export async function noteTask(worktree: Worktree, task: TaskIdentity, { like, name }: NoteOptions = {}): Promise<void> {
  const known = like && (await readFile(noteFile(worktree, like), 'utf8').catch(() => null));
  if (known) return writeWhole(noteFile(worktree, task), known);
  const head = await readHead(worktree.git, worktree.repository);
  const state = stripped(await scan(worktree, head, await readLast(worktree.state), undefined, new Map()));
  const named = name === undefined ? {} : { name: oneLine(worktree.redact(name)) };
  await writeWhole(noteFile(worktree, task), stateText({ ...state, ...named }));
}

async function readNote(file: string): Promise<Note | null> {
  try {
    return revivedState<Note>(await readFile(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Somebody else tells what this task did. */
export const dropNote = (worktree: Worktree, task: TaskIdentity): Promise<void> => rm(noteFile(worktree, task), { force: true });

export type TaskTaken = Taken | { readonly result: 'no-note' };

/**
 * After a subagent: a checkpoint, if files differ from the note, with what the subagent did to them, and with the name in
 * the note if there is one. The note is removed once the checkpoint is durable.
 */
export async function takeTask(
  worktree: Worktree,
  task: TaskIdentity,
  about: Omit<About, 'kind' | 'by'>,
  beside: Beside | null = null,
): Promise<TaskTaken> {
  const file = noteFile(worktree, task);
  const note = await readNote(file);
  if (!note) return { result: 'no-note' };
  const head = await readHead(worktree.git, worktree.repository);
  const last = await readLast(worktree.state);
  const now = await scan(worktree, head, last, undefined, new Map());
  const all = await compareStates(worktree, note, now);
  const { own, shared } = beside === null ? { own: all, shared: [] } : splitChanges(all, beside.own, beside.others);
  const changes = [...own, ...shared];
  const apart = beside === null ? {} : { own: own.flatMap(namesIn), shared: shared.flatMap(namesIn) };
  const taken: Taken =
    changes.length === 0
      ? { result: 'unchanged', id: last?.id ?? '' }
      : await take(worktree, { ...about, name: note.name ?? about.name, kind: 'task', by: 'agent', always: true, ...apart });
  if (taken.result === 'failed') return taken;
  await rm(file, { force: true });
  return taken.result === 'made' ? { ...taken, changes } : taken;
}

/** What this subagent said that it changes, and what others did that worked at the same time. */
export interface Beside {
  readonly own: ReadonlySet<RawPath>;
  readonly others: ReadonlySet<RawPath>;
}

interface TaskChanges {
  readonly own: readonly FileChange[];
  readonly shared: readonly FileChange[];
}

/** Subagents that ran at the same time: by their own tool events where those tell, and shared where they do not. */
export function splitChanges(changes: readonly FileChange[], own: ReadonlySet<RawPath>, others: ReadonlySet<RawPath>): TaskChanges {
  const by = (change: FileChange, paths: ReadonlySet<RawPath>) => namesIn(change).some((path) => paths.has(path));
  return {
    own: changes.filter((change) => by(change, own) && !by(change, others)),
    shared: changes.filter((change) => by(change, own) === by(change, others)),
  };
}

/** What a process that was killed leaves in the state directory. */
const LEFTOVER = /^(convert-|rewind-|edges-)|\.new$/;

/** Notes of subagents that never came back, lists of sessions that never ended, and what a killed process left behind. */
export async function dropOldNotes(worktree: Worktree, olderThanMs: number): Promise<number> {
  const within = async (folder: string) => (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const files = [...(await within(join(worktree.state, 'notes'))), ...(await within(join(worktree.state, 'todos')))];
  const left = (await readdir(worktree.state).catch(() => []))
    .filter((name) => LEFTOVER.test(name))
    .map((name) => join(worktree.state, name));
  let dropped = 0;
  for (const file of [...files, ...left]) {
    const found = await stat(file).catch(() => null);
    if (!found || worktree.now() - found.mtimeMs < olderThanMs) continue;
    await rm(file, { recursive: true, force: true });
    dropped++;
  }
  return dropped;
}

const namesIn = (change: FileChange): RawPath[] => (change.change === 'renamed' ? [change.path, change.from] : [change.path]);
