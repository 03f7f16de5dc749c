import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { shellWord } from '@piton/contracts';
import { type DeclaredHook, readEntry } from './declared-hook.ts';
import { compareNames } from './executables.ts';
import type { HookPlace, Problem } from './places.ts';
import type { AgentNames } from './surroundings.ts';
import { type StatOf, statOf, watched } from './watched.ts';

export const ARTIFACT_FILE = 'ARTIFACT.md';

/** A file of the artifact's own folder; undefined where there is none. */
export type FileLookup = (path: string) => { readonly executable: boolean } | undefined;

/**
 * Reads the text of an ARTIFACT.md: its fields under the names that settings have for them. `bundled` are the names that
 * lie beside it, so that a command which begins with one finds it wherever it runs. With an error it does not run; it is
 * read again when a file that was looked at has come, gone, or changed in whether it can be run.
 */
export type ParseArtifact = (text: string, bundled: readonly string[], look: FileLookup) => { entry: unknown; errors: readonly string[] };

/** A folder with an ARTIFACT.md. */
export interface Artifact {
  readonly id: string;
  readonly folder: string;
  readonly file: string;
  /** Null where it does not even name its event. */
  readonly hook: DeclaredHook | null;
  readonly problems: readonly string[];
}

export interface Artifacts {
  /** By id, which is the path below the place's `artifacts/`. */
  find(place: HookPlace): readonly Artifact[];
  /** Of the folder at `path`, under an id of somebody's own: a trusted copy. */
  read(folder: string, id: string): Artifact | undefined;
  problems(place: HookPlace): Problem[];
  forget(): void;
}

type FileState = 'file' | 'program' | undefined;

interface Listing {
  readonly folders: readonly string[];
  /** Null where it is no artifact. */
  readonly bundled: readonly string[] | null;
  readonly links: readonly string[];
}
const NOTHING: Listing = { folders: [], bundled: null, links: [] };
const DEEPEST = 8;
// An agent waits while these are read, and a repository may hold any number of any size.
const MOST_FOLDERS = 1000;
const LARGEST_FILE = 64 * 1024;
const MOST_TEXT = 512 * 1024;
const SKIPPED = new Set(['node_modules']);

/** Whether an artifact is looked for at this path below `artifacts/`, if none lies around it. */
export const isArtifactPath = (path: string): boolean => {
  const names = path.split('/');
  return names.length <= DEEPEST && !names.some((name) => name.startsWith('.') || SKIPPED.has(name));
};

export const artifactId = (place: Pick<HookPlace, 'scope'>, path: string): string => `${place.scope}:artifacts/${path}`;

