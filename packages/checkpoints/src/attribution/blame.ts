import type { Author, Checkpoint } from '../checkpoint.ts';
import { fromRoot } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import { foresee } from './ahead.ts';
import { inAdvance } from './committed.ts';
import { type BlameOptions, ignoredCommits } from './ignored-commits.ts';
import { inTheWorks, isInTheWorks } from './in-the-works.ts';
import { type Context, createContext, labelsIn, labelsOfWork } from './labels.ts';
import { type Origin, originsIn, originsOfWork } from './origins.ts';
import { keepResult, readResult, resultKey } from './result-cache.ts';
import { unblamable } from './unblamable.ts';
import type { Label } from './versions.ts';
import { readCommitted, readWork } from './work.ts';

export interface BlamedLine {
  readonly line: number;
  readonly text: string;
  /** Null while it is in no commit. */
  readonly commit: string | null;
  readonly by: Author;
  /** Of an agent's line: the session that wrote it, which need not be the one that its checkpoint is about. */
  readonly session: string | null;
  /** The agent of that session. */
  readonly agent: string | null;
  /** In whose interval the line came; null for people's lines that no checkpoint tells of. */
  readonly checkpoint: Checkpoint | null;
}

/** Who wrote each line of a file of the working tree, or of a commit; null where `unblamable` says why not. */
export async function blameFile(worktree: Worktree, file: string, rev?: string, options: BlameOptions = {}): Promise<BlamedLine[] | null> {
  if (await unblamable(worktree, file, rev)) return null;
  const path = fromRoot(worktree.repository.root, file);
  if (path === null) return null;
  const version = rev === undefined ? await readWork(worktree, path) : await readCommitted(worktree, path, rev);
  if (version === null) return null;
  const ignored = await ignoredCommits(worktree, options);
  const works = await inTheWorks(worktree, path);
  const asked = ['blame', path, version.commit, version.oid, options.ignoreSpace === true, ignored];
  // What is in the works will soon have a checkpoint, and another answer.
  const key = canKeep(worktree) && !isInTheWorks(works) ? await resultKey(worktree, asked) : null;
  const kept = key === null ? null : keptLines(readResult<KeptLines>(worktree, key), version.lines);
  if (kept) return kept;
  const context = await createContext(worktree, options);
  // What it takes to follow the file is asked for while git looks where its lines come from.
  const [origins] = await Promise.all([
    version.kind === 'committed'
      ? originsIn(worktree, path, version.commit, ignored, options)
      : originsOfWork(context, version, ignored, options),
    foresee(context, [{ path, chains: context.chains }]),
  ]);
  const isOpen = version.kind !== 'committed' && origins.some(({ commit }) => commit === null);
  const lines = await blamedLines(context, origins, isOpen ? await labelsOfWork(context, version, works) : []);
  // What was found by a look at the rest of the working tree may be different the next time.
  if (key !== null && !context.hasStatus()) await keepResult(worktree, key, linesToKeep(lines));
  return lines;
}

/** A filter, or a list of commits that git's own settings name, may make something else of the same bytes. */
const canKeep = ({ repository: { settings, configuration } }: Worktree): boolean =>
  settings.filters.cleaning.size === 0 && !/ignorerevsfile/i.test(configuration);

type Writer = Pick<BlamedLine, 'by' | 'session' | 'agent' | 'checkpoint'>;

/** Of each line, which of the commits and which of the writers. */
interface KeptLines {
  readonly commits: readonly (string | null)[];
  readonly writers: readonly Writer[];
  readonly rows: readonly (readonly [commit: number, writer: number])[];
}

function linesToKeep(lines: readonly BlamedLine[]): KeptLines {
  const commits = [...new Set(lines.map(({ commit }) => commit))];
  const writers = new Map(
    lines.map(({ by, session, agent, checkpoint }) => [checkpoint?.id ?? '', { by, session, agent, checkpoint }] as const),
  );
  const [places, writerPlaces] = [
    new Map(commits.map((commit, at) => [commit, at])),
    new Map([...writers.keys()].map((id, at) => [id, at])),
  ];
  const rows = lines.map(({ commit, checkpoint }) => [places.get(commit) ?? 0, writerPlaces.get(checkpoint?.id ?? '') ?? 0] as const);
  return { commits, writers: [...writers.values()], rows };
}

/** Null where it does not fit: whoever wrote it, it is not believed. */
function keptLines(kept: Partial<KeptLines> | null, lines: readonly string[]): BlamedLine[] | null {
  const { commits = [], writers = [], rows = [] } = kept ?? {};
  if (kept === null || rows.length !== lines.length) return null;
  const found = lines.flatMap((text, at) => {
    const [commit, writer] = [commits[rows[at]?.[0] ?? -1], writers[rows[at]?.[1] ?? -1]];
    return commit === undefined || !writer ? [] : [{ line: at + 1, text: decoded(text), commit, ...writer }];
  });
  return found.length === lines.length ? found : null;
}

async function blamedLines(context: Context, origins: readonly Origin[], uncommitted: readonly Label[]): Promise<BlamedLine[]> {
  await labelTogether(context, origins);
  const lines: BlamedLine[] = [];
  for (const [at, { commit, path, line, text }] of origins.entries()) {
    const label = commit === null ? uncommitted[at] : (await labelsIn(context, commit, path))[line - 1];
    lines.push({ line: at + 1, text: decoded(text), commit, ...writer(context, label) });
  }
  return lines;
}

/** Of each version that lines come from. */
async function labelTogether(context: Context, origins: readonly Origin[]): Promise<void> {
  const distinct = new Map(origins.flatMap(({ commit, path }) => (commit ? [[`${commit} ${path}`, [commit, path] as const]] : [])));
  const versions = [...distinct.values()];
  const oids = await context.objects.ids(versions);
  const files = versions.map(([commit, path], at) => ({ commit, path, before: null, after: oids[at] ?? null, compared: false }));
  for await (const { commit, path } of inAdvance(context, files)) await labelsIn(context, commit, path);
}

/** Lines are compared as bytes, and shown as text. */
const decoded = (text: string): string => Buffer.from(text, 'latin1').toString();

function writer({ agents }: Context, label: Label | undefined): Writer {
  const { by = 'human', workOf = null, workAgent = null } = label ?? {};
  const session = by === 'human' ? null : workOf;
  return { by, session, agent: session === null ? null : (workAgent ?? agents.get(session) ?? null), checkpoint: label?.id ? label : null };
}
