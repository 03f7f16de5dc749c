import { gitOutput } from '@piton/git';
import { fields, type RawPath } from '../raw-path.ts';
import { type Difference, type Entry, emptyTree, lookUp, parseRaw, sameEntry } from '../snapshot/tree.ts';
import { readLast } from '../snapshot/working-state.ts';
import { openTurns } from '../turns/turn-file.ts';
import type { Worktree } from '../worktree.ts';
import { broughtBack, readPending } from './pending.ts';
import { isSurelyLeft, sessionsLeft } from './work-left.ts';

/** What a commit changes: path → what it has there, null where it deletes. */
export type CommitFiles = ReadonlyMap<RawPath, Entry | null>;

/** The same, with what its first parent has there. */
export type CommitChanges = ReadonlyMap<RawPath, Difference>;

/** What would be committed: the index that git is using, which may be one for this commit alone. Only read, never locked. */
export async function stagedChanges(worktree: Worktree, head: string | null, indexFile: string): Promise<CommitChanges> {
  const { git, repository } = worktree;
  const args = ['diff-index', '--cached', '-z', '--raw', '--no-renames', '--no-abbrev', head ?? emptyTree(repository.objectFormat)];
  const output = fields(await gitOutput(git, args, { cwd: repository.root, environment: { GIT_INDEX_FILE: indexFile } }));
  return new Map(parseRaw(output).map((change) => [change.path, change]));
}

/** What a commit did to its first parent. */
export async function committedChanges(worktree: Worktree, commit: string): Promise<CommitChanges> {
  const { git, repository } = worktree;
  const args = [
    'diff-tree',
    '--root',
    '--no-commit-id',
    '-r',
    '-m',
    '--first-parent',
    '-z',
    '--raw',
    '--no-renames',
    '--no-abbrev',
    commit,
  ];
  const output = fields(await gitOutput(git, args, { cwd: repository.root }));
  return new Map(parseRaw(output).map((change) => [change.path, change]));
}

export async function committedFiles(worktree: Worktree, commit: string): Promise<CommitFiles> {
  return new Map([...(await committedChanges(worktree, commit)).values()].map(({ path, after }) => [path, after]));
}

/** The same of many commits, in one process; those that are gone, or change nothing, are not among them. */
export async function filesOfAll({ git, repository }: Worktree, commits: readonly string[]): Promise<Map<string, CommitFiles>> {
  const found = new Map<string, Map<RawPath, Entry | null>>();
  if (commits.length === 0) return found;
  const args = ['diff-tree', '--stdin', '--root', '-r', '-m', '--first-parent', '-z', '--raw', '--no-renames', '--no-abbrev'];
  const output = fields(await gitOutput(git, args, { cwd: repository.root, input: Buffer.from(`${commits.join('\n')}\n`) }));
  let files = new Map<RawPath, Entry | null>();
  for (let at = 0; at < output.length; at++) {
    const text = output[at] ?? '';
    if (text.startsWith(':')) {
      for (const { path, after } of parseRaw([text, output[++at] ?? ''])) files.set(path, after);
      continue;
    }
    files = new Map();
    found.set(text, files);
  }
  return found;
}

/** Sessions whose recorded work a commit takes in: '' stands for one that is not known. Files are read only where that is in doubt. */
export async function recordedSessionsIn(worktree: Worktree, changes: CommitChanges): Promise<string[]> {
  const pending = await readPending(worktree);
  const paths = new Map([...broughtBack(pending, changes), ...pending.paths]);
  const all = new Set<string>();
  const sure = new Set<string>();
  for (const change of changes.values()) {
    const work = paths.get(change.path);
    if (!work) continue;
    const isSure = isSurelyLeft(work, change);
    for (const session of work.sessions) {
      all.add(session);
      if (isSure) sure.add(session);
    }
  }
  const doubtful = new Set([...all].filter((session) => !sure.has(session)));
  const left = doubtful.size > 0 ? await sessionsLeft(worktree, changes, paths, doubtful) : doubtful;
  return [...all].filter((session) => sure.has(session) || left.has(session));
}

/** Sessions of which a commit holds work, recorded or not. */
export async function sessionsIn(worktree: Worktree, changes: CommitChanges, parent: string | null): Promise<string[]> {
  const sessions = new Set(await recordedSessionsIn(worktree, changes));
  const turns = (await openTurns(worktree)).filter(({ calls }) => calls === undefined);
  const last = await readLast(worktree.state);
  if (turns.length === 0 || !last) return [...sessions];
  // In a turn whose calls nobody follows everything that was not there at its beginning is the agent's, though no checkpoint has it yet.
  const clean = [...changes.keys()].filter((path) => !last.files.has(path));
  const base = last.head ?? parent;
  // What the changes are held against is most often just that.
  const isSame = base === parent;
  const inBase = base && !isSame ? await lookUp(worktree.git, worktree.repository.root, base, clean) : new Map<RawPath, Entry>();
  const isNew = [...changes.values()].some(({ path, before, after }) => {
    const known = last.files.get(path);
    return !sameEntry(after, known ? known.entry : isSame ? before : inBase.get(path));
  });
  if (isNew) for (const { session } of turns) sessions.add(session);
  return [...sessions];
}
