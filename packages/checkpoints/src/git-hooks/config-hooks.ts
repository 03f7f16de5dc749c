import { GIT_HOOKS, type GitHook } from '@piton/contracts';
import { type AskGit, gitOutput } from '@piton/git';
import type { Repository } from '../repositories/repository.ts';
import { quote, WITH_INPUT } from './script.ts';

/** From this version on git runs hooks that its configuration names, beside the file in the hooks directory. */
const SINCE = [2, 54] as const;

export async function hasConfigHooks(ask: AskGit, cwd: string): Promise<boolean> {
  const [, major, minor] = /(\d+)\.(\d+)/.exec((await ask(['version'], { cwd })).stdout.toString()) ?? [];
  return Number(major) > SINCE[0] || (Number(major) === SINCE[0] && Number(minor) >= SINCE[1]);
}

/** A name of git's own event would be taken for a switch of that event. */
const sectionOf = (hook: GitHook): string => `hook.piton-${hook}`;

/**
 * Git puts the hook's arguments behind this text: so it ends with the name of a function that takes them. Silent, and never
 * a failure, as in a file.
 */
export function configCommand(hook: GitHook, command: readonly string[]): string {
  const [program = '', ...rest] = command.map(quote);
  const input = WITH_INPUT.has(hook) ? '' : ' </dev/null';
  return `piton() { if [ -x ${program} ]; then ${[program, ...rest, hook].join(' ')} "$@"${input} >/dev/null 2>&1; fi; return 0; }; piton`;
}

/** What the configuration has of ours, in one look: key → value. */
async function readConfigHooks(ask: AskGit, { root }: Repository): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await ask(['config', '--local', '-z', '--get-regexp', '^hook\\.piton-'], { cwd: root });
  const pairs = stdout.toString().split('\0').filter(Boolean);
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('\n')), pair.slice(pair.indexOf('\n') + 1)]));
}

/** Which are not there, or are of another Piton. */
export async function missingConfigHooks(ask: AskGit, repository: Repository, command: readonly string[]): Promise<GitHook[]> {
  const kept = await readConfigHooks(ask, repository);
  return GIT_HOOKS.filter(
    (hook) => kept.get(`${sectionOf(hook)}.event`) !== hook || kept.get(`${sectionOf(hook)}.command`) !== configCommand(hook, command),
  );
}

export const anyConfigHook = async (ask: AskGit, repository: Repository): Promise<boolean> =>
  (await readConfigHooks(ask, repository)).size > 0;

/** Writes into the repository's own configuration, which all of its working trees share; gives back those that were not there. */
export async function installConfigHooks(ask: AskGit, repository: Repository, command: readonly string[]): Promise<GitHook[]> {
  const missing = await missingConfigHooks(ask, repository, command);
  for (const hook of missing) {
    await ask(['config', '--local', '--remove-section', sectionOf(hook)], { cwd: repository.root });
    await gitOutput(ask, ['config', '--local', `${sectionOf(hook)}.event`, hook], { cwd: repository.root });
    await gitOutput(ask, ['config', '--local', `${sectionOf(hook)}.command`, configCommand(hook, command)], { cwd: repository.root });
  }
  return missing;
}

export async function uninstallConfigHooks(ask: AskGit, repository: Repository): Promise<GitHook[]> {
  const removed: GitHook[] = [];
  for (const hook of GIT_HOOKS) {
    const { code } = await ask(['config', '--local', '--remove-section', sectionOf(hook)], { cwd: repository.root });
    if (code === 0) removed.push(hook);
  }
  return removed;
}
