import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gitOutput } from '@piton/git';
import type { Checkpoint } from '../checkpoint.ts';
import type { RewindPlan, Step } from '../rewind/rewind-plan.ts';
import { emptyTree } from '../snapshot/tree.ts';
import type { Worktree } from '../worktree.ts';

export interface PatchOptions {
  /** What is no text with its bytes, for `git apply`; otherwise it is only named. */
  readonly binary?: boolean;
}

/** Plumbing: how people want to see their own diffs does not make a patch that git could not read. Bytes, since files need not be UTF-8. */
const optionsOf = ({ binary }: PatchOptions): string[] => ['-p', '-M', '--no-ext-diff', '--no-textconv', ...(binary ? ['--binary'] : [])];

/** What a checkpoint changed, as a patch against the one before it, or against HEAD where it is the first. */
export const checkpointDiff = (
  worktree: Worktree,
  checkpoint: Checkpoint,
  before: Checkpoint | null,
  options: PatchOptions = {},
): Promise<Buffer> => compared(worktree, checkpoint, before, optionsOf(options));

/** The same in a line a file. */
export const checkpointStat = async (worktree: Worktree, checkpoint: Checkpoint, before: Checkpoint | null): Promise<string> =>
  (await compared(worktree, checkpoint, before, ['-M', '--stat'])).toString().trimEnd();

function compared({ git, repository }: Worktree, { base, commit }: Checkpoint, before: Checkpoint | null, options: readonly string[]) {
  const from = before?.commit ?? base ?? emptyTree(repository.objectFormat);
  return gitOutput(git, ['diff-tree', '-r', ...options, from, commit], { cwd: repository.root });
}

/** The plan as a patch, from the present to the target. An index of what will be there, since an argument cannot name every file. */
export async function planDiff({ git, repository, state }: Worktree, plan: RewindPlan, options: PatchOptions = {}): Promise<Buffer> {
  const directory = await mkdtemp(join(state, 'patch-'));
  const within = { cwd: repository.root, environment: { GIT_INDEX_FILE: join(directory, 'index') } };
  try {
    await gitOutput(git, ['read-tree', plan.safety.commit], within);
    const input = Buffer.from(
      plan.steps
        .filter(({ from }) => from === undefined)
        .map((step) => indexLine(step, repository.objectFormat))
        .join(''),
      'latin1',
    );
    await gitOutput(git, ['update-index', '-z', '--index-info'], { ...within, input });
    return await gitOutput(git, ['diff-index', '--cached', ...optionsOf(options), plan.safety.commit], within);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const indexLine = ({ path, entry }: Step, format: 'sha1' | 'sha256'): string =>
  `${entry?.mode ?? '0'} ${entry?.oid ?? '0'.repeat(format === 'sha1' ? 40 : 64)}\t${path}\0`;
