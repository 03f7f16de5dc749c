import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { HookDefinition } from '@piton/hooks';

/** The fields that decide where a hook's test cases are. */
export type CaseOwner = Pick<HookDefinition, 'id' | 'scope' | 'root'> & { readonly source?: string };

/** The cases that come with an artifact. */
const CASES = 'tests';
const ARTIFACT = 'ARTIFACT.md';

/**
 * Where test cases of this hook are written: beside a user artifact, otherwise in the user's configuration. A new file in a
 * project's artifact would change what was trusted, and others share it.
 */
export function casesFolder(config: string, hook: CaseOwner): string {
  if (hook.scope === 'user' && hook.source !== undefined && basename(hook.source) === ARTIFACT) return join(hook.source, '..', CASES);
  return fixtureFolder(config, hook);
}

/** Hooks of different projects can have the same ID, so the folder has the project's name and a hash of its root. */
function fixtureFolder(config: string, { id, root }: CaseOwner): string {
  const parts = id
    .replace(':', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  const project = root === null ? [] : [`${basename(root)}-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`];
  return join(config, 'fixtures', ...project, ...parts);
}
