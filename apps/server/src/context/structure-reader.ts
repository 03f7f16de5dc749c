import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFESTS, structureOf } from '@piton/context';
import { type GitPort, visitRepository } from '@piton/git';

const MOST_BYTES = 256 * 1024;

/** The shape of the repository here, from git's index; empty outside of one. Read on the recorder's thread, and only for `full`. */
export async function readStructure(git: GitPort, root: string): Promise<readonly string[]> {
  try {
    const listed = await visitRepository(git, root, {}, (within) => within(['ls-files', '-z'], { cwd: root }));
    if (listed === undefined || listed.code !== 0) return [];
    const manifests = Object.fromEntries(MANIFESTS.map((name) => [name, textOf(join(root, name))]));
    return structureOf(listed.stdout.toString('utf8').split('\0').filter(Boolean), manifests);
  } catch {
    return []; // git is not there: there is nothing to say
  }
}

function textOf(path: string): string | undefined {
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= MOST_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
