import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isUlid, ulidTime } from '@piton/contracts';
import { lastRewind } from '../rewind/undo-record.ts';

/**
 * The folders of what rewinds put aside before a time, in the state of every working tree, also of those that are gone. What the last
 * rewind of each would be taken back with stays, and so does all of it where nobody can tell.
 */
export async function expiredRewindFiles(stateDirectory: string, before: Date): Promise<string[]> {
  const found: string[] = [];
  for (const name of await namesIn(stateDirectory)) {
    const state = join(stateDirectory, name);
    const ids = (await namesIn(join(state, 'aside'))).filter((id) => isUlid(id) && ulidTime(id) < before.getTime());
    const undo = ids.length === 0 ? null : await lastRewind({ state }).catch(() => 'unreadable' as const);
    if (undo === 'unreadable') continue;
    const needed = (undo?.aside ?? []).map(([, file]) => file);
    for (const id of ids.sort()) if (!needed.some((file) => file.startsWith(join('aside', id, '/')))) found.push(join(state, 'aside', id));
  }
  return found;
}

const namesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);