/** Looks up artifacts at any depth; reads one again only when it, or a name beside it, has changed. */
export function createArtifacts(parse: ParseArtifact | undefined, agents: AgentNames | undefined, stat: StatOf = statOf): Artifacts {
  const listing = watched(NOTHING, readListing, stat);
  const textOf = watched<string | null>(null, (path) => readFileSync(path, 'utf8'), stat);
  const sizeOf = (folder: string): number => stat(join(folder, ARTIFACT_FILE))?.size ?? 0;
  const made = new Map<string, { made: string; looked: ReadonlyMap<string, FileState>; artifact: Artifact }>();
  const stateOf = (path: string): FileState => {
    const found = stat(path);
    return found?.isFile() ? ((found.mode & 0o111) === 0 ? 'file' : 'program') : undefined;
  };
  const unchanged = (looked: ReadonlyMap<string, FileState>): boolean => {
    for (const [path, state] of looked) if (stateOf(path) !== state) return false;
    return true;
  };

  function read(folder: string, id: string, size = sizeOf(folder)): Artifact | undefined {
    const { bundled } = listing(folder);
    const file = join(folder, ARTIFACT_FILE);
    if (parse === undefined || bundled === null) return undefined;
    if (size > LARGEST_FILE) return unread(folder, id, 'it is larger than 64 KB');
    const text = tried(() => textOf(file));
    if (text === null) return unread(folder, id, 'it cannot be read');
    const from = [id, ...bundled, text].join('\0');
    const known = made.get(folder);
    if (known?.made === from && unchanged(known.looked)) return known.artifact;
    const looked = new Map<string, FileState>();
    const { entry, errors } = parse(text, bundled, (path) => {
      const state = stateOf(join(folder, path));
      looked.set(join(folder, path), state);
      return state && { executable: state === 'program' };
    });
    const { hook, problems } = readEntry(entry, 'it', agents, () => nameIn(id));
    const broken = errors.length > 0 ? errors.join('; ') : hook?.broken;
    const artifact = {
      id,
      folder,
      file,
      hook: hook && (broken === undefined ? hook : { ...hook, broken }),
      // Without a head, or an event, there is nothing more to say of its fields.
      problems: entry === null || (hook === null && errors.length > 0) ? errors : [...errors, ...problems],
    };
    made.set(folder, { made: from, looked, artifact });
    return artifact;
  }

  function below(place: HookPlace, path: string, depth: number, left: { folders: number; text: number }): Artifact[] {
    const folder = join(place.artifactsDir, path);
    if (--left.folders < 0) return [];
    const { folders, bundled } = listing(folder);
    if (bundled !== null && path !== '') {
      const id = artifactId(place, path);
      const size = sizeOf(folder);
      if (size <= LARGEST_FILE) left.text -= size;
      return [(left.text < 0 ? unread(folder, id, 'the artifacts here are larger than 512 KB') : read(folder, id, size)) ?? []].flat();
    }
    if (depth >= DEEPEST) return [];
    return folders.flatMap((name) => below(place, path === '' ? name : `${path}/${name}`, depth + 1, left));
  }
  const look = (place: HookPlace): { readonly all: readonly Artifact[]; readonly whole: boolean } => {
    const left = { folders: MOST_FOLDERS, text: MOST_TEXT };
    const all = parse === undefined ? [] : below(place, '', 0, left).sort((a, b) => compareNames(a.id, b.id));
    return { all, whole: left.folders >= 0 };
  };

  /** Artifacts that are not looked at, since a link leads to them: nobody must take them for guards. */
  function linked(folder: string, depth = 0): string[] {
    const { folders, bundled, links } = listing(folder);
    if ((bundled !== null && depth > 0) || depth >= DEEPEST) return [];
    const here = links
      .map((name) => join(folder, name))
      .filter((path) => basename(path) === ARTIFACT_FILE || stat(join(path, ARTIFACT_FILE)));
    return [...here, ...folders.flatMap((name) => linked(join(folder, name), depth + 1))];
  }

  return {
    find: (place) => look(place).all,
    read,
    problems(place) {
      const { all, whole } = look(place);
      return [
        ...(whole ? [] : [tooMany(place.artifactsDir)]),
        ...all.flatMap(({ file, folder, problems }) =>
          problems.map((problem) => ({ path: file, problem, remedy: `fix it there. For details: piton lint ${shellWord(folder)}` })),
        ),
        ...(parse === undefined ? [] : linked(place.artifactsDir)).map((path) => ({
          path,
          problem: 'it is a symbolic link, which artifacts may not be: it does not run',
          remedy: 'replace it by the folder',
        })),
      ];
    },
    forget() {
      listing.forget();
      textOf.forget();
      made.clear();
    },
  };
}

/** Of a nameless artifact: the last word of its id. Its folder may be a trust copy, which is named after its contents. */
const nameIn = (id: string): string => /[^/:]*$/.exec(id)?.[0] ?? id;

const unread = (folder: string, id: string, why: string): Artifact => ({
  id,
  folder,
  file: join(folder, ARTIFACT_FILE),
  hook: null,
  problems: [why],
});

const tooMany = (path: string): Problem => ({
  path,
  problem: `it holds more than ${MOST_FOLDERS} folders: those that sort last are ignored, and their hooks do not run`,
  remedy: 'remove folders that are not artifacts',
});

function readListing(path: string): Listing {
  const entries = tried(() => readdirSync(path, { withFileTypes: true })) ?? [];
  const names = entries
    .filter((entry) => !entry.name.startsWith('.') && !SKIPPED.has(entry.name))
    .sort((a, b) => compareNames(a.name, b.name));
  const artifact = names.some((entry) => entry.isFile() && entry.name === ARTIFACT_FILE);
  return {
    folders: names.filter((entry) => entry.isDirectory()).map((entry) => entry.name),
    links: names.filter((entry) => entry.isSymbolicLink()).map((entry) => entry.name),
    bundled: artifact ? names.map((entry) => entry.name).filter((name) => name !== ARTIFACT_FILE) : null,
  };
}

function tried<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
