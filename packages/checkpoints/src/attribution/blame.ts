import { ulid } from '@piton/contracts';
import type { Author, Checkpoint } from '../checkpoint.ts';
import { GitError, gitOutput } from '../git.ts';
import { committedFiles } from '../links/commit-work.ts';
import { type LinkIndex, linkIndex, resolveLink } from '../links/resolve.ts';
import { listCheckpoints } from '../listing.ts';
import type { Place } from '../place.ts';
import { fields, fromRoot, type RawPath, shownPath, unquoted } from '../raw-path.ts';
import { lookAt, readWorkingFile } from '../working-file.ts';
import { matchLines } from './line-match.ts';
import { unblamable } from './unblamable.ts';
import { followFile, type Label, linesOf, readBlobs } from './versions.ts';

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

interface Context {
  readonly place: Place;
  readonly index: LinkIndex;
  readonly all: readonly Checkpoint[];
  /** commit, path → labels of that version's lines. */
  readonly labels: Map<string, Promise<readonly Label[]>>;
}

async function createContext(place: Place): Promise<Context> {
  return { place, index: await linkIndex(place), all: await listCheckpoints(place.git, place.repository), labels: new Map() };
}

/** Who wrote each line of a file of the working tree, or of a commit; null where `unblamable` says why not. */
export async function blameFile(place: Place, file: string, rev?: string): Promise<BlamedLine[] | null> {
  if (await unblamable(place, file, rev)) return null;
  const path = fromRoot(place.repository.root, file);
  if (path === null) return null;
  const { git, repository } = place;
  const args = ['blame', '--porcelain', '-M', '-C', ...(rev ? [rev] : []), '--', shownPath(path)];
  const result = await git(args, { cwd: repository.root });
  if (result.code !== 0) {
    // Git's own trouble, such as a setting that names a missing file, does not make a committed file a new one.
    if (rev || (await git(['cat-file', '-e', `HEAD:./${shownPath(path)}`], { cwd: repository.root })).code === 0)
      throw new GitError(args, result);
    return blameUntracked(place, path);
  }
  const origins = parseBlame(result.stdout);
  const context = await createContext(place);
  const texts = origins.map(({ text }) => text);
  const uncommitted = origins.some(({ commit }) => commit === null) ? await labelsOfWork(context, path, texts) : [];
  const lines: BlamedLine[] = [];
  for (const [at, { commit, path: origin, line, text }] of origins.entries()) {
    const label = commit === null ? uncommitted[at] : (await labelsIn(context, commit, origin))[line - 1];
    lines.push({ line: at + 1, text: decoded(text), commit, ...writer(label) });
  }
  return lines;
}

async function blameUntracked(place: Place, path: RawPath): Promise<BlamedLine[] | null> {
  const { kind } = lookAt(place.repository.root, path);
  const bytes = kind === 'file' || kind === 'symlink' ? await readWorkingFile(place.repository.root, path, kind) : null;
  if (!bytes) return null;
  const texts = linesOf(bytes);
  const labels = await labelsOfWork(await createContext(place), path, texts);
  return texts.map((text, at) => ({ line: at + 1, text: decoded(text), commit: null, ...writer(labels[at]) }));
}

/** Lines are compared as bytes, and shown as text. */
const decoded = (text: string): string => Buffer.from(text, 'latin1').toString();

const writer = (label: Label | undefined) => ({
  by: label?.by ?? 'human',
  session: label?.by === 'human' ? null : (label?.workOf ?? null),
  checkpoint: label ?? null,
});

interface Origin {
  readonly commit: string | null;
  readonly path: RawPath;
  readonly line: number;
  readonly text: string;
}

function parseBlame(output: Buffer): Origin[] {
  const origins: Origin[] = [];
  const paths = new Map<string, RawPath>();
  let [commit, line] = ['', 0];
  for (const text of output.toString('latin1').split('\n')) {
    const header = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) (\d+) \d+/.exec(text);
    if (header) [commit, line] = [header[1] ?? '', Number(header[2])];
    else if (text.startsWith('filename ')) paths.set(commit, unquoted(text.slice('filename '.length)));
    else if (text.startsWith('\t')) {
      const origin = { path: paths.get(commit) ?? '', line, text: text.slice(1).replace(/\r$/, '') };
      origins.push({ ...origin, commit: /^0+$/.test(commit) ? null : commit });
    }
  }
  return origins;
}

/** Lines that are in no commit yet: the checkpoints of this worktree, and the file as it is now. */
async function labelsOfWork({ place, all }: Context, path: RawPath, texts: readonly string[]): Promise<readonly Label[]> {
  const chain = all.filter(({ worktree }) => worktree === place.repository.worktree);
  const history = await followFile(place, chain, path);
  history.add(texts, null);
  return history.last.labels;
}

