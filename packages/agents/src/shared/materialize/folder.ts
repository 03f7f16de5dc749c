import type { ConfigFile, MaterializedFile, MaterializePlace } from '@piton/contracts';
import { type Command, quoted } from '../command-line.ts';
import type { Draft } from './draft.ts';

/** All hooks that we wrote for an agent lie in one folder of its own. */
const FOLDERS = 'piton-hooks';

/** `directory` is the agent's own, as `configFiles` gives it. */
export const folderOf = (directory: string, id: string): string => `${directory}/${FOLDERS}/${id}`;
export const runFile = (folder: string): string => `${folder}/run.sh`;

export const parentOf = ({ path }: ConfigFile): string => path.replace(/\/[^/]*$/, '');

/** The hook's own files: the action as it is, and the script that the agent runs. */
export const folderFiles = (folder: string, { script, hook }: Draft): MaterializedFile[] => [
  { path: runFile(folder), text: script, executable: true },
  { path: `${folder}/action.sh`, text: `${hook.action.trimEnd()}\n` },
];

/** Absolute for a user; in a project from its root, which `root` finds in a shell. */
export function placed(folder: string, place: MaterializePlace, root: string): string {
  const file = runFile(folder);
  if (file.startsWith('/')) return quoted(file);
  return place.scope === 'user' ? quoted(`${place.base.replace(/\/+$/, '')}/${file}`) : `${root}/${quoted(file)}`;
}

/** Where the files are gone there is silence, or a deny where a policy is missed: that much of exit 2 all of them know. */
export function lineFor(path: string, nativeEvent: string, failClosed: boolean): string {
  const gone = failClosed ? '{ echo "$1 is gone" >&2; exit 2; }' : 'exit 0';
  return `set -- ${path} ${nativeEvent}; [ -x "$1" ] || ${gone}; exec "$@"`;
}

/** Our entries are known by the folder that they run from. */
export function isOf(id: string): (command: Command) => true | undefined {
  const mark = `/${FOLDERS}/${id}/run.sh`;
  return (command) => (('shell' in command ? command.shell : command.argv.join(' ')).includes(mark) ? true : undefined);
}

/** From inside a repository, also where the agent works in a directory below its root. */
export const ROOT_BY_GIT = '"$(git rev-parse --show-toplevel 2> /dev/null || pwd)"';
export const rootBy = (variable: string): string => `"\${${variable}:-$PWD}"`;
