import { type Disk, type GuardedPlaces, PROJECT_DIRECTORY } from './guarded-places.ts';
import { fits, type Segments, segmentsOf, UNKNOWN } from './path-segments.ts';
import { isPitonGitHook } from './piton-git-hooks.ts';

/** What a path is to us: it lies inside something of ours, or it is a directory that holds such a thing. */
export type Claim = 'inside' | 'holds' | undefined;

/** `here` is where the agent works: what lies at or above it is a project, whatever else it looks like. */
export type ClaimOf = (path: Segments, here: string) => Claim;

/** What of ours may lie below a directory, each as the names that lead there from it. Whether it does only the disk knows. */
export type Below = (directory: Segments, here: string) => readonly (readonly string[])[];

/** The places taken apart. */
export interface Known {
  readonly files: readonly {
    readonly names: readonly string[];
    readonly path: string /** Shorter names no holder. */;
    readonly from: number;
    /** A directory of Piton's, and no file of an agent's. */
    readonly isDirectory: boolean;
  }[];
  readonly tails: readonly (readonly string[])[];
  readonly gitHooks: readonly (readonly string[])[];
}

/** Longer than any path that a kernel takes. */
const MOST_SEGMENTS = 2048;

/** Says of paths whether they are ours. By their names alone, but for what only a look can tell. */
export function createClaimOf(known: Known, { gitHooks: { mark } }: GuardedPlaces, disk: Disk): ClaimOf {
  return (path, here) => {
    if (path.folded.length === 0 || path.folded.length > MOST_SEGMENTS) return undefined;
    if (path.folded.some((name) => fits(name, PROJECT_DIRECTORY, path.glob))) return 'inside';
    if (known.files.some(({ names }) => begins(path, names))) return 'inside';
    if (known.tails.some((tail) => isProjectFile(path, tail, here, disk))) return 'inside';
    if (known.gitHooks.some((tail) => isOwnGitHook(path, tail, mark, disk))) return 'inside';
    if (isBelowRefs(path)) return 'inside';
    const holds =
      known.files.some((file) => holdsFile(path, file, disk)) ||
      known.tails.some((tail) => holdsProjectFile(path, tail, here, disk)) ||
      known.gitHooks.some((tail) => holdsGitHook(path, tail, mark, disk)) ||
      holdsRefs(path, disk);
    return holds ? 'holds' : undefined;
  };
}

/** The same for files that arrive without a name: what holds Piton's own directories holds everybody's. */
export function createReceives(known: Known, places: GuardedPlaces, disk: Disk, claimOf: ClaimOf): ClaimOf {
  const ofAgents = createClaimOf({ ...known, files: known.files.filter(({ isDirectory }) => !isDirectory) }, places, disk);
  return (path, here) => (claimOf(path, here) === 'inside' ? 'inside' : ofAgents(path, here));
}

/** Where git keeps our checkpoints. */
const REFS = ['.git', 'refs', 'piton'];

const isBelowRefs = ({ folded, glob }: Segments): boolean =>
  folded.some((_, at) => REFS.every((name, of) => at + of < folded.length && fits(folded[at + of] as string, name, glob)));

function holdsRefs({ folded, names, glob }: Segments, disk: Disk): boolean {
  const isRefs = folded.length > 1 && ['.git', 'refs'].every((name, of) => fits(folded[folded.length - 2 + of] as string, name, glob));
  return isRefs && !names.includes(UNKNOWN) && disk.exists(`/${names.join('/')}/piton`);
}

export function createBelow({ files, tails, gitHooks }: Known, disk: Disk): Below {
  return (directory, here) => {
    const { folded, glob } = directory;
    const inHome = files
      .filter(({ names }) => folded.length < names.length && folded.every((name, at) => fits(name, names[at] as string, glob)))
      .map(({ names }) => names.slice(folded.length));
    const inProject = [...tails, ...gitHooks].flatMap((tail) => restsOf(directory, tail, here, disk));
    return [...inHome, ...inProject, [PROJECT_DIRECTORY]];
  };
}

