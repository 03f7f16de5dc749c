import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from './place.ts';
import { sessionFile } from './session-file.ts';
import type { Todo } from './todos.ts';
import { writeWhole } from './working-state.ts';

/** A server that was started anew in the middle of a session shall not take what was done long ago for just done. */
const listFile = ({ state }: Pick<Place, 'state'>, session: string) => sessionFile(join(state, 'todos'), session);

export async function readTodos(place: Place, session: string): Promise<readonly Todo[]> {
  try {
    return JSON.parse(await readFile(listFile(place, session), 'utf8')) as readonly Todo[];
  } catch {
    return [];
  }
}

/** Without secrets: an item that holds one is only not known again. */
export async function writeTodos(place: Place, session: string, list: readonly Todo[]): Promise<void> {
  const clean = list.map(({ id, name, done }) => ({ id: place.redact(id), name: place.redact(name), done }));
  await writeWhole(listFile(place, session), JSON.stringify(clean));
}

export const dropTodos = (place: Place, session: string): Promise<void> => rm(listFile(place, session), { force: true });
