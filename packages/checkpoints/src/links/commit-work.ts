import { gitOutput } from '../git.ts';
import type { Place } from '../place.ts';
import { fields, type RawPath } from '../raw-path.ts';
import { type Entry, emptyTree, lookUp, parseRaw, sameEntry } from '../tree.ts';
import { openTurns } from '../turns.ts';
import { readLast } from '../working-state.ts';
import { readPending } from './pending.ts';

/** What a commit changes: path → what it has there, null where it deletes. */
export type CommitFiles = ReadonlyMap<RawPath, Entry | null>;

/** What would be committed: the index that git is using, which may be one for this commit alone. Only read, never locked. */
export async function stagedFiles(place: Place, head: string | null, indexFile: string): Promise<CommitFiles> {
  const { git, repository } = place;
  const args = ['diff-index', '--cached', '-z', '--raw', '--no-renames', '--no-abbrev', head ?? emptyTree(repository.objectFormat)];
  const output = fields(await gitOutput(git, args, { cwd: repository.root, environment: { GIT_INDEX_FILE: indexFile } }));
  return new Map(parseRaw(output).map(({ path, after }) => [path, after]));
}

/** What a commit did to its first parent. */
export async function committedFiles(place: Place, commit: string): Promise<CommitFiles> {
  const { git, repository } = place;
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
  return new Map(parseRaw(output).map(({ path, after }) => [path, after]));
}

/** Sessions whose recorded work a commit takes in: '' stands for one that is not known. */
export async function recordedSessionsIn(place: Place, files: CommitFiles): Promise<string[]> {
  const { paths } = await readPending(place);
  return [...new Set([...files.keys()].flatMap((path) => paths.get(path)?.sessions ?? []))];
}

/** Sessions of which a commit holds work, recorded or not. */
export async function sessionsIn(place: Place, files: CommitFiles, parent: string | null): Promise<string[]> {
  const sessions = new Set(await recordedSessionsIn(place, files));
  const turns = await openTurns(place);
  const last = await readLast(place.state);
  if (turns.length === 0 || !last) return [...sessions];
  // In an open turn everything that was not there at its beginning is the agent's, though no checkpoint has it yet.
  const clean = [...files.keys()].filter((path) => !last.files.has(path));
  const base = last.head ?? parent;
  const inHead = base ? await lookUp(place.git, place.repository.root, base, clean) : new Map<RawPath, Entry>();
  const isNew = [...files].some(([path, entry]) => {
    const known = last.files.get(path);
    return !sameEntry(entry, known ? known.entry : inHead.get(path));
  });
  if (isNew) for (const { session } of turns) sessions.add(session);
  return [...sessions];
}