/** What is left of a project's file where the directory ends in its beginning, or is a project. */
function restsOf(directory: Segments, tail: readonly string[], here: string, disk: Disk): (readonly string[])[] {
  const { folded, glob } = directory;
  const rests: (readonly string[])[] = [];
  for (let length = 0; length < tail.length; length++) {
    const at = folded.length - length;
    if (at < 0 || !tail.slice(0, length).every((name, of) => fits(folded[at + of] as string, name, glob))) continue;
    if (isProject(directory, at, here, disk)) rests.push(tail.slice(length));
  }
  return rests;
}

export function knownOf({ directories, userFiles, projectFiles, gitHooks, shared }: GuardedPlaces, disk: Disk): Known {
  const both = (path: string): string[] => [...new Set([path, disk.real(path)])];
  const foldedOf = (path: string): readonly string[] => segmentsOf(path, '/').folded;
  const depths = shared.flatMap(both).map(foldedOf);
  return {
    files: [...userFiles, ...directories].flatMap(both).map((path) => {
      const isDirectory = !userFiles.some((file) => both(file).includes(path));
      const names = foldedOf(path);
      const above = depths.filter((one) => one.every((name, at) => names[at] === name)).map((one) => one.length);
      return { names, path, from: Math.max(0, ...above), isDirectory };
    }),
    tails: projectFiles.map((path) => segmentsOf(path, '').folded),
    gitHooks: gitHooks.names.map((name) => ['.git', 'hooks', name]),
  };
}

export const begins = ({ folded, glob }: Segments, names: readonly string[]): boolean =>
  folded.length >= names.length && names.every((name, at) => fits(folded[at] as string, name, glob));

/** A directory of the agent's own, and what we wrote into it is there. */
function holdsFile({ folded, glob }: Segments, { names, path, from }: Known['files'][number], disk: Disk): boolean {
  if (folded.length <= from || folded.length >= names.length) return false;
  return folded.every((name, at) => fits(name, names[at] as string, glob)) && disk.exists(path);
}

/** The settings of a project count where a project is: a sample somewhere else is nobody's configuration. */
function isProjectFile(path: Segments, tail: readonly string[], here: string, disk: Disk): boolean {
  const at = path.folded.length - tail.length;
  return at >= 0 && tail.every((name, of) => fits(path.folded[at + of] as string, name, path.glob)) && isProject(path, at, here, disk);
}

function holdsProjectFile(path: Segments, tail: readonly string[], here: string, disk: Disk): boolean {
  for (let length = 1; length < tail.length; length++) {
    const at = path.folded.length - length;
    if (at < 0 || !tail.slice(0, length).every((name, of) => fits(path.folded[at + of] as string, name, path.glob))) continue;
    if (path.glob || disk.exists(`/${[...path.names.slice(0, at), ...tail].join('/')}`)) return isProject(path, at, here, disk);
  }
  return false;
}

/** Nobody can tell of a place that is not known: then it might be one. */
function isProject({ names, glob }: Segments, at: number, here: string, disk: Disk): boolean {
  const base = names.slice(0, at);
  if (base.includes(UNKNOWN) || (glob && base.some((name) => /[*?[]/.test(name)))) return true;
  const root = `/${base.join('/')}`;
  if (here === root || here.startsWith(root === '/' ? '/' : `${root}/`)) return true;
  return ['.git', PROJECT_DIRECTORY].some((name) => disk.exists(`${root}/${name}`));
}

function isOwnGitHook(path: Segments, tail: readonly string[], mark: string, disk: Disk): boolean {
  const at = path.folded.length - tail.length;
  if (at < 0 || !tail.every((name, of) => fits(path.folded[at + of] as string, name, path.glob))) return false;
  if (path.names.includes(UNKNOWN)) return true;
  return isPitonGitHook(`/${[...path.names.slice(0, at), ...tail].join('/')}`, mark, disk);
}

/** The directory of git's hooks, or the whole of `.git` where it is known which; and one of them is ours. */
function holdsGitHook(path: Segments, tail: readonly string[], mark: string, disk: Disk): boolean {
  const below = (more: readonly string[]): Segments => ({ ...path, names: [...path.names, ...more], folded: [...path.folded, ...more] });
  if (isOwnGitHook(below(tail.slice(2)), tail, mark, disk)) return true;
  return !path.names.includes(UNKNOWN) && isOwnGitHook(below(tail.slice(1)), tail, mark, disk);
}
