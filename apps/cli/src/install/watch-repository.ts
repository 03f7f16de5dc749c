import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import {
  anyConfigHook,
  createGit,
  findRepository,
  type Git,
  hasConfigHooks,
  hooksPlace,
  installConfigHooks,
  installGitHooks,
  missingConfigHooks,
  missingGitHooks,
  type Repository,
  uninstallConfigHooks,
  uninstallGitHooks,
} from '@piton/checkpoints';
import { GIT_HOOK, registrationArgs } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { addRepository, readRepositories, removeRepository } from '@piton/server';
import { spelled } from '../command-name.ts';
import { type Context, say } from '../context.ts';
import { plural } from '../output/text.ts';
import { repositoryRoot } from '../repository.ts';

export interface WatchedRepository {
  readonly root: string;
  /** It was not watched before. */
  readonly added: boolean;
  /** How many of git's hooks were written now. */
  readonly hooks: number;
  /** Why there are none, or not all. */
  readonly without: string | null;
}

export const gitHookCommand = (places: Places): string[] => [places.forwarder, ...registrationArgs(GIT_HOOK)];

/**
 * From now on every turn in this repository is a checkpoint, and its commits are linked to them. Undefined where there is none.
 * `inConfig`: git's hooks stand in its configuration and not as files, where git knows that.
 */
export async function watchRepository(context: Context, places: Places, inConfig = false): Promise<WatchedRepository | undefined> {
  const found = repositoryRoot(context);
  if (found === undefined) return undefined;
  const root = realpathSync(found);
  const added = addRepository(places.home, root);
  const where = await hooksOf(context, root, inConfig);
  if ('without' in where) return { root, added, hooks: 0, without: where.without };
  const { written, failed } = await write(where, gitHookCommand(places));
  const without = failed.length === 0 ? null : failed.map(({ hook, error }) => `${hook}: ${error}`).join('; ');
  return { root, added, hooks: written.length, without };
}

type Where = { readonly directory: string } | { readonly git: Git; readonly repository: Repository; readonly files: string | null };

/** Where the hooks of this repository alone stand, or shall stand. */
async function hooksOf(context: Context, root: string, inConfig = false): Promise<Where | { without: string }> {
  const git = createGit({ environment: context.env });
  const repository = await findRepository(git, root);
  // Where it was deleted, git finds the one around it, which nobody asked us to touch.
  if (repository?.root !== root) return { without: 'git does not know this directory' };
  const place = await hooksPlace(git, repository);
  if (inConfig || (await anyConfigHook(git, repository))) {
    if (await hasConfigHooks(git, root)) return { git, repository, files: place.kind === 'own' ? place.directory : null };
    if (inConfig) return { without: 'this git is older than 2.54 and has no hooks in its configuration: leave out --git-config-hooks' };
  }
  if (place.kind === 'own') return { directory: place.directory };
  const hint = (await hasConfigHooks(git, root)) ? ' (with this git, try: piton init --git-config-hooks)' : '';
  if (place.kind === 'disabled') return { without: `core.hooksPath is ${place.directory}, which holds no hooks${hint}` };
  const whose = place.why === 'part-of-the-project' ? 'a part of the project, for everybody' : 'outside this repository, for others too';
  return { without: `core.hooksPath is ${place.directory}: ${whose}${hint}` };
}

async function write(where: Where, command: readonly string[]): Promise<Awaited<ReturnType<typeof installGitHooks>>> {
  if ('directory' in where) return installGitHooks(where.directory, command);
  // Never both: each would tell of the same commit.
  if (where.files !== null) await uninstallGitHooks(where.files);
  return { written: await installConfigHooks(where.git, where.repository, command), failed: [] };
}

const missingAt = (where: Where, command: readonly string[]): Promise<readonly string[]> =>
  'directory' in where ? missingGitHooks(where.directory, command) : missingConfigHooks(where.git, where.repository, command);

/** Repositories that are watched and whose hooks are not as this version writes them. */
export async function unhookedRepositories(context: Context, places: Places): Promise<{ root: string; missing: readonly string[] }[]> {
  const found: { root: string; missing: readonly string[] }[] = [];
  for (const root of readRepositories(places.home)) {
    const where = await hooksOf(context, root);
    const missing = 'without' in where ? [] : await missingAt(where, gitHookCommand(places));
    if (missing.length > 0) found.push({ root, missing });
  }
  return found;
}

export async function rehook(context: Context, places: Places, root: string): Promise<number> {
  const where = await hooksOf(context, root);
  return 'without' in where ? 0 : (await write(where, gitHookCommand(places))).written.length;
}

/** All that are watched, or just the one if it is. */
export const watchedRepositories = (places: Places, only?: string): string[] =>
  readRepositories(places.home).filter((root) => only === undefined || root === only);

/** Takes git's hooks out again; gives back the files that changed. */
export async function unwatchRepositories(context: Context, places: Places, roots: readonly string[]): Promise<string[]> {
  const changed: string[] = [];
  for (const root of roots) {
    changed.push(...(await removeHooks(context, root)));
    removeRepository(places.home, root);
  }
  return changed;
}

async function removeHooks(context: Context, root: string): Promise<string[]> {
  const git = createGit({ environment: context.env });
  const repository = await findRepository(git, root);
  if (repository?.root !== root) return [];
  const place = await hooksPlace(git, repository);
  const named = (await uninstallConfigHooks(git, repository)).map((hook) => join(repository.commonDir, 'config', hook));
  // What was written before somebody set `core.hooksPath` still lies where git looks without it.
  const directories = new Set([join(repository.commonDir, 'hooks'), ...(place.kind === 'own' ? [place.directory] : [])]);
  const taken: string[] = [];
  for (const directory of directories) taken.push(...(await uninstallGitHooks(directory)));
  return [...named, ...taken];
}

export function reportWatched(context: Context, watched: WatchedRepository | undefined): void {
  if (watched === undefined) return say(context, spelled(context, '\nCheckpoints are taken in repositories: run `piton init` in one.'));
  const since = watched.added ? 'from the next prompt on' : 'already on';
  say(context, `\nCheckpoints of every turn in ${watched.root}: ${since}. ${spelled(context, '`piton rewind` takes a turn back.')}`);
  say(context, `${plural(watched.hooks, 'git hook')} installed.`);
  if (watched.without !== null)
    say(context, `${context.paint('yellow', '!')} commits are linked by their content alone: ${watched.without}`);
}
