import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { HookDefinition } from '@piton/hooks';

/** What tells where the cases of a hook lie. */
export type CaseOwner = Pick<HookDefinition, 'id' | 'scope' | 'root'> & { readonly source?: string };

/** The cases that an artifact brings along. */
const CASES = 'tests';
const ARTIFACT = 'ARTIFACT.md';

/**
 * Where cases of this hook are written: beside an artifact of the user's own, else in the user's configuration. A file
 * more in a project's artifact would change what was trusted, and it is not this person's alone.
 */
export function casesFolder(config: string, hook: CaseOwner): string {
  if (hook.scope === 'user' && hook.source !== undefined && basename(hook.source) === ARTIFACT) return join(hook.source, '..', CASES);
  return fixtureFolder(config, hook);
}

/** Ids of a project's hooks are the same in every project: its root is told by a name and a hash. */
function fixtureFolder(config: string, { id, root }: CaseOwner): string {
  const parts = id
    .replace(':', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  const project = root === null ? [] : [`${basename(root)}-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`];
  return join(config, 'fixtures', ...project, ...parts);
}
