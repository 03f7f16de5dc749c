import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseEventName } from '@piton/contracts';
import { ARTIFACT_FILE, createRegistry, type HookPlace, isIgnored, projectPlaces, userPlace } from '@piton/hooks';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { type HookPlaces, READING } from '../hooks/in-force.ts';

/** Something that lint can check. */
export interface LintTarget {
  readonly kind: 'artifact' | 'settings' | 'executable';
  /** The folder of an artifact, otherwise the file. */
  readonly path: string;
}

const MAX_DEPTH = 8;

/** All hooks active here: the user's and those of the projects around. */
export function targetsHere(context: Context, places: HookPlaces): LintTarget[] {
  const registry = createRegistry({ config: places.config, trustDir: places.trust, ...READING });
  const roots = registry.projectRoots(context.cwd);
  return [userPlace(places.config), ...roots.flatMap(projectPlaces)].flatMap(targetsOf);
}

function targetsOf({ settingsFile, artifactsDir, hooksDir }: HookPlace): LintTarget[] {
  return [
    ...(existsSync(settingsFile) ? [{ kind: 'settings', path: settingsFile } as const] : []),
    ...artifactsBelow(artifactsDir),
    ...executablesBelow(hooksDir),
  ];
}

/** What a path refers to: an artifact, a folder of artifacts, a settings file, a program of an event, or a whole `.piton`. */
export function targetsAt(context: Context, path: string): LintTarget[] {
  const full = resolve(context.cwd, path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat === undefined) throw new Failure(`no such file or folder: ${JSON.stringify(path)}`, { where: full });
  if (stat.isDirectory()) {
    const found = [...artifactsBelow(full), ...projectTargets(full), ...executablesBelow(full), ...programsIn(full)];
    if (found.length > 0) return found;
    throw new Failure('no hooks in this folder', {
      where: full,
      remedy: `expected a folder with an ${ARTIFACT_FILE}, or a settings.json`,
    });
  }
  if (basename(full) === ARTIFACT_FILE) return [{ kind: 'artifact', path: dirname(full) }];
  if (/\.jsonc?$/.test(full)) return [{ kind: 'settings', path: full }];
  if (parseEventName(basename(dirname(full))) !== undefined) return [{ kind: 'executable', path: full }];
  throw new Failure('not a hook', {
    where: full,
    remedy: `use an ${ARTIFACT_FILE} or its folder, a settings file, or a program in a directory named after its event`,
  });
}

/** A project, or its `.piton` directory. */
function projectTargets(folder: string): LintTarget[] {
  const root = basename(folder) === '.piton' ? dirname(folder) : existsSync(join(folder, '.piton')) ? folder : undefined;
  if (root === undefined) return [];
  return projectPlaces(root)
    .flatMap(targetsOf)
    .filter(({ kind, path }) => root === folder || kind !== 'artifact' || !path.startsWith(`${folder}/`));
}

function artifactsBelow(folder: string, depth = 0): LintTarget[] {
  const entries = entriesOf(folder);
  if (entries.some((entry) => entry.isFile() && entry.name === ARTIFACT_FILE)) return [{ kind: 'artifact', path: folder }];
  if (depth >= MAX_DEPTH) return [];
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .flatMap((entry) => artifactsBelow(join(folder, entry.name), depth + 1));
}

const executablesBelow = (folder: string): LintTarget[] =>
  entriesOf(folder)
    .filter((entry) => entry.isDirectory() && parseEventName(entry.name) !== undefined)
    .flatMap((entry) => programsIn(join(folder, entry.name)));

function programsIn(folder: string): LintTarget[] {
  if (parseEventName(basename(folder)) === undefined) return [];
  return entriesOf(folder)
    .filter((entry) => !entry.isDirectory() && !isIgnored(entry.name))
    .map((entry) => ({ kind: 'executable', path: join(folder, entry.name) }));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
