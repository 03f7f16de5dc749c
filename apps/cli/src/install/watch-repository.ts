import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type GitHooksPlan,
  type HooksChoice,
  type HooksRefused,
  installGitHooks,
  missingGitHooks,
  planGitHooks,
  uninstallGitHooks,
} from '@piton/checkpoints/git-hooks';
import { addRepository, readRepositories, removeRepository } from '@piton/checkpoints/repositories';
import { GIT_HOOK, registrationArgs } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { createGit } from '@piton/git';
import { withCommandName } from '../command-name.ts';
import { type Context, printLine } from '../context.ts';
import { existingPlaces, futureForwarder, userHome } from '../locations.ts';
import { plural } from '../output/text.ts';
import { gitHere } from '../programs.ts';
import { repositoryRoot } from '../repository.ts';

/** What `init` does to the repository around the current directory. */
export interface RepositoryPlan {
  readonly root: string;
  /** It is not watched yet. */
  readonly added: boolean;
  readonly hooks: GitHooksPlan | HooksRefused;
}

export interface WatchedRepository {
  readonly root: string;
  /** It was not watched before. */
  readonly added: boolean;
  /** How many git hooks were written now. */
  readonly hooks: number;
  /** Why git hooks are missing, if any are. */
  readonly without: string | null;
}

export const hooksContext = (context: Context, { home }: Pick<Places, 'home'>) => ({
  ...{ git: createGit(gitHere(context)), home },
  userHome: userHome(context),
});

export const gitHookCommand = ({ forwarder }: Pick<Places, 'forwarder'>): string[] => [forwarder, ...registrationArgs(GIT_HOOK)];

/** Also before Piton has a home, and without writing into it: what git needs meanwhile lies in a temporary directory. */
export async function lookingWithGit<T>(context: Context, look: (looking: ReturnType<typeof hooksContext>) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'piton-look-'));
  try {
    return await look(hooksContext(context, { home }));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Undefined outside a repository. Looks only. */
export async function planRepository(context: Context, choice: HooksChoice): Promise<RepositoryPlan | undefined> {
  const found = repositoryRoot(context);
  if (found === undefined) return undefined;
  const root = realpathSync(found);
  const places = existingPlaces(context);
  const added = places === undefined || !readRepositories(places.home).includes(root);
  const command = gitHookCommand({ forwarder: futureForwarder(context) });
  return { root, added, hooks: await lookingWithGit(context, (looking) => planGitHooks(looking, root, command, choice)) };
}

/**
 * From now on every turn in this repository gets a checkpoint, and its commits are linked to checkpoints.
 */
export async function watchRepository(
  context: Context,
  places: Places,
  { root }: RepositoryPlan,
  choice: HooksChoice,
): Promise<WatchedRepository> {
  const added = addRepository(places.home, root);
  const installed = await installGitHooks(hooksContext(context, places), root, gitHookCommand(places), choice);
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
  return `core.hooksPath is ${directory}: ${whose}. To add Piton's lines to it: piton init --shared-hooks${hint}`;
}

export interface HooksFinding {
  readonly root: string;
  readonly missing: readonly string[];
  /** Why there can be none without the person's word. */
  readonly refused?: string;
  /** Why nobody can say. */
  readonly unreadable?: string;
}

/** Watched repositories whose git hooks differ from what this version writes, or that have none. */
export async function repositoriesMissingGitHooks(context: Context, places: Places): Promise<HooksFinding[]> {
  const hooks = hooksContext(context, places);
  const found: HooksFinding[] = [];
  for (const root of readRepositories(places.home)) {
    try {
      const missing = await missingGitHooks(hooks, root, gitHookCommand(places));
      if (missing.length > 0) found.push({ root, missing });
      const planned = await planGitHooks(hooks, root, gitHookCommand(places));
      if ('why' in planned && planned.why !== 'no-repository') found.push({ root, missing: [], refused: refusalText(planned) });
    } catch (error) {
      // One that cannot be read says nothing of the others.
      found.push({ root, missing: [], unreadable: (error as Error).message });
    }
  }
  return found;
}

export async function reinstallGitHooks(context: Context, places: Places, root: string): Promise<number> {
  const installed = await installGitHooks(hooksContext(context, places), root, gitHookCommand(places));
  return 'why' in installed ? 0 : installed.written.length;
}

/** All watched repositories, or only the given one, if it is watched. */
export const watchedRepositories = (places: Places, only?: string): string[] =>
  readRepositories(places.home).filter((root) => only === undefined || root === only);

/** Removes the git hooks. Returns the changed files. */
export async function unwatchRepositories(context: Context, places: Places, roots: readonly string[]): Promise<string[]> {
  const changed: string[] = [];
  for (const root of roots) {
    try {
      changed.push(...(await uninstallGitHooks(hooksContext(context, places), root)));
      removeRepository(places.home, root);
    } catch (error) {
      printLine(context, `${context.paint('yellow', '!')} ${root}: the git hooks could not be removed: ${(error as Error).message}`);
      context.exit.code = 1;
    }
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
  // Who asked for them sees that they were there.
  if (watched.hooks > 0) printLine(context, `${plural(watched.hooks, 'git hook')} installed.`);
  else if (watched.without === null) printLine(context, 'Its git hooks are already installed.');
  if (watched.without !== null)
    printLine(context, `${context.paint('yellow', '!')} commits are linked by content only: ${watched.without}`);
}
