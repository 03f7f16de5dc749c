import { realpathSync } from 'node:fs';
import type { SessionSummary } from '@piton/store';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { isInside } from '../install/config-place.ts';
import { repositoryRoot } from '../repository.ts';
import { readSettings, settingsFile } from '../settings/files.ts';

/** What may be read: the repository around the working directory, or everything if the person allowed that. */
export interface ReadScope {
  readonly root: string;
  readonly all: boolean;
}

/** Read at every call: a person may change the setting while an agent runs. */
export function readScope(context: Context): ReadScope {
  const root = repositoryRoot(context);
  const { mcp } = readSettings(settingsFile(context, 'user')).values;
  const all = typeof mcp === 'object' && mcp !== null && (mcp as { repositories?: unknown }).repositories === 'all';
  if (root === undefined && !all)
    throw new Failure(`${context.cwd} is not in a git repository, and only the history of one may be read`, {
      remedy: 'ask in a repository. The person can allow more: piton settings set mcp.repositories all',
    });
  return { root: realpathSync(root ?? context.cwd), all };
}

/** Sessions of this repository: those in it, and those that began in a directory of it. */
export const mayRead = ({ root, all }: ReadScope, { repo, projectPath }: Pick<SessionSummary, 'repo' | 'projectPath'>): boolean =>
  all || (repo === null ? isInside(projectPath, root) : repo === root);
