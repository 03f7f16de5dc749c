import { gitOutput } from '@piton/git';
import { listCheckpoints } from '../history/listing.ts';
import type { Worktree } from '../worktree.ts';
import type { Expired } from './expired.ts';

/** What is in these and in nothing that a ref keeps: an estimate, since an index or a lost commit may hold the same. */
export async function bytesOnlyIn(
  { git, repository }: Worktree,
  { checkpoints, images }: Pick<Expired, 'checkpoints' | 'images'>,
): Promise<number> {
  const gone = new Set(checkpoints.map(({ id }) => id));
  const staying = (await listCheckpoints(git, repository)).filter(({ id }) => !gone.has(id));
  const changed = new Map(images.map(({ ref, left }) => [ref, left]));
  const refs = await gitOutput(git, ['for-each-ref', '--format=%(refname) %(tree)', 'refs/piton/images/'], { cwd: repository.root });
  const held = refs
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ') as [ref: string, tree: string])
    .flatMap(([ref, tree]) => (changed.has(ref) ? (changed.get(ref) ?? []) : tree));
  const revs = [
    ...[...checkpoints, ...images].map(({ commit }) => commit),
    ...[...staying.map(({ tree }) => tree), ...held].map((tree) => `^${tree}`),
  ];
  const input = Buffer.from(revs.map((rev) => `${rev}\n`).join(''));
  const args = ['rev-list', '--objects', '--disk-usage', '--stdin', '--not', '--exclude=refs/piton/*', '--all'];
  const { code, stdout } = await git(args, { cwd: repository.root, input });
  return code === 0 ? Number(stdout.toString().trim()) || 0 : 0;
}