/** The authors of a commit's version of a file, by the checkpoints that led to it; people's where none did. */
function labelsIn(context: Context, commit: string, path: RawPath): Promise<readonly Label[]> {
  const key = `${commit} ${path}`;
  const found = context.labels.get(key) ?? labelsOfCommit(context, commit, path);
  context.labels.set(key, found);
  return found;
}

async function labelsOfCommit({ place, index, all }: Context, commit: string, path: RawPath): Promise<readonly Label[]> {
  const until = await lastBefore(place, commit, index);
  const chain = all.filter(({ id }) => id <= until);
  if (chain.length === 0) return [];
  const [bytes] = await readBlobs(place.git, place.repository.root, [[commit, path]]);
  if (!bytes) return [];
  const lines = linesOf(bytes);
  // Each worktree is a story of its own; a line that an agent wrote in any of them is an agent's, whoever checked it out in another.
  const found: Label[] = lines.map(() => null);
  for (const worktree of new Set(chain.map((checkpoint) => checkpoint.worktree))) {
    const own = chain.filter((checkpoint) => checkpoint.worktree === worktree);
    const history = await followFile(place, own, path);
    history.add(lines, null);
    for (const [at, label] of history.last.labels.entries()) if (label && weight(label) > weight(found[at])) found[at] = label;
  }
  return found;
}

const weight = (label: Label | undefined): number => (label ? ['human', 'shared', 'agent'].indexOf(label.by) : -1);

/** The last checkpoint that may have led to a commit: the one it links to, or the last before it was made. */
async function lastBefore(place: Place, commit: string, index: LinkIndex): Promise<string> {
  const link = await resolveLink(place, commit, index);
  const time = await gitOutput(place.git, ['log', '-1', '--format=%ct', commit], { cwd: place.repository.root });
  const atCommit = ulid((Number(time.toString()) + 1) * 1000, new Uint8Array(10));
  const linked = link?.ids.at(-1) ?? '';
  return [linked, atCommit].sort().at(-1) ?? atCommit;
}

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
}

/** How much of a commit is whose. */
export async function attributeCommit(place: Place, rev: string): Promise<Attribution | null> {
  const { git, repository } = place;
  const parsed = await git(['rev-parse', '--quiet', '--verify', '--end-of-options', `${rev}^{commit}`], { cwd: repository.root });
  if (parsed.code !== 0) return null;
  const commit = parsed.stdout.toString().trim();
  const context = await createContext(place);
  const counts = { agent: 0, human: 0, shared: 0 };
  let [removed, binary] = [0, 0];
  const sessions = new Set<string>();
  const renames = await renamesIn(place, commit);
  const renamed = new Set(renames.values());
  const files = [...(await committedFiles(place, commit)).entries()].filter(
    ([path, entry]) => entry?.mode !== '160000' && (entry !== null || !renamed.has(path)),
  );
  const pairs = files.flatMap(([path]) => [[`${commit}^`, renames.get(path) ?? path] as const, [commit, path] as const]);
  const blobs = await readBlobs(git, repository.root, pairs);
  for (const [at, [path]] of files.entries()) {
    const [before, after] = [blobs[2 * at] ?? null, blobs[2 * at + 1] ?? null];
    if (before?.includes(0) || after?.includes(0)) {
      binary++;
      continue;
    }
    const [then, now] = [before ? linesOf(before) : [], after ? linesOf(after) : []];
    const match = matchLines(then, now);
    removed += then.length - match.filter((line) => line >= 0).length;
    const labels = await labelsIn(context, commit, path);
    for (const [line, from] of match.entries()) {
      if (from >= 0) continue;
      const label = labels[line];
      counts[label?.by ?? 'human']++;
      if (label?.by === 'agent' && label.workOf) sessions.add(label.workOf);
    }
  }
  const link = await resolveLink(place, commit, context.index);
  return { commit, checkpoints: link?.ids ?? [], ...counts, removed, binary, sessions: [...sessions].sort() };
}

/** New name → old name: a file that was only moved is not written anew. */
async function renamesIn({ git, repository }: Place, commit: string): Promise<Map<RawPath, RawPath>> {
  const args = ['diff-tree', '-r', '-z', '-M', '--diff-filter=R', '--name-status', `${commit}^`, commit];
  const { code, stdout } = await git(args, { cwd: repository.root });
  // A first commit has no parent to compare it with.
  const output = code === 0 ? fields(stdout) : [];
  const found = new Map<RawPath, RawPath>();
  for (let at = 0; at + 2 < output.length; at += 3) found.set(output[at + 2] ?? '', output[at + 1] ?? '');
  return found;
}
