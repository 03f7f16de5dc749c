import { join } from 'node:path';
import type { GitHook } from '@piton/contracts';
import type { GitPort } from '@piton/git';
import { findRepository, type Repository } from '../repositories/repository.ts';
import { stateDirectory } from '../repositories/state-directory.ts';
import { gitIn } from '../worktree.ts';
import { anyConfigHook, hasConfigHooks, installConfigHooks, missingConfigHooks, uninstallConfigHooks } from './config-hooks.ts';
import { hooksDirectory, type Installed, installHookFiles, missingHookFiles, uninstallHookFiles } from './hook-files.ts';

/** Why git's hooks cannot stand in a repository. `configWorks`: this git would take them from its configuration. */
export type HooksRefused =
  | { readonly why: 'no-repository' }
  | { readonly why: 'no-config-hooks' }
  | {
      readonly why: 'disabled' | 'outside-the-repository' | 'part-of-the-project';
      readonly directory: string;
      readonly configWorks: boolean;
    };

/** Git, and the directory of all that Piton knows. */
export interface HooksContext {
  readonly git: GitPort;
  readonly home: string;
}

type Target = { readonly directory: string } | { readonly repository: Repository; readonly files: string | null };

const placeOf = ({ git, home }: HooksContext, repository: Repository) =>
  hooksDirectory(gitIn(git, repository, stateDirectory(home)), repository);

/** Where the hooks of this repository alone stand, or shall stand. */
async function targetOf(context: HooksContext, root: string, inConfig = false): Promise<Target | HooksRefused> {
  const { ask } = context.git;
  const repository = await findRepository(context.git, root);
  // Where it was deleted, git finds the one around it, which nobody asked us to touch.
  if (repository?.root !== root) return { why: 'no-repository' };
  const found = await placeOf(context, repository);
  if (inConfig || (await anyConfigHook(ask, repository))) {
    if (await hasConfigHooks(ask, root)) return { repository, files: found.kind === 'own' ? found.directory : null };
    if (inConfig) return { why: 'no-config-hooks' };
  }
  if (found.kind === 'own') return { directory: found.directory };
  const why = found.kind === 'disabled' ? found.kind : found.why;
  return { why, directory: found.directory, configWorks: await hasConfigHooks(ask, root) };
}

/**
 * Writes git's hooks for the repository at `root`; `command` is run with the hook's name and arguments behind it.
 * `inConfig`: into git's configuration and not as files, where git knows that.
 */
export async function installGitHooks(
  context: HooksContext,
  root: string,
  command: readonly string[],
  { inConfig = false } = {},
): Promise<Installed | HooksRefused> {
  const target = await targetOf(context, root, inConfig);
  if ('why' in target) return target;
  if ('directory' in target) return installHookFiles(target.directory, command);
  // Never both: each would report the same commit.
  if (target.files !== null) await uninstallHookFiles(target.files);
  return { written: await installConfigHooks(context.git.ask, target.repository, command), failed: [] };
}

/** Hooks that are not there, or are of another Piton; none where none can be. */
export async function missingGitHooks(context: HooksContext, root: string, command: readonly string[]): Promise<readonly GitHook[]> {
  const target = await targetOf(context, root);
  if ('why' in target) return [];
  return 'directory' in target
    ? missingHookFiles(target.directory, command)
    : missingConfigHooks(context.git.ask, target.repository, command);
}

/** Takes git's hooks out again; gives back the files and settings that changed. */
export async function uninstallGitHooks(context: HooksContext, root: string): Promise<string[]> {
  const repository = await findRepository(context.git, root);
  if (repository?.root !== root) return [];
  const found = await placeOf(context, repository);
  const settings = (await uninstallConfigHooks(context.git.ask, repository)).map((hook) => join(repository.commonDir, 'config', hook));
  // What was written before somebody set `core.hooksPath` still lies where git looks without it.
  const directories = new Set([join(repository.commonDir, 'hooks'), ...(found.kind === 'own' ? [found.directory] : [])]);
  const files: string[] = [];
  for (const directory of directories) files.push(...(await uninstallHookFiles(directory)));
  return [...settings, ...files];
}
