import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { GIT_HOOKS, type GitHook } from '@piton/contracts';
import type { GitPort } from '@piton/git';
import { findRepository, type Repository } from '../repositories/repository.ts';
import { stateDirectory } from '../repositories/state-directory.ts';
import { gitIn } from '../worktree.ts';
import { anyConfigHook, hasConfigHooks, installConfigHooks, missingConfigHooks, uninstallConfigHooks } from './config-hooks.ts';
import {
  type HookFilePlan,
  type HookFileRemoval,
  type HooksDirectory,
  type HooksStyle,
  hooksDirectory,
  type Installed,
  installHookFiles,
  planHookFileRemovals,
  planHookFiles,
  replace,
  uninstallHookFiles,
} from './hook-files.ts';
import {
  findLefthook,
  hasLefthookBlock,
  isLefthookScript,
  lefthookHooks,
  withLefthookCommands,
  withoutLefthookBlocks,
} from './lefthook.ts';
import { portableCommand } from './script.ts';

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
  /** The person's own. */
  readonly userHome: string;
}

/** How git's hooks are written. */
export interface HooksChoice {
  /** Into git's configuration and not as files, where git knows that. */
  readonly inConfig?: boolean;
  /** Also into files that others share: a hook manager's, or of a directory that `core.hooksPath` names. Once they are there this is known. */
  readonly shared?: boolean;
}

/** `replaces`: a directory in which ours would run as well. */
interface FilesTarget {
  readonly directory: string;
  readonly style: HooksStyle;
  readonly replaces: string | null;
  /** Hooks that a manager runs, and what its own configuration becomes. */
  readonly managed: ManagedHooks | null;
}

/** Hooks in the configuration of a hook manager, as values. */
export interface ManagedHooks {
  readonly file: string;
  /** Bytes, one character each. */
  readonly before: string;
  readonly after: string;
  readonly hooks: readonly GitHook[];
  /** Those of which the manager's script is in its place. It puts the others there when it next runs: until then ours are there. */
  readonly installed: readonly GitHook[];
}

type Target = FilesTarget | { readonly repository: Repository; readonly files: string | null };

const placeOf = ({ git, home }: HooksContext, repository: Repository) =>
  hooksDirectory(gitIn(git, repository, stateDirectory(home)), repository);

/** Where the hooks of this repository alone stand, or shall stand. */
async function targetOf(
  context: HooksContext,
  root: string,
  command: readonly string[],
  { inConfig, shared }: HooksChoice = {},
): Promise<Target | HooksRefused> {
  const { ask } = context.git;
  const repository = await findRepository(context.git, root);
  // Where it was deleted, git finds the one around it, which nobody asked us to touch.
  if (repository?.root !== root) return { why: 'no-repository' };
  const found = await placeOf(context, repository);
  if (inConfig || (await anyConfigHook(ask, repository))) {
    if (await hasConfigHooks(ask, root)) return { repository, files: found.kind === 'own' ? found.directory : null };
    if (inConfig) return { why: 'no-config-hooks' };
  }
  const others = sharedTarget(found);
  if (others !== null && (shared || (await planHookFileRemovals(others.directory)).length > 0)) return others;
  if (found.kind === 'own') {
    const managed = await managedHooks(context, root, found.directory, command, shared === true);
    return { directory: found.directory, style: 'own', replaces: null, managed };
  }
  const why = found.kind === 'disabled' ? found.kind : found.why;
  return { why, directory: found.directory, configWorks: await hasConfigHooks(ask, root) };
}

/** The files that a hook manager, or everybody in a project, has; null where there are none. Husky writes its own directory anew when it likes, and keeps the one above. */
function sharedTarget({ kind, directory }: HooksDirectory): FilesTarget | null {
  if (basename(directory) === '_' && existsSync(join(directory, 'h')))
    return { directory: dirname(directory), style: 'husky', replaces: kind === 'own' ? directory : null, managed: null };
  return kind === 'shared' ? { directory, style: 'shared', replaces: null, managed: null } : null;
}

/** lefthook writes its scripts anew when it likes, and keeps its configuration. Null where there is none, or no place in it. */
async function managedHooks(
  { userHome }: HooksContext,
  root: string,
  directory: string,
  command: readonly string[],
  shared: boolean,
): Promise<ManagedHooks | null> {
  const found = await findLefthook(root);
  if (found === null || !(shared || hasLefthookBlock(found.text))) return null;
  const isInstalled = (hook: GitHook): boolean => isLefthookScript(scriptAt(join(directory, hook)));
  const hooks = lefthookHooks(found.text, isInstalled);
  if (hooks.length === 0) return null;
  const after = withLefthookCommands(found.text, hooks, portableCommand(command, userHome));
  return after === null ? null : { file: found.file, before: found.text, after, hooks, installed: hooks.filter(isInstalled) };
}

async function offeredFile(context: HooksContext, root: string, directory: string, command: readonly string[]): Promise<string | null> {
  return (await managedHooks(context, root, directory, command, true))?.file ?? null;
}

