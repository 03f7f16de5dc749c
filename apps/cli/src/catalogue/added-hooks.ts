import { basename, join } from 'node:path';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { type Added, readAdded } from '../library/added-file.ts';
import { librarySources } from '../library/artifact-source.ts';
import { type AddScope, artifactsFolder, treeAt } from '../library/target.ts';
import { existingPlaces } from '../locations.ts';
import type { Origin } from './origin.ts';

/** A hook that `hooks add` wrote, and that is still there. */
export interface AddedHook {
  readonly name: string;
  readonly scope: AddScope;
  readonly folder: string;
  readonly added: Added;
  /** Undefined: it was added before that was kept, and the library has none of its name. */
  readonly origin: Origin | undefined;
}

export function addedHooks(context: Context, scope: AddScope): AddedHook[] {
  const places = existingPlaces(context);
  if (!places) return [];
  const artifacts = artifactsFolder(context, scope);
  const library = new Set(librarySources(context).map(({ name }) => name));
  return Object.entries(readAdded(places.home))
    .filter(([folder]) => join(artifacts, basename(folder)) === folder && treeAt(folder) !== undefined)
    .map(([folder, added]) => {
      const name = basename(folder);
      const origin: Origin | undefined = added.origin ?? (library.has(name) ? { kind: 'library', source: name, path: '' } : undefined);
      return { name, scope, folder, added, origin };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Those of these names; without any, all of them. */
export function chooseAdded(all: readonly AddedHook[], names: readonly string[]): AddedHook[] {
  if (names.length === 0) return [...all];
  return names.map((name) => {
    const found = all.find((each) => each.name === name);
    if (found) return found;
    throw new Failure(`no hook named ${JSON.stringify(name)} was added`, {
      remedy: all.length === 0 ? 'piton hooks add lists the library' : `added: ${all.map((each) => each.name).join(', ')}`,
      usage: true,
    });
  });
}
