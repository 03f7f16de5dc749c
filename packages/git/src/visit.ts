import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { carriedConfiguration, parseConfigList } from './carried-settings.ts';
import type { Git, GitPort } from './git.ts';
import type { GitLayout } from './git-directory.ts';

/** Which repository is meant, where it is not that around the directory. */
const PLACE_VARIABLES = ['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE'];
/** Which parts of it: these are for every git in it. */
const PART_VARIABLES = ['GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES'];

const chosen = (environment: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])));

/**
 * Runs something with git in the repository around a directory, or that which the environment names; undefined outside any. For who has
 * no place of their own to keep a directory in: it is gone afterwards.
 */
export async function visitRepository<T>(
  port: GitPort,
  cwd: string,
  environment: NodeJS.ProcessEnv,
  visit: (git: Git, layout: GitLayout) => Promise<T>,
): Promise<T | undefined> {
  const layout = await findLayout(port, cwd, chosen(environment, [...PLACE_VARIABLES, ...PART_VARIABLES]));
  if (layout === null) return undefined;
  const directory = temporaryDirectory(environment);
  try {
    const git = port.within(layout, join(directory, 'git'));
    const parts = chosen(environment, PART_VARIABLES);
    return await visit((args, options) => git(args, { ...options, environment: { ...parts, ...options.environment } }), layout);
  } finally {
    rmSync(directory, { recursive: true, force: true });
    leaveNoCache(environment);
  }
}

async function findLayout({ ask }: GitPort, cwd: string, environment: Record<string, string>): Promise<GitLayout | null> {
  const options = { cwd, environment };
  const [found, listed] = await Promise.all([
    ask(['rev-parse', '--path-format=absolute', '--show-toplevel', '--absolute-git-dir', '--git-common-dir'], options),
    ask(['config', '--list', '-z'], options),
  ]);
  const [root, gitDir, commonDir] = found.stdout.toString().split('\n');
  if (found.code !== 0 || !root || !gitDir || !commonDir) return null;
  return { root, gitDir, commonDir, configuration: carriedConfiguration(parseConfigList(listed.stdout)) };
}

const cacheOf = (environment: NodeJS.ProcessEnv): string => join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'piton');

/** An empty directory would be all that is left of Piton after `uninstall --purge`. */
function leaveNoCache(environment: NodeJS.ProcessEnv): void {
  try {
    rmdirSync(cacheOf(environment));
  } catch {
    // another visit goes on, or it was never made
  }
}

/** Not where all write: somebody else's program could put its own settings in before git reads them. */
function temporaryDirectory(environment: NodeJS.ProcessEnv): string {
  const cache = cacheOf(environment);
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    return mkdtempSync(join(cache, 'git-'));
  } catch {
    return mkdtempSync(join(tmpdir(), 'piton-git-'));
  }
}