function scriptAt(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

const unmanaged = ({ managed }: FilesTarget): readonly GitHook[] => GIT_HOOKS.filter((hook) => !managed?.installed.includes(hook));

const commandFor = ({ style }: FilesTarget, command: readonly string[], { userHome }: HooksContext): readonly string[] =>
  style === 'own' ? command : portableCommand(command, userHome);

/** Writes git's hooks for the repository at `root`; `command` is run with the hook's name and arguments behind it. */
export async function installGitHooks(
  context: HooksContext,
  root: string,
  command: readonly string[],
  choice: HooksChoice = {},
): Promise<Installed | HooksRefused> {
  const target = await targetOf(context, root, command, choice);
  if ('why' in target) return target;
  if ('directory' in target) {
    if (target.replaces !== null) await uninstallHookFiles(target.replaces);
    const { managed } = target;
    const isNew = managed !== null && managed.before !== managed.after;
    if (isNew) await replace(managed.file, managed.after, modeOf(managed.file));
    // Never both: each would report the same commit.
    if (managed) await uninstallHookFiles(target.directory, managed.installed);
    const files = await installHookFiles(target.directory, commandFor(target, command, context), target.style, unmanaged(target));
    return { ...files, written: [...new Set([...(isNew ? managed.hooks : []), ...files.written])] };
  }
  // Never both: each would report the same commit.
  if (target.files !== null) await uninstallHookFiles(target.files);
  return { written: await installConfigHooks(context.git.ask, target.repository, command), failed: [] };
}

/** What `installGitHooks` would change, as values. Nothing is written. */
export interface GitHooksPlan {
  readonly files: readonly HookFilePlan[];
  /** The repository's configuration, and the hooks that would be registered in it. */
  readonly config: { readonly file: string; readonly hooks: readonly GitHook[] } | null;
  /** Hook files of ours that the configuration replaces. */
  readonly removed: readonly HookFileRemoval[];
  /** The configuration of a hook manager that would be changed. */
  readonly managed: ManagedHooks | null;
  /** One that could be, where that was not asked for. */
  readonly offered: string | null;
}

export async function planGitHooks(
  context: HooksContext,
  root: string,
  command: readonly string[],
  choice: HooksChoice = {},
): Promise<GitHooksPlan | HooksRefused> {
  const target = await targetOf(context, root, command, choice);
  if ('why' in target) return target;
  if ('directory' in target) {
    const { managed } = target;
    const files = await planHookFiles(target.directory, commandFor(target, command, context), target.style, unmanaged(target));
    const removed = [
      ...(target.replaces === null ? [] : await planHookFileRemovals(target.replaces)),
      ...(managed === null ? [] : await planHookFileRemovals(target.directory, managed.installed)),
    ];
    const offered = target.style === 'own' && managed === null ? await offeredFile(context, root, target.directory, command) : null;
    return { files, config: null, removed, managed: managed && managed.before !== managed.after ? managed : null, offered };
  }
  const hooks = await missingConfigHooks(context.git.ask, target.repository, command);
  const removed = target.files === null ? [] : await planHookFileRemovals(target.files);
  const file = join(target.repository.commonDir, 'config');
  return { files: [], config: hooks.length === 0 ? null : { file, hooks }, removed, managed: null, offered: null };
}

/** Hooks that are not there, or are of another Piton; none where none can be. */
export async function missingGitHooks(context: HooksContext, root: string, command: readonly string[]): Promise<readonly GitHook[]> {
  const target = await targetOf(context, root, command);
  if ('why' in target) return [];
  if (!('directory' in target)) return missingConfigHooks(context.git.ask, target.repository, command);
  const { managed } = target;
  const files = await planHookFiles(target.directory, commandFor(target, command, context), target.style, unmanaged(target));
  return [...new Set([...(managed && managed.before !== managed.after ? managed.hooks : []), ...files.map(({ hook }) => hook)])];
}

/** What `uninstallGitHooks` would take out, as values. Nothing is written. */
export interface GitHooksRemoval {
  readonly files: readonly HookFileRemoval[];
  /** The repository's configuration, if hooks of ours are registered in it. */
  readonly config: string | null;
}

export async function planGitHooksRemoval(context: HooksContext, root: string): Promise<GitHooksRemoval> {
  const found = await placesWithHooks(context, root);
  if (found === null) return { files: [], config: null };
  const files: HookFileRemoval[] = [];
  for (const directory of found.directories) files.push(...(await planHookFileRemovals(directory)));
  const managed = await managedRemoval(root);
  if (managed) files.push(managed);
  const registered = await anyConfigHook(context.git.ask, found.repository);
  return { files, config: registered ? join(found.repository.commonDir, 'config') : null };
}

/** Takes git's hooks out again; gives back the files and settings that changed. */
export async function uninstallGitHooks(context: HooksContext, root: string): Promise<string[]> {
  const found = await placesWithHooks(context, root);
  if (found === null) return [];
  const { repository, directories } = found;
  const settings = (await uninstallConfigHooks(context.git.ask, repository)).map((hook) => join(repository.commonDir, 'config', hook));
  const files: string[] = [];
  for (const directory of directories) files.push(...(await uninstallHookFiles(directory)));
  const managed = await managedRemoval(root);
  if (managed?.after != null) await replace(managed.file, managed.after, managed.mode);
  return [...settings, ...files, ...(managed ? [managed.file] : [])];
}

/** Our part of a hook manager's configuration; null where there is none. */
async function managedRemoval(root: string): Promise<HookFileRemoval | null> {
  const found = await findLefthook(root);
  if (found === null || !hasLefthookBlock(found.text)) return null;
  const { file, text } = found;
  return { file, before: text, after: withoutLefthookBlocks(text), mode: modeOf(file), aside: null, isConfiguration: true };
}

const modeOf = (file: string): number => statSync(file).mode & 0o777;

async function placesWithHooks(
  context: HooksContext,
  root: string,
): Promise<{ readonly repository: Repository; readonly directories: ReadonlySet<string> } | null> {
  const repository = await findRepository(context.git, root);
  if (repository?.root !== root) return null;
  const found = await placeOf(context, repository);
  // What was written before somebody set `core.hooksPath` still lies where git looks without it.
  const others = sharedTarget(found);
  const directories = new Set([
    join(repository.commonDir, 'hooks'),
    ...(found.kind === 'own' ? [found.directory] : []),
    ...(others === null ? [] : [others.directory]),
  ]);
  return { repository, directories };
}
