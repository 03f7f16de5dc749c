import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, isAbsolute, sep } from 'node:path';
import type { TeamRepository } from '@piton/contracts/team';

/** A repository that may be reported, as the team knows it. */
export type Reported = TeamRepository | 'not-reported';

export interface RepositoryPorts {
  /** The address of the remote `origin`; undefined where there is none, or nothing is there any more. */
  readonly remoteOf: (root: string) => string | undefined;
  /** Makes the names of repositories without a remote: means something on this machine only. */
  readonly salt: string;
}

/** Which repository may be reported, and under what name. Looked up once each; `forget` looks again. */
export interface Repositories {
  of(root: string | null): Reported | null;
  /** Does this file belong to a repository that may be reported? A relative path is of the repository itself. */
  allowsFile(path: string, root: string | null): boolean;
  forget(): void;
}

export function createRepositories(patterns: readonly string[], { remoteOf, salt }: RepositoryPorts): Repositories {
  const known = new Map<string, Reported>();
  const allowed = patterns.map(matcherOf);

  function look(root: string): Reported {
    const remote = remoteName(remoteOf(root));
    const name = basename(root);
    if (allowed.length > 0 && !allowed.some((matches) => matches(root, remote))) return 'not-reported';
    return { id: remote ?? `local:${createHash('sha256').update(`${salt}\0${root}`).digest('hex').slice(0, 16)}`, name };
  }
  function of(root: string): Reported {
    const found = known.get(root) ?? look(root);
    known.set(root, found);
    return found;
  }
  return {
    // What happened outside any repository was not named either.
    of: (root) => (root === null ? (allowed.length > 0 ? 'not-reported' : null) : of(root)),
    allowsFile(path, root) {
      if (allowed.length === 0) return true;
      if (root === null) return false;
      if (!isAbsolute(path)) return !path.split(sep).includes('..');
      return isBelow(path, root);
    },
    forget: () => known.clear(),
  };
}

const isBelow = (path: string, root: string): boolean =>
  !path.split(sep).includes('..') && (path === root || path.startsWith(`${root}${sep}`));

/** `host/path` of a remote, without who connects: `git@github.com:team/app.git` and `https://github.com/team/app` are the same. */
export function remoteName(url: string | undefined): string | undefined {
  if (url === undefined || url === '') return undefined;
  const [, host, path] =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/:?#]+)(?::\d+)?\/([^?#]+)/i.exec(url) ??
    /^(?:[^/@:]+@)?([^/:@]+):(?!\/\/)([^?#]+)$/.exec(url) ??
    [];
  if (host === undefined || path === undefined) return undefined;
  const plain = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  return plain === '' ? undefined : `${host.toLowerCase()}/${plain}`;
}

type Matches = (root: string, remote: string | undefined) => boolean;

/** A directory, a remote, or either with `*`, which stands for any characters but `/`. */
function matcherOf(pattern: string): Matches {
  if (isAbsolute(pattern)) {
    const real = pattern.includes('*') ? pattern : realOf(pattern);
    const expression = expressionOf(real.replace(/(?<=.)\/+$/, ''));
    return (root) => expression.test(root);
  }
  const expression = expressionOf(remoteName(pattern) ?? pattern.replace(/\.git$/, '').replace(/^([^/]+)/, (host) => host.toLowerCase()));
  return (_, remote) => remote !== undefined && expression.test(remote);
}

const expressionOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^/]*')}$`,
  );

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
