import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_OUTER_CONFIGURATION } from './environment.ts';
import { createGit } from './git.ts';
import { type GitPlace, type GitResult, gitStarter, type StartGit } from './process.ts';

export interface FetchRequest {
  readonly url: string;
  /** A branch, a tag or a whole commit id; undefined: what the repository's HEAD names. */
  readonly ref: string | undefined;
  /** The only ways by which git may reach it, such as `https`. */
  readonly protocols: readonly string[];
  /** Past this, on disk, the fetch is ended. */
  readonly mostBytes: number;
  readonly signal?: AbortSignal;
}

export interface FetchedEntry {
  /** As git has it: `100644`, `120000`, … */
  readonly mode: string;
  readonly oid: string;
  readonly size: number;
  /** The bytes of its path: they may be no UTF-8. */
  readonly path: Buffer;
}

/** A commit without a working tree: nothing of it has been written as a file. */
export interface FetchedCommit {
  readonly commit: string;
  readonly entries: readonly FetchedEntry[];
  /** The commit as git stores it; signatures are in there. */
  readonly commitText: Buffer;
  /** The annotated tag that named it, if one did. */
  readonly tagText: Buffer | undefined;
  /** The contents of blobs, in the order of their ids. */
  readBlobs(oids: readonly string[]): Promise<readonly Buffer[]>;
}

export type Fetched<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** Where a person's network lies. Data of their own configuration, which no repository can write. */
const CARRIED = ['http.proxy', 'http.sslCAInfo', 'http.sslCAPath'];
/** A listing of more entries than anybody keeps beside hooks. */
const MOST_LISTING = 16 * 1024 * 1024;
const LOOK_MS = 100;

/**
 * One commit of somebody else's repository, for as long as `use` runs: into an empty repository of ours that has no configuration but
 * what stands here, no hooks, no remotes and no working tree. So no filter, no submodule and no hook can run, and no path of theirs is
 * written.
 */
export async function withFetchedCommit<T>(
  place: GitPlace,
  request: FetchRequest,
  use: (fetched: FetchedCommit) => Promise<T>,
): Promise<Fetched<T>> {
  const directory = mkdtempSync(join(tmpdir(), 'piton-fetch-'));
  try {
    const start = gitStarter(place);
    const environment = { ...NO_OUTER_CONFIGURATION, GIT_DIR: directory, GIT_ALLOW_PROTOCOL: request.protocols.join(':') };
    const git: StartGit = (args, options) => start(args, { ...options, environment: { ...environment, ...options.environment } });
    const failed = await fetchInto(git, directory, request, await carried(place));
    if (failed !== undefined) return { ok: false, why: failed };
    return { ok: true, value: await use(await readFetched(git, directory)) };
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Asked for in the root directory, where no repository can answer. */
async function carried(place: GitPlace): Promise<string[]> {
  const { ask } = createGit(place);
  const values = await Promise.all(CARRIED.map((name) => ask(['config', '--get', name], { cwd: '/' })));
  return values.flatMap(({ code, stdout }, at) => (code === 0 ? ['-c', `${CARRIED[at]}=${stdout.toString().replace(/\n$/, '')}`] : []));
}

async function fetchInto(
  git: StartGit,
  directory: string,
  request: FetchRequest,
  settings: readonly string[],
): Promise<string | undefined> {
  const { url, ref = 'HEAD', mostBytes, signal } = request;
  const made = await git(['init', '--quiet', '--bare', '--template=', directory], { cwd: directory });
  if (made.code !== 0) return saidBy(made);
  const tooLarge = new AbortController();
  const watch = setInterval(() => sizeOf(join(directory, 'objects', 'pack')) > mostBytes && tooLarge.abort(), LOOK_MS);
  try {
    const fetched = await git(
      [
        ...settings,
        ...['-c', 'transfer.fsckObjects=true', '-c', 'http.lowSpeedLimit=1000', '-c', 'http.lowSpeedTime=30'],
        ...['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--no-auto-maintenance', '--', url, ref],
      ],
      { cwd: directory, signal: signal ? AbortSignal.any([signal, tooLarge.signal]) : tooLarge.signal },
    );
    if (fetched.code !== 0) return saidBy(fetched);
  } catch (error) {
    if (!tooLarge.signal.aborted) throw error;
  } finally {
    clearInterval(watch);
  }
  return sizeOf(join(directory, 'objects', 'pack')) > mostBytes || tooLarge.signal.aborted
    ? `it is larger than ${Math.round(mostBytes / 1024 / 1024)} MB`
    : undefined;
}

/** What git said last, on one line. */
function saidBy({ stderr, code }: GitResult): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const fatal = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines.at(-1);
  return fatal?.replace(/^(?:fatal|error): /, '').slice(0, 500) ?? (code === -1 ? 'git took too long' : `git exited with ${code}`);
}

function sizeOf(directory: string): number {
  try {
    return readdirSync(directory).reduce((sum, name) => sum + (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0), 0);
  } catch {
    return 0; // git has not made it yet
  }
}

async function readFetched(git: StartGit, directory: string): Promise<FetchedCommit> {
  const output = async (args: readonly string[], mostOutput: number): Promise<Buffer> => {
    const result = await git(args, { cwd: directory, mostOutput });
    if (result.code !== 0) throw new Error(`git ${args[0]} failed: ${saidBy(result)}`);
    return result.stdout;
  };
  const idOf = async (name: string): Promise<string> => (await output(['rev-parse', '--verify', name], 1024)).toString().trim();
  const [named, commit] = [await idOf('FETCH_HEAD'), await idOf('FETCH_HEAD^{commit}')];
  return {
    commit,
    entries: entriesOf(await output(['ls-tree', '-r', '-z', '-l', '--full-tree', commit], MOST_LISTING)),
    commitText: await output(['cat-file', 'commit', commit], MOST_LISTING),
    tagText: named === commit ? undefined : await output(['cat-file', 'tag', named], MOST_LISTING),
    readBlobs: (oids) => readBlobs(git, directory, oids),
  };
}

function entriesOf(listing: Buffer): FetchedEntry[] {
  const entries: FetchedEntry[] = [];
  for (let at = 0; at < listing.length; ) {
    const end = listing.indexOf(0, at);
    const line = listing.subarray(at, end < 0 ? listing.length : end);
    const tab = line.indexOf(0x09);
    const [mode = '', , oid = '', size = ''] = line.subarray(0, tab).toString('latin1').split(/ +/);
    entries.push({ mode, oid, size: Number(size) || 0, path: Buffer.from(line.subarray(tab + 1)) });
    at = end < 0 ? listing.length : end + 1;
  }
  return entries;
}

/** `git cat-file --batch`: a line with the size before each, and a line break behind it. */
async function readBlobs(git: StartGit, directory: string, oids: readonly string[]): Promise<Buffer[]> {
  const { code, stdout, stderr } = await git(['cat-file', '--batch'], { cwd: directory, input: Buffer.from(`${oids.join('\n')}\n`) });
  if (code !== 0) throw new Error(`git cat-file failed: ${stderr.trim()}`);
  let at = 0;
  return oids.map((oid) => {
    const end = stdout.indexOf(0x0a, at);
    const [found, type, size] = stdout.subarray(at, end).toString('latin1').split(' ');
    if (found !== oid || type !== 'blob') throw new Error(`git has no file ${oid}`);
    at = end + 1 + Number(size) + 1;
    return Buffer.from(stdout.subarray(end + 1, at - 1));
  });
}
