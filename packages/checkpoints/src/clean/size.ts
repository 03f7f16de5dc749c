import type { Checkpoint } from '../checkpoint.ts';
import { listCheckpoints } from '../history/listing.ts';
import type { Worktree } from '../worktree.ts';

/** What is in these and in nothing that a ref keeps: an estimate, since an index or a lost commit may hold the same. */
export async function bytesOnlyIn({ git, repository }: Worktree, checkpoints: readonly Checkpoint[]): Promise<number> {
  const gone = new Set(checkpoints.map(({ id }) => id));
  const staying = (await listCheckpoints(git, repository)).filter(({ id }) => !gone.has(id));
  const revs = [...checkpoints.map(({ commit }) => commit), ...staying.map(({ tree }) => `^${tree}`)];
  const input = Buffer.from(revs.map((rev) => `${rev}\n`).join(''));
  const args = ['rev-list', '--objects', '--disk-usage', '--stdin', '--not', '--exclude=refs/piton/*', '--all'];
  const { code, stdout } = await git(args, { cwd: repository.root, input });
  return code === 0 ? Number(stdout.toString().trim()) || 0 : 0;
}
