import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { shellWord } from '@piton/contracts';
import { repositoryOf } from '@piton/contracts/repository';
import { Failure } from '../failure.ts';
import { remoteName } from './repositories.ts';

/** A value of `--repo`: an absolute path or a remote. What could be neither would be a limit that nothing ever passes. */
export function repositoryOption(given: string, cwd: string): string {
  const text = given.trim();
  if (isAbsolute(text) || isRemote(text, cwd)) return text;
  const here = resolve(cwd, text);
  throw new Failure(`--repo ${JSON.stringify(given)} is neither a remote nor an absolute path`, {
    remedy:
      text !== '' && existsSync(here)
        ? `name the directory whole: --repo ${shellWord(here)}`
        : 'a remote begins with its host, as github.com/team/app. Without a dot in its name, write it as host:team/app',
    usage: true,
  });
}

/** `host/path`, as git would write it or without who connects. A directory of that name here is what was meant instead. */
function isRemote(text: string, cwd: string): boolean {
  if (text === '' || /^[.~]/.test(text)) return false;
  const isWritten = /^[a-z][a-z0-9+.-]*:\/\/|^[^/]+:/i.test(text);
  if (isWritten) return remoteName(text) !== undefined;
  return /^[^/]*[.*][^/]*\/./.test(text) && !existsSync(resolve(cwd, text));
}

/** Why nothing of a directory would be reported as it is now; undefined for a remote, and where something would. */
export function unreportedReason(repository: string): string | undefined {
  if (!isAbsolute(repository) || repository.includes('*')) return undefined;
  if (!existsSync(repository)) return 'there is no such directory';
  const real = realpathSync(repository);
  const root = repositoryOf(real)?.root;
  if (root === real) return undefined;
  return root === undefined ? 'it is not a repository' : `it is a part of the repository ${root}, which has to be named whole`;
}
