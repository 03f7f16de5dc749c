import { type BigIntStats, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '@piton/git';
import { onDisk, type RawPath } from '../../raw-path.ts';
import type { Repository } from '../../repositories/repository.ts';
import { isSettled } from '../working-file.ts';
import { type Attributes, readAttributes } from './attributes.ts';

/** What git said of a path, and how the files were in which it may have found that. */
interface KnownAttribute {
  readonly sources: string;
  readonly attributes: Attributes | undefined;
}

/** Kept as long as the settings are, so attributes outside the repository, the user's and the system's, are as old as those at most. */
const knownOf = new WeakMap<Repository, Map<RawPath, KnownAttribute>>();
const MAX_REPORTED = 10_000;

/** Of each path git is asked once, and again when a file has changed that may say something about it. */
export async function knownAttributes(
  git: Git,
  repository: Repository,
  noIndex: string,
  paths: readonly RawPath[],
): Promise<Map<RawPath, Attributes>> {
  const known = knownOf.get(repository) ?? new Map<RawPath, KnownAttribute>();
  knownOf.set(repository, known);
  if (known.size + paths.length > MAX_REPORTED) known.clear();
  // Before git looks: what changes while it does shows the next time.
  const sourcesOf = attributeSources(repository);
  const unknown = new Map<RawPath, string | null>();
  const found = new Map<RawPath, Attributes>();
  for (const path of paths) {
    const [one, sources] = [known.get(path), sourcesOf(path)];
    if (one === undefined || one.sources !== sources) unknown.set(path, sources);
    else if (one.attributes) found.set(path, one.attributes);
  }
  const asked = await readAttributes(git, repository, noIndex, [...unknown.keys()]);
  for (const [path, sources] of unknown) {
    const attributes = asked.get(path);
    if (sources === null) known.delete(path);
    else known.set(path, { sources, attributes });
    if (attributes) found.set(path, attributes);
  }
  return found;
}

/** How the attribute files are that may concern a path; null where one of them might change unseen. */
function attributeSources({ root, commonDir }: Repository): (path: RawPath) => string | null {
  const now = Date.now();
  const seen = new Map<RawPath, string | null>();
  const ofDirectory = (directory: RawPath): string | null => {
    const before = seen.get(directory);
    if (before !== undefined) return before;
    const above = directory === '' ? sighting(Buffer.from(join(commonDir, 'info', 'attributes')), now) : ofDirectory(parentOf(directory));
    const here = sighting(onDisk(root, directory === '' ? '.gitattributes' : `${directory}/.gitattributes`), now);
    const all = above === null || here === null ? null : `${above}, ${here}`;
    seen.set(directory, all);
    return all;
  };
  return (path) => ofDirectory(parentOf(path));
}

const parentOf = (path: RawPath): RawPath => path.slice(0, Math.max(0, path.lastIndexOf('/')));

function sighting(file: Buffer, now: number): string | null {
  let found: BigIntStats;
  try {
    found = lstatSync(file, { bigint: true });
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'none' : null;
  }
  // Some gits follow a link: what lies behind it is not seen here.
  if (!found.isFile() || !isSettled(found.ctimeNs, now)) return null;
  return [found.size, found.mtimeNs, found.ctimeNs, found.ino, found.dev].join(' ');
}
