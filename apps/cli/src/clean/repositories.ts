import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Checkpoint,
  createGit,
  createPlace,
  deleteCheckpoints,
  expiredCheckpoints,
  findRepository,
  listCheckpoints,
  type Place,
} from '@piton/checkpoints';
import type { Places } from '@piton/contracts/places';
import { readRepositories } from '@piton/server';
import type { Context } from '../context.ts';
import { plural } from '../output/text.ts';
import type { Part, Wish } from './part.ts';

/** A large repository takes its time to say what is in use. */
const PATIENCE_MS = 30 * 60_000;

/** Old checkpoints of every repository that is watched, and is still there. */
export async function oldCheckpoints(context: Context, places: Places, { before }: Wish, tell: (root: string) => void): Promise<Part[]> {
  const git = createGit({ environment: context.env, timeoutMs: PATIENCE_MS });
  const parts: Part[] = [];
  const seen = new Set<string>();
  for (const root of readRepositories(places.home).filter((each) => existsSync(each))) {
    const repository = await findRepository(git, root);
    if (repository?.root !== root || seen.has(repository.commonDir)) continue;
    seen.add(repository.commonDir);
    tell(root);
    const random = (bytes: number): Uint8Array => new Uint8Array(randomBytes(bytes));
    const place = createPlace({ git, repository, redact: (text) => text, random, stateDirectory: join(places.home, 'checkpoints') });
    const part = await partOf(place, before);
    if (part) parts.push(part);
  }
  return parts;
}

async function partOf(place: Place, before: Date): Promise<Part | undefined> {
  const { checkpoints, kept } = await expiredCheckpoints(place, before);
  const note = kept.needed > 0 ? `${kept.needed} old ones stay: their work is in a commit, or waits for one` : undefined;
  if (checkpoints.length === 0) return undefined;
  return {
    name: 'checkpoints',
    what: plural(checkpoints.length, 'checkpoint'),
    where: place.repository.root,
    bytes: await sizeOf(place, checkpoints),
    count: checkpoints.length,
    disk: place.repository.commonDir,
    ...(note !== undefined && { note }),
    remove: async () => {
      const done = await deleteCheckpoints(place, checkpoints);
      return done.result === 'kept-space'
        ? `${place.repository.root}: the checkpoints are gone, their space is not yet free: ${done.why}`
        : undefined;
    },
  };
}

/** What is in these and in nothing that a ref keeps: an estimate, since an index or a lost commit may hold the same. */
async function sizeOf({ git, repository }: Place, checkpoints: readonly Checkpoint[]): Promise<number> {
  const gone = new Set(checkpoints.map(({ id }) => id));
  const staying = (await listCheckpoints(git, repository)).filter(({ id }) => !gone.has(id));
  const revs = [...checkpoints.map(({ commit }) => commit), ...staying.map(({ tree }) => `^${tree}`)];
  const input = Buffer.from(revs.map((rev) => `${rev}\n`).join(''));
  const args = ['rev-list', '--objects', '--disk-usage', '--stdin', '--not', '--exclude=refs/piton/*', '--all'];
  const { code, stdout } = await git(args, { cwd: repository.root, input });
  return code === 0 ? Number(stdout.toString().trim()) || 0 : 0;
}
