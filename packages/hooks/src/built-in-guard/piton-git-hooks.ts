import type { Disk, GuardedPlaces } from './guarded-places.ts';
import { segmentsOf } from './path-segments.ts';

const FORWARDER = /\/piton-forward(\.exe)?$/;

/** A script that we wrote into, or a link to the forwarder. */
export const isPitonGitHook = (path: string, mark: string, disk: Disk): boolean =>
  FORWARDER.test(disk.real(path)) || disk.head(path).includes(mark);

/** Are there hooks of ours in the repository that a directory lies in? */
export type HasPitonGitHooks = (directory: string) => boolean;

export function createHasPitonGitHooks({ gitHooks: { names, mark } }: GuardedPlaces, disk: Disk): HasPitonGitHooks {
  const isOurs = (hooks: string): boolean => names.some((name) => isPitonGitHook(`${hooks}/${name}`, mark, disk));
  return (directory) => {
    const path = segmentsOf(directory, '/').names;
    for (let length = path.length; length >= 0; length--) {
      const root = `/${path.slice(0, length).join('/')}`;
      const git = `${root === '/' ? '' : root}/.git`;
      if (disk.exists(git)) return hooksOf(git, root, disk).some(isOurs);
    }
    return false;
  };
}

/** In a linked working tree or a submodule `.git` is a file that says where. */
function hooksOf(git: string, root: string, disk: Disk): string[] {
  const elsewhere = /^gitdir: (.+)$/m.exec(disk.head(git))?.[1];
  if (elsewhere === undefined) return [`${git}/hooks`];
  return ['hooks', '../../hooks'].map((hooks) => `/${segmentsOf(`${elsewhere}/${hooks}`, root).names.join('/')}`);
}
