import type { Place } from '@piton/checkpoints';
import { ulidTime } from '@piton/contracts';
import type { Pushed } from '../own-journal.ts';
import type { GitCall } from './messages.ts';

/** The first push of a long history names its newest commits only. */
const MOST_COMMITS = 1000;
const isNothing = (sha: string): boolean => /^0+$/.test(sha);
const isSha = (text: string | undefined): text is string => text !== undefined && /^[0-9a-f]{40,64}$/.test(text);

/** What git is about to push: a line for each ref, `<local ref> <local sha> <remote ref> <remote sha>`. */
export async function pushesOf(place: Place, { args: [remote = '', url = ''], input, stamp }: GitCall): Promise<Pushed[]> {
  const pushes: Pushed[] = [];
  for (const line of input.split('\n')) {
    const [, newSha, ref, oldSha] = line.split(' ');
    // What is deleted sends nothing.
    if (ref === undefined || !isSha(newSha) || !isSha(oldSha) || isNothing(newSha)) continue;
    const commits = await newCommits(place, remote, newSha, oldSha);
    pushes.push({ id: stamp, repo: place.repository.root, remote, url, ref, oldSha, newSha, commits, wallUs: ulidTime(stamp) * 1000 });
  }
  return pushes;
}

/** Those that the ref did not have on the other side; of a new ref, those that the remote did not have at all. */
async function newCommits({ git, repository }: Place, remote: string, newSha: string, oldSha: string): Promise<string[]> {
  const known = isNothing(oldSha) ? [`--remotes=${remote}`] : [oldSha];
  const list = (...not: string[]) =>
    git(['rev-list', `--max-count=${MOST_COMMITS}`, newSha, ...(not.length > 0 ? ['--not', ...not] : [])], { cwd: repository.root });
  const result = await list(...known);
  // What was there before may be unknown here: somebody else pushed it.
  const found = result.code === 0 ? result : await list(`--remotes=${remote}`);
  const commits = found.stdout.toString().split('\n').filter(Boolean);
  return commits.includes(newSha) ? commits : [newSha, ...commits];
}
