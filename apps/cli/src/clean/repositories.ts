import { existsSync } from 'node:fs';
import { type Checkpoints, openCheckpoints, readRepositories } from '@piton/checkpoints';
import type { Places } from '@piton/contracts/places';
import { createGit } from '@piton/git';
import type { Context } from '../context.ts';
import { plural } from '../output/text.ts';
import { gitHere } from '../programs.ts';
import type { CleanRequest, Part } from './part.ts';

/** In a large repository, git takes long to find out what is in use. */
const TIMEOUT_MS = 30 * 60_000;

/** Old checkpoints of every watched repository that still exists. One that git cannot read is reported, and the others go on. */
export async function oldCheckpoints(
  context: Context,
  places: Places,
  { before }: CleanRequest,
  report: { readonly scanning: (root: string) => void; readonly problem: (what: string) => void },
): Promise<Part[]> {
  const git = createGit({ ...gitHere(context), timeoutMs: TIMEOUT_MS });
  const parts: Part[] = [];
  const seen = new Set<string>();
  for (const root of readRepositories(places.home).filter((each) => existsSync(each))) {
    try {
      const found = await openCheckpoints({ git, directory: root, home: places.home, redact: (text) => text, asFound: true });
      if (found?.repository.root !== root || seen.has(found.repository.commonDir)) continue;
      seen.add(found.repository.commonDir);
      report.scanning(root);
      const part = await partOf(found, before);
      if (part) parts.push(part);
    } catch (error) {
      report.problem(`${root}: could not be read, so nothing is deleted there: ${(error as Error).message}`);
    }
  }
  return parts;
}

async function partOf(all: Checkpoints, before: Date): Promise<Part | undefined> {
  const { repository } = all;
  const expired = await all.expired(before);
  const { checkpoints, images, kept } = expired;
  const calls = images.reduce((sum, { count }) => sum + count, 0);
  const note = kept.needed > 0 ? `${kept.needed} old ones are kept: their work is in a commit, or waiting for one` : undefined;
  if (checkpoints.length + images.length === 0) return undefined;
  return {
    name: 'checkpoints',
    what: [plural(checkpoints.length, 'checkpoint'), ...(calls > 0 ? [`files from before ${plural(calls, 'call')}`] : [])].join(', '),
    where: repository.root,
    bytes: await all.bytesOnlyIn(expired),
    count: checkpoints.length,
    disk: repository.commonDir,
    ...(note !== undefined && { note }),
    remove: async () => {
      const done = await all.delete(expired).catch((error: Error) => error);
      if (done instanceof Error) return `${repository.root}: the checkpoints could not be deleted: ${done.message}`;
      return done.result === 'kept-space'
        ? `${repository.root}: the checkpoints are deleted, but their space is not free yet: ${done.why}`
        : undefined;
    },
  };
}
