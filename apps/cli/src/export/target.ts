import { type Checkpoint, listCheckpoints, type Place } from '@piton/checkpoints';
import type { ExportTarget } from '@piton/contracts';
import { Failure } from '../failure.ts';

/** What is exported: commits, and the sessions behind them, or sessions alone. Sessions by the agents' own ids. */
export interface Chosen {
  readonly kind: ExportTarget['kind'];
  readonly name: string;
  readonly base: string | null;
  readonly commits: readonly string[];
  readonly sessions: readonly string[];
  /** Of a session: the agent's own id. */
  readonly providerRef?: string;
}

const MOST_COMMITS = 500;
const LEAST_OF_ID = 6;

const output = async (place: Place, ...args: string[]): Promise<string | null> => {
  const { code, stdout } = await place.git(args, { cwd: place.repository.root });
  return code === 0 ? stdout.toString().trim() : null;
};

/** What a word means in this repository; null if it means nothing in git, and may be a session. */
export async function chooseInRepository(place: Place, ref: string, base: string | undefined): Promise<Chosen | null> {
  if ((await output(place, 'rev-parse', '--quiet', '--verify', `refs/heads/${ref}`)) !== null) return chooseBranch(place, ref, base);
  const wanted = ref.toUpperCase();
  const fits = ({ id }: Checkpoint): boolean => id === wanted || id.endsWith(wanted) || id.startsWith(wanted);
  const found = ref.length < LEAST_OF_ID ? [] : (await listCheckpoints(place.git, place.repository)).filter(fits);
  const [only] = found;
  if (only && found.length === 1) return ofCheckpoint(only);
  if (ref.startsWith('-')) return null;
  if (ref.includes('..')) return chooseRange(place, ref);
  const commit = await output(place, 'rev-parse', '--quiet', '--verify', `${ref}^{commit}`);
  return commit === null ? null : { kind: 'commit', name: commit.slice(0, 10), base: null, commits: [commit], sessions: [] };
}

const ofCheckpoint = ({ id, linked, session }: Checkpoint): Chosen => ({
  kind: 'checkpoint',
  name: id,
  base: null,
  commits: linked === null ? [] : [linked],
  sessions: session === null ? [] : [session],
});

async function chooseRange(place: Place, range: string): Promise<Chosen | null> {
  const commits = await commitsIn(place, [range]);
  const [from = '', to = ''] = range.split(/\.{2,3}/);
  return commits === null ? null : { kind: 'branch', name: to || 'HEAD', base: from || 'HEAD', commits, sessions: [] };
}

/** The branch that is checked out, or HEAD where none is. */
export async function chooseCurrent(place: Place, base: string | undefined): Promise<Chosen> {
  const branch = await output(place, 'symbolic-ref', '--quiet', '--short', 'HEAD');
  if ((await output(place, 'rev-parse', '--quiet', '--verify', 'HEAD')) === null)
    throw new Failure('there is no commit here yet', { remedy: 'name a session: `piton sessions` lists them' });
  return chooseBranch(place, branch ?? 'HEAD', base);
}

async function chooseBranch(place: Place, branch: string, wanted: string | undefined): Promise<Chosen> {
  const base = wanted ?? (await baseOf(place, branch));
  if (base === null)
    throw new Failure(`nobody can tell what ${branch} is compared with`, { remedy: 'name it with --base, or name a commit or a session' });
  const commits = await commitsIn(place, [branch, '--not', base]);
  if (commits === null) throw new Failure(`${JSON.stringify(base)} is no commit here`, { remedy: 'name another with --base' });
  return { kind: 'branch', name: branch, base, commits, sessions: [] };
}

/** The main branch, as the remote has it; for the main branch itself, what was pushed of it. */
async function baseOf(place: Place, branch: string): Promise<string | null> {
  const head = await output(place, 'rev-parse', '--abbrev-ref', 'origin/HEAD');
  const upstream = await output(place, 'rev-parse', '--abbrev-ref', '--verify', '--quiet', `${branch}@{upstream}`);
  const mains = [head, 'origin/main', 'origin/master', 'main', 'master'].filter(
    (each): each is string => each !== null && each !== 'origin/HEAD',
  );
  for (const main of mains.some((each) => each === branch || each === `origin/${branch}`) ? [upstream] : [...mains, upstream])
    if (main && main !== branch && (await output(place, 'rev-parse', '--quiet', '--verify', `${main}^{commit}`)) !== null) return main;
  return null;
}

/** The oldest first. A merge brings no work of its own. */
async function commitsIn(place: Place, args: readonly string[]): Promise<string[] | null> {
  const listed = await output(place, 'rev-list', '--no-merges', `--max-count=${MOST_COMMITS}`, ...args, '--');
  return listed === null ? null : listed.split('\n').filter(Boolean).reverse();
}
