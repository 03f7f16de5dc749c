import { realpathSync } from 'node:fs';
import {
  addRepository,
  type HooksRefused,
  installGitHooks,
  missingGitHooks,
  readRepositories,
  removeRepository,
  uninstallGitHooks,
} from '@piton/checkpoints';
import { GIT_HOOK, registrationArgs } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { createGit } from '@piton/git';
import { withCommandName } from '../command-name.ts';
import { type Context, printLine } from '../context.ts';
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
  const installed = await installGitHooks(createGit({ environment: context.env }), root, gitHookCommand(places), { inConfig });
  if ('why' in installed) return { root, added, hooks: 0, without: refusalText(installed) };
  const { written, failed } = installed;
  const without = failed.length === 0 ? null : failed.map(({ hook, error }) => `${hook}: ${error}`).join('; ');
  return { root, added, hooks: written.length, without };
}

function refusalText(refused: HooksRefused): string {
  if (refused.why === 'no-repository') return 'git does not recognize this directory';
  if (refused.why === 'no-config-hooks')
    return 'this git is older than 2.54 and does not support hooks in its configuration: drop --git-config-hooks';
  const { why, directory, configWorks } = refused;
  const hint = configWorks ? ' (with this git, try: piton init --git-config-hooks)' : '';
  if (why === 'disabled') return `core.hooksPath is ${directory}, which is not a hooks directory${hint}`;
  const whose = why === 'part-of-the-project' ? 'part of the project, shared with everyone' : 'outside this repository, shared with others';
  return `core.hooksPath is ${directory}: ${whose}${hint}`;
}

/** Repositories that are watched and whose hooks are not as this version writes them. */
export async function repositoriesMissingGitHooks(
  context: Context,
  places: Places,
): Promise<{ root: string; missing: readonly string[] }[]> {
  const git = createGit({ environment: context.env });
  const found: { root: string; missing: readonly string[] }[] = [];
  for (const root of readRepositories(places.home)) {
    const missing = await missingGitHooks(git, root, gitHookCommand(places));
    if (missing.length > 0) found.push({ root, missing });
  }
  return found;
}

export async function reinstallGitHooks(context: Context, places: Places, root: string): Promise<number> {
  const installed = await installGitHooks(createGit({ environment: context.env }), root, gitHookCommand(places));
  return 'why' in installed ? 0 : installed.written.length;
}

/** All that are watched, or just the one if it is. */
export const watchedRepositories = (places: Places, only?: string): string[] =>
  readRepositories(places.home).filter((root) => only === undefined || root === only);

/** Takes git's hooks out again; gives back the files that changed. */
export async function unwatchRepositories(context: Context, places: Places, roots: readonly string[]): Promise<string[]> {
  const changed: string[] = [];
  for (const root of roots) {
    changed.push(...(await uninstallGitHooks(createGit({ environment: context.env }), root)));
    removeRepository(places.home, root);
  }
  return changed;
}

export function reportWatched(context: Context, watched: WatchedRepository | undefined): void {
  if (watched === undefined) return printLine(context, withCommandName(context, '\nFor checkpoints, run `piton init` in a repository.'));
  const since = watched.added ? 'from the next prompt on' : 'already on';
  printLine(
    context,
    `\nCheckpoints of every turn in ${watched.root}: ${since}. ${withCommandName(context, 'To undo a turn: piton rewind')}`,
  );
  printLine(context, `${plural(watched.hooks, 'git hook')} installed.`);
  if (watched.without !== null)
    printLine(context, `${context.paint('yellow', '!')} commits are linked by content only: ${watched.without}`);
}
