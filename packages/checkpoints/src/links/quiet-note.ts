import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { textHash } from '@piton/contracts/places';
import { readImage } from '../images/image-state.ts';
import { notedTurns, openTurns } from '../turns/turn-file.ts';
import type { Worktree } from '../worktree.ts';
import { readPending } from './pending.ts';
import { readReservations } from './reservation.ts';

/**
 * A note for git's hooks: no work of an agent waits for a commit in this working tree, so they may leave at once. Its first line is the
 * working tree; each other is a file of settings, and what it was like. The forwarder holds both against what it finds, and does not ask
 * where all is as noted: `apps/forwarder/src/git-hook.c`.
 */
const noteFile = ({ state, repository }: Noted): string => join(dirname(dirname(state)), 'quiet', textHash(repository.root));

type Noted = Pick<Worktree, 'state' | 'repository'>;

/** Before anything is written that a commit may hold work of. */
export const dropQuietNote = (worktree: Noted): void => rmSync(noteFile(worktree), { force: true });

export async function isQuiet(worktree: Worktree): Promise<boolean> {
  const { paths, dormant } = await readPending(worktree);
  if (paths.size + dormant.size > 0) return false;
  // What an agent has in the works, also in a turn that nobody ended.
  const isOwned = [...(readImage(worktree)?.owners.values() ?? [])].some(({ by }) => by !== 'human');
  if (isOwned || notedTurns(worktree).some(({ calls = [] }) => calls.length > 0)) return false;
  return (await openTurns(worktree)).length === 0 && (await readReservations(worktree)).length === 0;
}

/** What a file of settings is like now. */
export function signatureOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return '-';
  const [seconds, rest] = [found.mtimeNs / 1_000_000_000n, found.mtimeNs % 1_000_000_000n];
  return `${seconds}.${String(rest).padStart(9, '0')}.${found.size}.${found.ino}`;
}

/** `settings`: the files that say which commits are marked, each with its signature from before it was read. */
export async function noteQuiet(worktree: Worktree, settings: ReadonlyMap<string, string>): Promise<void> {
  const { root } = worktree.repository;
  const file = noteFile(worktree);
  if ([root, ...settings.keys()].some((path) => path.includes('\n')) || !(await isQuiet(worktree))) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, [root, ...[...settings].map(([path, signature]) => `${signature} ${path}`), ''].join('\n'), { mode: 0o600 });
  // A command may have changed it meanwhile, in a process of its own.
  if (!(await isQuiet(worktree))) dropQuietNote(worktree);
}
