import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Git } from '@piton/git';
import { type CheckpointSettings, readCheckpointSettings, type Trailer } from './settings.ts';
import type { Worktree } from './worktree.ts';

const PROJECT = '.piton/settings.json';
/** Of one person in a project, if git ignores it: else it may have come from somebody else. */
const LOCAL = '.piton/settings.local.json';

/** Settings are JSON with comments; the composition root has a parser for that. */
export type ParseSettings = (text: string) => { readonly value: unknown; readonly errors: readonly string[] };

type Here = Pick<Worktree, 'git' | 'repository'>;

export interface SettingsReader {
  /** What counts in a working tree: the user's settings, then the project's, then those of one person in it. Asked a few times a turn. */
  (worktree: Here): Promise<CheckpointSettings>;
  /** Which commits are marked. Anybody may say so, and nobody need be asked whose settings they are: git waits for this. */
  readonly trailerIn: (root: string) => Trailer;
  readonly filesFor: (root: string) => readonly string[];
}

export function checkpointSettings(config: string, parse: ParseSettings): SettingsReader {
  const lastGood = new Map<string, unknown>();
  const read = (path: string): unknown => {
    try {
      // A link of a repository's may lead to a device that has no end.
      if (!statSync(path).isFile()) throw new Error('no file');
      const { value, errors } = parse(readFileSync(path, 'utf8'));
      // Somebody is in the middle of an edit: what was there before holds on.
      if (errors.length > 0) return lastGood.get(path);
      lastGood.set(path, (value as { checkpoints?: unknown } | null | undefined)?.checkpoints);
    } catch {
      lastGood.delete(path);
    }
    return lastGood.get(path);
  };
  const filesFor = (root: string) => [join(config, 'settings.json'), join(root, PROJECT), join(root, LOCAL)];
  const trailerIn = (root: string) =>
    readCheckpointSettings(filesFor(root).map((file) => ({ value: read(file), ofRepository: true }))).trailer;
  const all = async (worktree: Here): Promise<CheckpointSettings> => {
    const { root } = worktree.repository;
    const local = read(join(root, LOCAL));
    return readCheckpointSettings([
      { value: read(join(config, 'settings.json')), ofRepository: false },
      { value: read(join(root, PROJECT)), ofRepository: true },
      { value: local, ofRepository: local !== undefined && !(await ownsLocalSettings(worktree.git, root)) },
    ]);
  };
  return Object.assign(all, { trailerIn, filesFor });
}

/**
 * Are the local settings of a repository surely the person's? Only what git ignores cannot have come with the repository; a link or a submodule on the way may have
 * brought it, and a question that git does not answer proves nothing.
 */
export async function ownsLocalSettings(git: Git, root: string): Promise<boolean> {
  const [file, folder] = [join(root, LOCAL), join(root, dirname(LOCAL))];
  const isPlain =
    lstatSync(file, { throwIfNoEntry: false })?.isFile() === true &&
    lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
    lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) === undefined;
  if (!isPlain) return false;
  // This one command refuses to take paths literally; ours has nothing to expand.
  const environment = { GIT_LITERAL_PATHSPECS: '0' };
  return (await git(['check-ignore', '-q', '--', LOCAL], { cwd: root, environment })).code === 0;
}
