import { existsSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_OUTER_CONFIGURATION } from './environment.ts';

/** Where the parts of a repository lie, and what our git takes over of its settings. */
export interface GitLayout {
  readonly root: string;
  readonly gitDir: string;
  readonly commonDir: string;
  /** The text of a configuration file: see `carriedConfiguration`. */
  readonly configuration: string;
}

/**
 * What working trees share, but for configuration and hooks. All of it is data. HEAD and the index are those of the main working tree:
 * what any of them needs is kept.
 */
const SHARED = ['HEAD', 'index', 'refs', 'packed-refs', 'reftable', 'objects', 'info', 'logs', 'shallow', 'worktrees'];

/**
 * A git directory of ours for a repository, like that which a linked working tree shares with the others: its configuration is ours, it
 * has no hooks, and the rest leads to the repository's own. Git looks for settings there and nowhere else, so that none of the
 * repository's programs has a name, whatever its configuration says by the time that git runs. Locks lie where the links lead: a
 * person's git and ours wait for each other as ever.
 */
export function prepareDirectory(directory: string, { commonDir, configuration }: GitLayout): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of SHARED) linkTo(join(commonDir, name), join(directory, name));
  // Without a log of refs git would make the first one here.
  const noLog = existsSync(join(commonDir, 'logs')) ? '' : '\tlogAllRefUpdates = false\n';
  // Each of our indexes would leave its other half in the repository, for two weeks.
  const text = `${configuration}[core]\n\tsplitIndex = false\n${noLog}`;
  const file = join(directory, 'config');
  if (textOf(file) !== text) writeWhole(file, text);
}

/** What points git there. A new process that git starts for itself has it too. */
export const directoryEnvironment = (directory: string, { root, gitDir }: GitLayout): Record<string, string> => ({
  ...NO_OUTER_CONFIGURATION,
  GIT_DIR: gitDir,
  GIT_COMMON_DIR: directory,
  GIT_WORK_TREE: root,
});

/** False where somebody cleared it away, or it was never made. */
export const isPrepared = (directory: string): boolean => existsSync(join(directory, 'config'));

/** Another process may be about the same. */
function linkTo(target: string, path: string): void {
  if (targetOf(path) === target) return;
  const made = temporaryName(path);
  symlinkSync(target, made);
  try {
    renameSync(made, path);
  } catch {
    rmSync(made, { force: true });
    rmSync(path, { recursive: true, force: true });
    symlinkSync(target, path);
  }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function writeWhole(file: string, text: string): void {
  const made = temporaryName(file);
  writeFileSync(made, text, { mode: 0o600 });
  renameSync(made, file);
}

const temporaryName = (path: string): string => `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.new`;
