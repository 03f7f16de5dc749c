import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, gitOutput } from '@piton/git';
import { fields, nulList, type RawPath, shownPath } from '../raw-path.ts';
import type { Repository } from '../repositories/repository.ts';
import { lookUp } from './tree.ts';

export interface Converted {
  readonly oid: string;
  /** What git stores. */
  readonly stored: Buffer;
  /** What git would write back: not always what was there. */
  readonly writtenBack: Buffer | null;
}

/**
 * What `git add` would store for these files, and what a checkout would make of that again. Objects are written to a
 * directory that is thrown away: as loose objects in the repository they would count for the user's next `gc --auto`.
 * A file whose filter fails is missing in the result.
 */
export async function convert(
  git: Git,
  repository: Repository,
  head: string | null,
  state: string,
  paths: readonly RawPath[],
): Promise<Map<RawPath, Converted>> {
  const found = new Map<RawPath, Converted>();
  if (paths.length === 0) return found;
  await mkdir(state, { recursive: true, mode: 0o700 });
  const directory = await mkdtemp(join(state, 'convert-'));
  try {
    const staging = { git, repository, head, directory };
    const whole = await addAll(staging, paths);
    if (whole) return whole;
    for (const path of paths) for (const [at, one] of (await addAll(staging, [path])) ?? []) found.set(at, one);
    return found;
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
  const found = new Map<RawPath, Converted>();
  for (const [path, oid] of oids) {
    const stored = await gitOutput(git, ['cat-file', 'blob', oid], { cwd, environment });
    found.set(path, { oid, stored, writtenBack: await writtenBack({ git, repository, head, directory }, environment, path, oid) });
  }
  return found;
}

async function writtenBack({ git, repository, directory }: Staging, env: Record<string, string>, path: RawPath, oid: string) {
  // Attributes must be those of the working tree, as for adding; the index of the conversion has no .gitattributes in it.
  const environment = { ...env, GIT_INDEX_FILE: join(directory, 'none') };
  const result = await git(['cat-file', '--filters', `--path=${shownPath(path)}`, oid], { cwd: repository.root, environment });
  return result.code === 0 ? result.stdout : null;
}
