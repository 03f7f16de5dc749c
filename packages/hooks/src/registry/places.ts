import { join } from 'node:path';
import type { Scope } from '@piton/contracts';

/** Where the hooks of one scope lie. */
export interface HookPlace {
  readonly scope: Scope;
  readonly root: string | null;
  readonly hooksDir: string;
  readonly artifactsDir: string;
  readonly settingsFile: string;
}
export type ProjectPlace = HookPlace & { readonly scope: Exclude<Scope, 'user'>; readonly root: string };

/** Something that a person should know about their hooks, and what to do. */
export interface Problem {
  readonly path: string;
  readonly problem: string;
  readonly remedy: string;
}

export const userPlace = (config: string): HookPlace => ({
  scope: 'user',
  root: null,
  hooksDir: join(config, 'hooks'),
  artifactsDir: join(config, 'artifacts'),
  settingsFile: join(config, 'settings.json'),
});

export function projectPlaces(root: string): readonly [ProjectPlace, ProjectPlace] {
  const piton = join(root, '.piton');
  return [
    { scope: 'project', root, ...inside(piton), settingsFile: join(piton, 'settings.json') },
    { scope: 'local', root, ...inside(join(piton, 'local')), settingsFile: join(piton, 'settings.local.json') },
  ];
}

const inside = (directory: string): Pick<HookPlace, 'hooksDir' | 'artifactsDir'> => ({
  hooksDir: join(directory, 'hooks'),
  artifactsDir: join(directory, 'artifacts'),
});
