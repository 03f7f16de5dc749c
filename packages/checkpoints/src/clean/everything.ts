import { readdirSync, readlinkSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type GitPort, gitOutput } from '@piton/git';
import { readRepositories } from '../repositories/listed.ts';
import { findRepository, type Repository } from '../repositories/repository.ts';
import { stateDirectory } from '../repositories/state-directory.ts';
import { pitonPacks, releasePacks } from '../snapshot/packs.ts';
import { createWorktree, gitIn, type Worktree } from '../worktree.ts';
import { packStamps, writeLean } from './reclaim.ts';
import { unusedObjects } from './unused.ts';
import { everyWorktree } from './worktrees.ts';

const ALL_REFS = 'refs/piton/';

/** Everything that Piton keeps in one repository. */
export interface KeptInRepository {
  readonly root: string;
  /** The git directory that its working trees share. */
  readonly commonDir: string;
  readonly refs: readonly { readonly name: string; readonly oid: string }[];
}

interface Where {
  readonly git: GitPort;
  /** Where the git directories of ours lie: Piton's home, or a temporary one for looking. */
  readonly home: string;
}

/** Where Piton has ever worked, by what it keeps of each: also those in which checkpoints were switched off since. */
export function knownRepositories(home: string): string[] {
  const shared = namesIn(join(home, 'git')).flatMap((key) => sharedDirectoryOf(join(home, 'git', key)) ?? []);
  return [...new Set([...readRepositories(home), ...shared.map(dirname)])];
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function sharedDirectoryOf(directory: string): string | undefined {
  try {
    return dirname(readlinkSync(join(directory, 'objects')));
  } catch {
    return undefined;
  }
}

/** Looks only. One repository is told once, whichever of its working trees is named; one that is gone is not told. */
export async function keptInRepositories(where: Where, roots: readonly string[]): Promise<KeptInRepository[]> {
  const found = new Map<string, KeptInRepository>();
  for (const root of roots) {
    const repository = await findRepository(where.git, root).catch(() => null);
    if (repository === null || found.has(repository.commonDir)) continue;
    const refs = await refsOf(where, repository).catch(() => []);
    if (refs.length > 0) found.set(repository.commonDir, { root: repository.root, commonDir: repository.commonDir, refs });
  }
  return [...found.values()];
}

async function refsOf({ git, home }: Where, repository: Repository): Promise<KeptInRepository['refs']> {
  const within = gitIn(git, repository, stateDirectory(home));
  const listed = await gitOutput(within, ['for-each-ref', '--format=%(refname) %(objectname)', ALL_REFS], { cwd: repository.root });
  return listed
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ name: line.slice(0, line.indexOf(' ')), oid: line.slice(line.indexOf(' ') + 1) }));
}

/**
 * Deletes every ref of ours and what only these need, gives what is left of our packs back to git, and forgets the working trees. Says
 * what did not go, if something did not.
 */
export async function removeEverything(where: Where, root: string): Promise<string | undefined> {
  const repository = await findRepository(where.git, root);
  if (repository === null) return undefined;
  const random = (): never => {
    throw new Error('no checkpoint is made here');
  };
  const worktree = createWorktree({
    ...{ git: where.git, repository, random, redact: (text) => text },
    stateDirectory: stateDirectory(where.home),
  });
  const refs = await refsOf(where, repository);
  const problem = refs.length === 0 ? undefined : await removeRefs(worktree, refs);
  await releasePacks(worktree.git, repository);
  for (const each of ['refs/piton', 'logs/refs/piton']) removeEmptyBelow(join(repository.commonDir, each));
  for (const { state } of await everyWorktree(worktree)) rmSync(state, { recursive: true, force: true });
  return problem;
}

/** Git leaves the directories in which refs were. One that gets another ref meanwhile stays. */
function removeEmptyBelow(directory: string): void {
  for (const name of namesIn(directory)) removeEmptyBelow(join(directory, name));
  try {
    rmdirSync(directory);
  } catch {
    // a file, or not empty
  }
}

async function removeRefs(worktree: Worktree, refs: KeptInRepository['refs']): Promise<string | undefined> {
  const { git, repository } = worktree;
  const packs = await pitonPacks(repository);
  const stamps = await packStamps(worktree, packs);
  const input = Buffer.from(refs.map(({ name, oid }) => `delete ${name} ${oid}\n`).join(''));
  await gitOutput(git, ['update-ref', '--stdin'], { cwd: repository.root, input });
  try {
    const outcome = await writeLean(worktree, packs, await unusedObjects(worktree, [...new Set(refs.map(({ oid }) => oid))]), stamps);
    return typeof outcome === 'number' ? undefined : outcome;
  } catch (error) {
    return (error as Error).message;
  }
}
