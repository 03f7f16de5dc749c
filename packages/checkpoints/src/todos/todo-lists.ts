import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../snapshot/working-state.ts';
import { sessionFile } from '../turns/session-file.ts';
import type { Worktree } from '../worktree.ts';
import type { Todo } from './todos.ts';

/** A server that was started anew in the middle of a session shall not take what was done long ago for just done. */
const listFile = ({ state }: Pick<Worktree, 'state'>, session: string) => sessionFile(join(state, 'todos'), session);

export async function readTodos(worktree: Worktree, session: string): Promise<readonly Todo[]> {
  try {
    return JSON.parse(await readFile(listFile(worktree, session), 'utf8')) as readonly Todo[];
  } catch {
    return [];
  }
}

/** Without secrets: an item that holds one is only not known again. */
export async function writeTodos(worktree: Worktree, session: string, list: readonly Todo[]): Promise<void> {
  const clean = list.map(({ id, name, done }) => ({ id: worktree.redact(id), name: worktree.redact(name), done }));
  await writeWhole(listFile(worktree, session), JSON.stringify(clean));
}

export const dropTodos = (worktree: Worktree, session: string): Promise<void> => rm(listFile(worktree, session), { force: true });
