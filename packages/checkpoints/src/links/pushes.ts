import { ulidTime } from '@piton/contracts';
import type { Worktree } from '../worktree.ts';
import type { GitHookCall } from './git-hook-call.ts';

/** The first push of a long history names its newest commits only. */
const MOST_COMMITS = 1000;
const isNothing = (sha: string): boolean => /^0+$/.test(sha);
const isSha = (text: string | undefined): text is string => text !== undefined && /^[0-9a-f]{40,64}$/.test(text);

/** What git said to its `pre-push`: a ref that it was about to send, and the commits that the other side did not have. */
export interface Pushed {
  readonly id: string;
  readonly repo: string;
  readonly remote: string;
  readonly url: string;
  readonly ref: string;
  readonly oldSha: string;
  readonly newSha: string;
  readonly commits: readonly string[];
  readonly wallUs: number;
}

interface PushedRef {
  readonly ref: string;
  readonly newSha: string;
  readonly oldSha: string;
}

/** A line for each ref, `<local ref> <local sha> <remote ref> <remote sha>`; what is deleted sends nothing. */
function refsIn(input: string): PushedRef[] {
  return input.split('\n').flatMap((line) => {
    const [, newSha, ref, oldSha] = line.split(' ');
    return ref !== undefined && isSha(newSha) && isSha(oldSha) && !isNothing(newSha) ? [{ ref, newSha, oldSha }] : [];
  });
}

type PushCall = Pick<GitHookCall, 'args' | 'input' | 'stamp'>;

/** What git is about to push. */
export async function pushesOf(worktree: Worktree, call: PushCall): Promise<Pushed[]> {
  const pushes: Pushed[] = [];
  for (const push of announcedPushes(call, worktree.repository.root))
    pushes.push({ ...push, commits: await newCommits(worktree, push.remote, push.newSha, push.oldSha) });
  return pushes;
}

/** As far as git's call tells without asking git: of the commits the newest alone. */
export const announcedPushes = ({ args: [remote = '', url = ''], input, stamp }: PushCall, repo: string): Pushed[] =>
  refsIn(input).map((ref) => ({ id: stamp, repo, remote, url, ...ref, commits: [ref.newSha], wallUs: ulidTime(stamp) * 1000 }));

/** Those that the ref did not have on the other side; of a new ref, those that the remote did not have at all. */
async function newCommits({ git, repository }: Worktree, remote: string, newSha: string, oldSha: string): Promise<string[]> {
  const known = isNothing(oldSha) ? [`--remotes=${remote}`] : [oldSha];
  const list = (...not: string[]) =>
    git(['rev-list', `--max-count=${MOST_COMMITS}`, newSha, ...(not.length > 0 ? ['--not', ...not] : [])], { cwd: repository.root });
  const result = await list(...known);
  // What was there before may be unknown here: somebody else pushed it.
  const found = result.code === 0 ? result : await list(`--remotes=${remote}`);
  const commits = found.stdout.toString().split('\n').filter(Boolean);
  return commits.includes(newSha) ? commits : [newSha, ...commits];
}
