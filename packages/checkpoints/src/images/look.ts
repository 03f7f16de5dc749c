import { GitError, gitOutput } from '@piton/git';
import type { RawPath } from '../raw-path.ts';
import { readHead } from '../repositories/repository.ts';
import type { Observed } from '../snapshot/observe.ts';
import { knownLast, type Scan, sameKnown, settledScan, stripped } from '../snapshot/take.ts';
import { emptyTree } from '../snapshot/tree.ts';
import type { LastCheckpoint, WorkingState } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';
import type { WayBack } from './call-log.ts';
import { type LastImage, readImage, writeImage } from './image-state.ts';
import { writeImageFiles } from './write-image.ts';

/** What is known of the working tree, be it by a checkpoint or by an image. */
export interface KnownState extends WorkingState {
  readonly tree: string;
  /** The last checkpoint. */
  readonly after: string | null;
}

/** The newest of both. A checkpoint that was made after the image knows better. */
export async function newestState(worktree: Worktree): Promise<{ known: KnownState | null; last: LastCheckpoint | null }> {
  const last = await knownLast(worktree);
  const image = readImage(worktree);
  if (image && image.after === (last?.id ?? null)) return { known: image, last };
  return { known: last && { ...last, after: last.id }, last };
}

export type Looked = { readonly wayBack: WayBack & { kind: 'image' }; readonly after: string | null };

/** One look at the working tree. Something is written only where a file differs from what is known. */
export async function lookBefore(worktree: Worktree, turn: string): Promise<Looked> {
  try {
    return await attempt(worktree, turn, true);
  } catch (error) {
    // What we took for stored may be gone: read everything again.
    if (!(error instanceof GitError)) throw error;
    return attempt(worktree, turn, false);
  }
}

async function attempt(worktree: Worktree, turn: string, trusting: boolean): Promise<Looked> {
  const { known, last } = await newestState(worktree);
  const after = last?.id ?? null;
  const headNow = () => readHead(worktree.git, worktree.repository, { asking: !trusting });
  const state = await settledScan(worktree, headNow, known, { trusting });
  const same = trusting && known !== null && isSame(known, state);
  const written = same
    ? { tree: known.tree, verbatim: await verbatimOf(worktree, known) }
    : await write(worktree, turn, known, state, trusting);
  await writeImage(worktree, { ...stripped(state), ...written, after });
  return { wayBack: { kind: 'image', ...written, base: state.head, skipped: state.skipped }, after };
}

/** Of a checkpoint it lies under a ref of its own. */
async function verbatimOf(worktree: Worktree, known: KnownState): Promise<string | null> {
  if ('verbatim' in known) return (known as LastImage).verbatim;
  if (known.after === null || ![...known.files.values()].some(({ verbatim }) => verbatim)) return null;
  const args = ['rev-parse', '--verify', `refs/piton/verbatim/${known.after}^{tree}`];
  return (await gitOutput(worktree.git, args, { cwd: worktree.repository.root })).toString().trim();
}

function isSame(known: KnownState, state: Scan): boolean {
  if (known.head !== state.head || known.files.size !== state.files.size || known.skipped.length !== state.skipped.length) return false;
  const left = new Set(known.skipped.map(({ path }) => path));
  if (!state.skipped.every(({ path }) => left.has(path))) return false;
  return [...known.files].every(([path, file]) => state.files.has(path) && sameKnown(state.files.get(path), file));
}

async function write(worktree: Worktree, turn: string, known: KnownState | null, state: Scan, trusting: boolean) {
  const files = new Map<RawPath, Observed>(state.files);
  const verbatim = new Map([...files].filter(([, file]) => file.verbatim));
  // Only what is new goes to git, if nothing has gone back to how HEAD has it.
  const incremental = trusting && known && known.head === state.head && [...known.files.keys()].every((path) => files.has(path));
  if (incremental) for (const [path, file] of known.files) if (sameKnown(files.get(path), file)) files.delete(path);
  const from = incremental ? known.tree : state.head === null ? null : await treeOf(worktree, state.head);
  const empty = emptyTree(worktree.repository.objectFormat);
  const written = await writeImageFiles(worktree, { turn, from: from === empty ? null : from, files, verbatim });
  return { tree: written.tree ?? empty, verbatim: written.verbatim };
}

const treeOf = async ({ git, repository }: Worktree, commit: string): Promise<string> =>
  (await gitOutput(git, ['rev-parse', '--verify', `${commit}^{tree}`], { cwd: repository.root })).toString().trim();
