import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Checkpoints, openCheckpoints } from '@piton/checkpoints';
import { keptInRepositories, removeEverything } from '@piton/checkpoints/clean';
import { readRepositories } from '@piton/checkpoints/repositories';
import type { Places } from '@piton/contracts/places';
import { createGit } from '@piton/git';
import type { Context } from '../context.ts';
import type { Change } from '../install/change.ts';
import { hooksContext, lookingWithGit } from '../install/watch-repository.ts';
import { plural } from '../output/text.ts';
import { gitHere } from '../programs.ts';
import { stopServer } from '../server/server-process.ts';
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

const refsChange = (commonDir: string, refs: number): Change => ({
  ...{ action: 'remove', path: join(commonDir, 'refs', 'piton'), what: plural(refs, 'checkpoint'), refs, whole: true },
});

/** Everything that Piton keeps in one repository, whatever its age and whoever needs it. */
export async function wholeRepository(context: Context, places: Places, directory: string): Promise<Part[]> {
  const [kept] = await lookingWithGit(context, (looking) => keptInRepositories(looking, [directory]));
  if (kept === undefined) return [];
  const { root, commonDir, refs } = kept;
  const all = await openCheckpoints({
    git: createGit(gitHere(context)),
    directory: root,
    home: places.home,
    redact: (text) => text,
    asFound: true,
  });
  return [
    {
      ...{ name: 'repository', what: `all checkpoints: ${plural(refs.length, 'ref')} below refs/piton`, where: root, count: refs.length },
      bytes: all ? await all.bytesOnlyIn({ checkpoints: await all.listAll(), images: [] }) : 0,
      disk: commonDir,
      note: 'rewind, blame, explain and export no longer know what happened in it',
      changes: [
        refsChange(commonDir, refs.length),
        { action: 'change', path: join(places.home, 'checkpoints'), what: 'what is known of its working trees', whole: true },
      ],
      remove: async () => {
        // It remembers the last checkpoint of each working tree. The next event starts it again.
        await stopServer(places);
        const problem = await removeEverything(hooksContext(context, places), root).catch((error: Error) => error);
        if (problem instanceof Error) return `${root}: the checkpoints could not be deleted: ${problem.message}`;
        return problem && `${root}: the checkpoints are deleted, but their space is not free yet: ${problem}`;
      },
    },
  ];
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
    changes: [refsChange(repository.commonDir, checkpoints.length)],
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
