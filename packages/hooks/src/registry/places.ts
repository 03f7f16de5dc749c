import { join } from 'node:path';
import type { Scope } from '@piton/contracts';

/** Where the hooks of one scope lie. */
export interface HookPlace {
  readonly scope: Scope;
  readonly root: string | null;
  readonly hooksDir: string;
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
  settingsFile: join(config, 'settings.json'),
});

export function projectPlaces(root: string): readonly [ProjectPlace, ProjectPlace] {
  const piton = join(root, '.piton');
  return [
    { scope: 'project', root, hooksDir: join(piton, 'hooks'), settingsFile: join(piton, 'settings.json') },
    { scope: 'local', root, hooksDir: join(piton, 'local', 'hooks'), settingsFile: join(piton, 'settings.local.json') },
  ];
}
