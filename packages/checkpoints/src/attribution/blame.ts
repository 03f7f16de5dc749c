import type { Author, Checkpoint } from '../checkpoint.ts';
import { resolveLink } from '../links/resolve.ts';
import { fromRoot } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import { filesIn, inAdvance } from './committed.ts';
import { type Context, createContext, labelsIn, labelsOfWork } from './labels.ts';
import { matchLines } from './line-match.ts';
import { linesOf } from './lines.ts';
import { type Origin, originsIn, originsOfWork } from './origins.ts';
import { unblamable } from './unblamable.ts';
import type { Label } from './versions.ts';
import { readWork } from './work.ts';

export interface BlamedLine {
  readonly line: number;
  readonly text: string;
  /** Null while it is in no commit. */
  readonly commit: string | null;
  readonly by: Author;
  /** Of an agent's line: the session that wrote it. */
  readonly session: string | null;
  /** In whose interval the line came; null for people's lines that no checkpoint tells of. */
  readonly checkpoint: Checkpoint | null;
}

/** Who wrote each line of a file of the working tree, or of a commit; null where `unblamable` says why not. */
export async function blameFile(worktree: Worktree, file: string, rev?: string): Promise<BlamedLine[] | null> {
  if (await unblamable(worktree, file, rev)) return null;
  const path = fromRoot(worktree.repository.root, file);
  if (path === null) return null;
  const context = await createContext(worktree);
  if (rev !== undefined) return blamedLines(context, await originsIn(worktree, path, rev), []);
  const work = await readWork(worktree, path);
  if (work === null) return null;
  const origins = await originsOfWork(context, work);
  const uncommitted = origins.some(({ commit }) => commit === null) ? await labelsOfWork(context, work) : [];
  return blamedLines(context, origins, uncommitted);
}

async function blamedLines(context: Context, origins: readonly Origin[], uncommitted: readonly Label[]): Promise<BlamedLine[]> {
  await labelTogether(context, origins);
  const lines: BlamedLine[] = [];
  for (const [at, { commit, path, line, text }] of origins.entries()) {
    const label = commit === null ? uncommitted[at] : (await labelsIn(context, commit, path))[line - 1];
    lines.push({ line: at + 1, text: decoded(text), commit, ...writer(label) });
  }
  return lines;
}

/** Of each version that lines come from. */
async function labelTogether(context: Context, origins: readonly Origin[]): Promise<void> {
  const distinct = new Map(origins.flatMap(({ commit, path }) => (commit ? [[`${commit} ${path}`, [commit, path] as const]] : [])));
  const versions = [...distinct.values()];
  const oids = await context.objects.ids(versions);
  const files = versions.map(([commit, path], at) => ({ commit, path, before: null, after: oids[at] ?? null }));
  for await (const { commit, path } of inAdvance(context, files)) await labelsIn(context, commit, path);
}

/** Lines are compared as bytes, and shown as text. */
const decoded = (text: string): string => Buffer.from(text, 'latin1').toString();

const writer = (label: Label | undefined) => ({
  by: label?.by ?? 'human',
  session: label?.by === 'human' ? null : (label?.workOf ?? null),
  checkpoint: label ?? null,
});

export interface Attribution {
  readonly commit: string;
  readonly checkpoints: readonly string[];
  /** Lines that the commit added, by who wrote them. */
  readonly agent: number;
  readonly human: number;
  readonly shared: number;
  readonly removed: number;
  /** Files without lines: counted as files. */
  readonly binary: number;
  readonly sessions: readonly string[];
  /** In whose intervals its lines came that are not only people's, the oldest first. */
  readonly written: readonly Checkpoint[];
}

/** How much of a commit is whose. */
export async function attributeCommit(worktree: Worktree, rev: string): Promise<Attribution | null> {
  const { git, repository } = worktree;
  const parsed = await git(['rev-parse', '--quiet', '--verify', '--end-of-options', `${rev}^{commit}`], { cwd: repository.root });
  if (parsed.code !== 0) return null;
  const commit = parsed.stdout.toString().trim();
  const context = await createContext(worktree);
  const counts = { agent: 0, human: 0, shared: 0 };
  let [removed, binary] = [0, 0];
  const sessions = new Set<string>();
  const written = new Map<string, Checkpoint>();
  for await (const { path, ...oids } of inAdvance(context, await filesIn(context, commit))) {
    const [before = null, after = null] = await context.objects.read([oids.before, oids.after]);
    if (before?.includes(0) || after?.includes(0)) {
      binary++;
      continue;
    }
    const [then, now] = [before ? linesOf(before) : [], after ? linesOf(after) : []];
    const match = matchLines(then, now);
    removed += then.length - match.filter((line) => line >= 0).length;
    // As for what a merge has from its other side.
    if (match.every((line) => line >= 0)) continue;
    const labels = await labelsIn(context, commit, path);
    for (const [line, from] of match.entries()) {
      if (from >= 0) continue;
      const label = labels[line];
      counts[label?.by ?? 'human']++;
      if (label?.by === 'agent' && label.workOf) sessions.add(label.workOf);
      if (label && label.by !== 'human') written.set(label.id, label);
    }
  }
  const link = await resolveLink(worktree, commit, context.index);
  const known = { sessions: [...sessions].sort(), written: [...written.keys()].sort().flatMap((id) => written.get(id) ?? []) };
  return { commit, checkpoints: link?.ids ?? [], ...counts, removed, binary, ...known };
}
