import type { Checkpoints } from '@piton/checkpoints';
import type { Push } from '@piton/store';
import type { Context } from '../context.ts';
import { requirePlaces } from '../locations.ts';
import { readStore } from '../open-store.ts';
import { oneLine } from '../output/text.ts';
import { formatTime } from '../output/time.ts';

/** A push that git was about to make when it ran its hook. */
export interface KnownPush extends Push {
  /** Does the remote-tracking branch contain the commit? Null if there is none. */
  readonly arrived: boolean | null;
}

/** Where a commit was pushed. The pre-push hook runs before the push, so git is asked whether the push succeeded. */
export async function pushesOf(context: Context, checkpoints: Checkpoints, commit: string): Promise<KnownPush[]> {
  const pushes = await readStore(requirePlaces(context), (store) => store.pushesOf(commit), [] as readonly Push[]);
  const known: KnownPush[] = [];
  for (const push of pushes) known.push({ ...push, arrived: await hasArrived(checkpoints, push, commit) });
  return known;
}

async function hasArrived({ git, repository }: Checkpoints, { remote, ref }: Push, commit: string): Promise<boolean | null> {
  const tracked = ref.replace(/^refs\/heads\//, `refs/remotes/${remote}/`);
  const cwd = repository.root;
  if (tracked === ref || (await git(['show-ref', '--verify', '--quiet', '--', tracked], { cwd })).code !== 0) return null;
  return (await git(['merge-base', '--is-ancestor', commit, tracked], { cwd })).code === 0;
}

/** As git writes it: `origin/main`. */
const nameOf = ({ remote, ref }: Push): string => oneLine(`${remote}/${ref.replace(/^refs\/(?:heads|tags)\//, '')}`);

export const pushLine = (push: KnownPush): string =>
  push.arrived === false
    ? `a push to ${nameOf(push)} was started at ${formatTime(push.wallUs / 1000)}, but that branch does not have it`
    : `pushed to ${nameOf(push)} at ${formatTime(push.wallUs / 1000)}`;

export const pushJson = ({ remote, url, ref, wallUs, arrived }: KnownPush): object => ({
  ...{ remote, url, ref, arrived },
  at: new Date(wallUs / 1000).toISOString(),
});
