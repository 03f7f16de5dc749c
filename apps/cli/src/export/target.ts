import type { Checkpoint, Checkpoints } from '@piton/checkpoints';
import type { ExportTarget } from '@piton/contracts';
import { Failure } from '../failure.ts';
import { checkpointsNamed } from '../ids/checkpoint.ts';

/** What is exported: commits and the sessions behind them, or sessions alone. Sessions are named by the agents' IDs. */
export interface Chosen {
  readonly kind: ExportTarget['kind'];
  readonly name: string;
  readonly base: string | null;
  readonly commits: readonly string[];
  readonly sessions: readonly string[];
  /** For a session: the agent's ID of it. */
  readonly providerRef?: string;
}

const MAX_COMMITS = 500;

const output = async (checkpoints: Checkpoints, ...args: string[]): Promise<string | null> => {
  const { code, stdout } = await checkpoints.git(args, { cwd: checkpoints.repository.root });
  return code === 0 ? stdout.toString().trim() : null;
};

/** What a name refers to in this repository. Null if git does not know it: it may be a session. */
export async function chooseInRepository(checkpoints: Checkpoints, ref: string, base: string | undefined): Promise<Chosen | null> {
  if ((await output(checkpoints, 'rev-parse', '--quiet', '--verify', `refs/heads/${ref}`)) !== null)
    return chooseBranch(checkpoints, ref, base);
  const found = checkpointsNamed(await checkpoints.listAll(), ref);
  const [only] = found;
  if (only && found.length === 1) return ofCheckpoint(only);
  if (ref.startsWith('-')) return null;
  if (ref.includes('..')) return chooseRange(checkpoints, ref);
  const commit = await output(checkpoints, 'rev-parse', '--quiet', '--verify', `${ref}^{commit}`);
  return commit === null ? null : { kind: 'commit', name: commit.slice(0, 10), base: null, commits: [commit], sessions: [] };
}

const ofCheckpoint = ({ id, linked, session }: Checkpoint): Chosen => ({
  kind: 'checkpoint',
  name: id,
  base: null,
  commits: linked === null ? [] : [linked],
  sessions: session === null ? [] : [session],
});

async function chooseRange(checkpoints: Checkpoints, range: string): Promise<Chosen | null> {
  const commits = await commitsIn(checkpoints, [range]);
  const [from = '', to = ''] = range.split(/\.{2,3}/);
  return commits === null ? null : { kind: 'branch', name: to || 'HEAD', base: from || 'HEAD', commits, sessions: [] };
}

/** The checked-out branch, or HEAD if it is detached. */
export async function chooseCurrent(checkpoints: Checkpoints, base: string | undefined): Promise<Chosen> {
  const branch = await output(checkpoints, 'symbolic-ref', '--quiet', '--short', 'HEAD');
  if ((await output(checkpoints, 'rev-parse', '--quiet', '--verify', 'HEAD')) === null)
    throw new Failure('no commits yet', { remedy: 'name a session: piton sessions' });
  return chooseBranch(checkpoints, branch ?? 'HEAD', base);
}

async function chooseBranch(checkpoints: Checkpoints, branch: string, wanted: string | undefined): Promise<Chosen> {
  const base = wanted ?? (await baseOf(checkpoints, branch));
  if (base === null)
    throw new Failure(`there is nothing to compare ${branch} with: no branch of a remote, and no other main branch`, {
      remedy: await baseRemedy(checkpoints, branch),
    });
  const commits = await commitsIn(checkpoints, [branch, '--not', base]);
  if (commits === null) throw new Failure(`${JSON.stringify(base)} is not a commit here`, { remedy: 'use another --base' });
  return { kind: 'branch', name: branch, base, commits, sessions: [] };
}

/** With the first commit of the branch as base, which always works where there is a second one. */
async function baseRemedy(checkpoints: Checkpoints, branch: string): Promise<string> {
  const [first, head] = [
    await output(checkpoints, 'rev-list', '--max-parents=0', '--max-count=1', branch, '--'),
    await output(checkpoints, 'rev-parse', '--quiet', '--verify', branch),
  ];
  const since = first && first !== head ? `all since its first commit: piton export --base ${first.slice(0, 10)}. Or ` : '';
  return `${since}name a commit, or a session: piton sessions`;
}

/** The remote's main branch. For the main branch itself, its upstream, or the remote's branch of that name. */
async function baseOf(checkpoints: Checkpoints, branch: string): Promise<string | null> {
  const head = await output(checkpoints, 'rev-parse', '--abbrev-ref', 'origin/HEAD');
  const upstream = await output(checkpoints, 'rev-parse', '--abbrev-ref', '--verify', '--quiet', `${branch}@{upstream}`);
  const mains = [head, 'origin/main', 'origin/master', 'main', 'master'].filter(
    (each): each is string => each !== null && each !== 'origin/HEAD',
  );
  for (const main of mains.some((each) => each === branch || each === `origin/${branch}`)
    ? [upstream, `origin/${branch}`]
    : [...mains, upstream])
    if (main && main !== branch && (await output(checkpoints, 'rev-parse', '--quiet', '--verify', `${main}^{commit}`)) !== null)
      return main;
  return null;
}

/** Oldest first. Merges are skipped: they contain no work of their own. */
async function commitsIn(checkpoints: Checkpoints, args: readonly string[]): Promise<string[] | null> {
  const listed = await output(checkpoints, 'rev-list', '--no-merges', `--max-count=${MAX_COMMITS}`, ...args, '--');
  return listed === null ? null : listed.split('\n').filter(Boolean).reverse();
}
