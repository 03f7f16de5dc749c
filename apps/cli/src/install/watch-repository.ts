import { realpathSync } from 'node:fs';
import { createGit, findRepository, hooksPlace, installGitHooks, missingGitHooks, uninstallGitHooks } from '@piton/checkpoints';
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

/** From now on every turn in this repository is a checkpoint, and its commits are linked to them. Undefined where there is none. */
export async function watchRepository(context: Context, places: Places): Promise<WatchedRepository | undefined> {
  const found = repositoryRoot(context);
  if (found === undefined) return undefined;
  const root = realpathSync(found);
  const added = addRepository(places.home, root);
  const directory = await ownHooksDirectory(context, root);
  if (typeof directory !== 'string') return { root, added, hooks: 0, without: directory.without };
  const { written, failed } = await installGitHooks(directory, gitHookCommand(places));
  const without = failed.length === 0 ? null : failed.map(({ hook, error }) => `${hook}: ${error}`).join('; ');
  return { root, added, hooks: written.length, without };
}

/** Where git looks for the hooks of this repository alone. */
async function ownHooksDirectory(context: Context, root: string): Promise<string | { without: string }> {
  const git = createGit({ environment: context.env });
  const repository = await findRepository(git, root);
  // Where it was deleted, git finds the one around it, which nobody asked us to touch.
  if (repository?.root !== root) return { without: 'git does not know this directory' };
  const place = await hooksPlace(git, repository);
  if (place.kind === 'own') return place.directory;
  if (place.kind === 'disabled') return { without: `core.hooksPath is ${place.directory}, which holds no hooks` };
  const whose = place.why === 'part-of-the-project' ? 'a part of the project, for everybody' : 'outside this repository, for others too';
  return { without: `core.hooksPath is ${place.directory}: ${whose}` };
}

/** Repositories that are watched and whose hooks are not as this version writes them. */
export async function unhookedRepositories(context: Context, places: Places): Promise<{ root: string; missing: readonly string[] }[]> {
  const found: { root: string; missing: readonly string[] }[] = [];
  for (const root of readRepositories(places.home)) {
    const directory = await ownHooksDirectory(context, root);
    const missing = typeof directory === 'string' ? await missingGitHooks(directory, gitHookCommand(places)) : [];
    if (missing.length > 0) found.push({ root, missing });
  }
  return found;
}

export async function rehook(context: Context, places: Places, root: string): Promise<number> {
  const directory = await ownHooksDirectory(context, root);
  return typeof directory === 'string' ? (await installGitHooks(directory, gitHookCommand(places))).written.length : 0;
}

/** All that are watched, or just the one if it is. */
export const watchedRepositories = (places: Places, only?: string): string[] =>
  readRepositories(places.home).filter((root) => only === undefined || root === only);

/** Takes git's hooks out again; gives back the files that changed. */
export async function unwatchRepositories(context: Context, places: Places, roots: readonly string[]): Promise<string[]> {
  const changed: string[] = [];
  for (const root of roots) {
    const directory = await ownHooksDirectory(context, root);
    if (typeof directory === 'string') changed.push(...(await uninstallGitHooks(directory)));
    removeRepository(places.home, root);
  }
  return changed;
}

export function reportWatched(context: Context, watched: WatchedRepository | undefined): void {
  if (watched === undefined) return say(context, spelled(context, '\nCheckpoints are taken in repositories: run `piton init` in one.'));
  const since = watched.added ? 'from the next prompt on' : 'already on';
  say(context, `\nCheckpoints of every turn in ${watched.root}: ${since}. ${spelled(context, '`piton rewind` takes a turn back.')}`);
  say(context, `${plural(watched.hooks, 'git hook')} installed.`);
  if (watched.without !== null)
    say(context, `${context.paint('yellow', '!')} commits are linked by their content alone: ${watched.without}`);
}
