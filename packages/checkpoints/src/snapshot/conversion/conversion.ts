import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, gitOutput } from '@piton/git';
import { blobsOf } from '../../attribution/lines.ts';
import { fields, nulList, type RawPath } from '../../raw-path.ts';
import type { Repository } from '../../repositories/repository.ts';
import { lookUp } from '../tree.ts';

export interface Converted {
  readonly oid: string;
  /** What git stores. */
  readonly stored: Buffer;
}

/**
 * What `git add` would store for these files, in a few processes for all. Objects are written to a directory that is thrown away: as
 * loose objects in the repository they would count for the user's next `gc --auto`. A file that git refuses is missing in the result.
 */
export async function convert(
  git: Git,
  repository: Repository,
  head: string | null,
  state: string,
  paths: readonly RawPath[],
): Promise<Map<RawPath, Converted>> {
  if (paths.length === 0) return new Map();
  await mkdir(state, { recursive: true, mode: 0o700 });
  const directory = await mkdtemp(join(state, 'convert-'));
  try {
    const staging = { git, repository, head, directory };
    return await addThose(staging, paths);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

interface Staging {
  readonly git: Git;
  readonly repository: Repository;
  readonly head: string | null;
  readonly directory: string;
}

/** Git stops at the first that it refuses: that one is found by halves. */
async function addThose(staging: Staging, paths: readonly RawPath[]): Promise<Map<RawPath, Converted>> {
  const whole = await addAll(staging, paths);
  if (whole) return whole;
  if (paths.length === 1) return new Map();
  const half = Math.ceil(paths.length / 2);
  return new Map([...(await addThose(staging, paths.slice(0, half))), ...(await addThose(staging, paths.slice(half)))]);
}

/** Null if git refuses one of them. */
async function addAll({ git, repository, head, directory }: Staging, paths: readonly RawPath[]): Promise<Map<RawPath, Converted> | null> {
  const cwd = repository.root;
  const index = join(directory, 'index');
  await rm(index, { force: true });
  const environment = {
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: directory,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repository.packDir, '..'),
  };
  // Whether CRs are taken out depends on whether the index has them.
  const known = head ? await lookUp(git, cwd, head, paths) : new Map();
  const info = [...known].map(([path, { mode, oid }]) => `${mode} ${oid}\t${path}\0`).join('');
  await gitOutput(git, ['update-index', '-z', '--index-info'], { cwd, environment, input: Buffer.from(info, 'latin1') });
  const added = await git(['update-index', '--add', '--remove', '-z', '--stdin'], { cwd, environment, input: nulList(paths) });
  if (added.code !== 0) return null;
  const staged = fields(await gitOutput(git, ['ls-files', '--stage', '-z'], { cwd, environment }));
  const oids = new Map<RawPath, string>();
  for (const line of staged) {
    const [, oid, path] = /^\d+ ([0-9a-f]+) \d\t(.*)$/s.exec(line) ?? [];
    if (oid && path !== undefined) oids.set(path, oid);
  }
  const within: Git = (args, options) => git(args, { ...options, environment: { ...environment, ...options.environment } });
  const blobs = await blobsOf(within, cwd, [...oids.values()]);
  return new Map([...oids].flatMap(([path, oid], at) => (blobs[at] ? [[path, { oid, stored: blobs[at] }] as const] : [])));
}
