import { type Git, gitOutput } from '@piton/git';
import { type Checkpoint, checkpointRef, REFS } from '../checkpoint.ts';
import { parseCheckpoint } from '../checkpoint-message.ts';
import type { Repository } from '../repositories/repository.ts';
import { inOrder } from './order.ts';
import { isHere } from './place.ts';

const FORMAT = ['%(refname)', '%(objectname)', '%(tree)', '%(parent)', '%(contents)'].join('%00');

async function read(git: Git, { root }: Repository, pattern: string): Promise<Checkpoint[]> {
  const output = await gitOutput(git, ['for-each-ref', `--format=${FORMAT}%00`, pattern], { cwd: root });
  const parts = output.toString('utf8').split('\0');
  const found: Checkpoint[] = [];
  for (let at = 0; at + 4 < parts.length; at += 5) {
    const [ref = '', commit = '', tree = '', parent = '', message = ''] = parts.slice(at, at + 5);
    const checkpoint = parseCheckpoint({ ref: ref.trimStart(), commit, tree, parent, message });
    if (checkpoint) found.push(checkpoint);
  }
  return found;
}

/** The oldest first; of this worktree, or of all. */
export async function listCheckpoints(git: Git, repository: Repository, { here = false } = {}): Promise<Checkpoint[]> {
  const all = inOrder(await read(git, repository, REFS));
  return here ? all.filter((checkpoint) => isHere(checkpoint, repository)) : all;
}

/** By its name alone: `for-each-ref` would open every ref that lies beside it, however exact its pattern. */
export async function findCheckpoint(git: Git, { root }: Repository, id: string): Promise<Checkpoint | null> {
  if (!/^[0-9A-Z]{26}$/.test(id)) return null;
  const ref = checkpointRef(id);
  const shown = await git(['show', '--no-patch', '--no-show-signature', '--format=%H%x00%T%x00%P%x00%B', ref, '--'], { cwd: root });
  if (shown.code !== 0) return null;
  const [commit = '', tree = '', parent = '', message = ''] = shown.stdout.toString('utf8').split('\0');
  return parseCheckpoint({ ref, commit, tree, parent, message });
}
