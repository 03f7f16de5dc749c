import { GitError, gitOutput } from '@piton/git';
import type { Owner } from '../authors/owners.ts';
import { owned } from '../authors/parts.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { pathsOf } from '../links/pending.ts';
import type { RawPath } from '../raw-path.ts';
import { readHead } from '../repositories/repository.ts';
import { compareStates } from '../snapshot/comparison.ts';
import { keptBeside } from '../snapshot/conversion/recipe.ts';
import type { Held, Observed } from '../snapshot/observe.ts';
import { type Skipped, sameLeftOut } from '../snapshot/skipped.ts';
import { knownLast, type Looked, type Scan, sameKnown, settledScan, stripped } from '../snapshot/take.ts';
import { emptyTree } from '../snapshot/tree.ts';
import { type Known, type LastCheckpoint, readLastNow, type WorkingState } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';
import type { WayBack } from './call-log.ts';
import { type LastImage, readImage, writeImage } from './image-state.ts';
import { writeImageFiles } from './write-image.ts';

/** What is known of the working tree, be it by a checkpoint or by an image. */
export interface KnownState extends WorkingState {
  readonly tree: string;
  /** The last checkpoint. */
  readonly after: string | null;
  /** Whose each change since that checkpoint is. */
  readonly owners: ReadonlyMap<RawPath, Owner>;
}

/** The newest of both. A checkpoint that was made after the image knows better. */
export async function newestState(worktree: Worktree): Promise<{ known: KnownState | null; last: LastCheckpoint | null }> {
  const last = await knownLast(worktree);
  const image = readImage(worktree);
  if (image && image.after === (last?.id ?? null)) return { known: image, last };
  return { known: last && { ...last, after: last.id, owners: new Map() }, last };
}

/** As the last look found it, whoever looked. */
export function foldersLeftOut({ state }: Pick<Worktree, 'state'>): readonly Skipped[] {
  const [last, image] = [readLastNow(state), readImage({ state })];
  const { skipped = [] } = (image && image.after === (last?.id ?? null) ? image : last) ?? {};
  return skipped.filter(({ reason }) => reason === 'too-many');
}

export interface ImageLook {
  readonly wayBack: WayBack & { kind: 'image' };
  readonly after: string | null;
  readonly state: Looked;
  /** Checkpoints that were made because two have changed one file in turn. */
  readonly parts: readonly Checkpoint[];
}

export interface LookOptions {
  /** All that is looked at, where the rest is known. */
  readonly touched?: readonly string[] | undefined;
  /** What was read before. */
  readonly held?: ReadonlyMap<RawPath, Held>;
}

/** One look at the working tree. Something is written only where a file differs from what is known, and whose that is is noted. */
export async function lookBefore(worktree: Worktree, turn: string, options: LookOptions = {}): Promise<ImageLook> {
  try {
    return await attempt(worktree, turn, options, true);
  } catch (error) {
    // What we took for stored may be gone: read everything again.
    if (!(error instanceof GitError)) throw error;
    return attempt(worktree, turn, options, false);
  }
}

async function attempt(worktree: Worktree, turn: string, { touched, held }: LookOptions, trusting: boolean): Promise<ImageLook> {
  const { known, last } = await newestState(worktree);
  const headNow = () => readHead(worktree.git, worktree.repository, { asking: !trusting });
  const state = await settledScan(worktree, headNow, known, { touched, ...(held && { held }), trusting });
  const changed =
    known === null || isSame(known, state) ? [] : (await compareStates(worktree, known, state, state.inHead)).flatMap(pathsOf);
  const { owners, parts } = await owned(worktree, last && known, changed, {
    isWhole: state.inHead === undefined,
    files: state.files,
  });
  const after = parts.at(-1)?.id ?? last?.id ?? null;
  // Of what was touched nothing differs: there is only more that is known.
  const isKnown = known !== null && (isSame(known, state) || (state.inHead !== undefined && changed.length === 0));
  const written =
    trusting && isKnown
      ? { tree: known.tree, verbatim: await verbatimOf(worktree, known) }
      : await write(worktree, turn, known, state, trusting);
  await writeImage(worktree, { ...stripped(state), ...written, after, owners });
  return { wayBack: { kind: 'image', ...written, base: state.head, skipped: state.skipped, asOnDisk: true }, after, state, parts };
}

/** Of a checkpoint it lies under a ref of its own. */
async function verbatimOf(worktree: Worktree, known: KnownState): Promise<string | null> {
  if ('verbatim' in known) return (known as LastImage).verbatim;
  if (known.after === null || keptBeside(known.files, known.converted ?? new Map()).size === 0) return null;
  const args = ['rev-parse', '--verify', `refs/piton/verbatim/${known.after}^{tree}`];
  return (await gitOutput(worktree.git, args, { cwd: worktree.repository.root })).toString().trim();
}

function isSame(known: KnownState, state: Scan): boolean {
  const { converted } = known;
  if (known.head !== state.head || !sameLeftOut(known.skipped, state.skipped) || !converted) return false;
  return sameFiles(known.files, state.files) && sameFiles(converted, state.converted);
}

const sameFiles = (a: ReadonlyMap<RawPath, Known>, b: ReadonlyMap<RawPath, Known>): boolean =>
  a.size === b.size && [...a].every(([path, file]) => b.has(path) && sameKnown(b.get(path), file));

async function write(worktree: Worktree, turn: string, known: KnownState | null, state: Scan, trusting: boolean) {
  const files = new Map<RawPath, Observed>(state.files);
  const verbatim = keptBeside(files, state.converted);
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
