import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { About } from '../checkpoint.ts';
import { readHeld } from '../images/held-image.ts';
import { dropQuietNote } from '../links/quiet-note.ts';
import type { RawPath } from '../raw-path.ts';
import type { Held } from '../snapshot/observe.ts';
import { type Taken, take } from '../snapshot/take.ts';
import { readLast, writeWhole } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';
import { sessionFile } from './session-file.ts';

/** A turn that began and has not ended: what changes meanwhile is an agent's doing. */
export interface OpenTurn {
  readonly session: string;
  readonly turn: string | null;
  readonly startedMs: number;
  /** False as long as its before-image is not durable. */
  readonly laid?: boolean;
  /** Why its before-image could not be saved. */
  readonly noWayBack?: string;
  /** Its working tree. */
  readonly root?: string;
  /** HEAD at its beginning, where no checkpoint was made then: the last one may be older than the commit. Absent in what older versions wrote. */
  readonly head?: string | null;
}

/** The checkpoint that a turn is taken back to, while it is being saved. */
export interface BeforeImage {
  /** Settles when the checkpoint is durable. The first tool that may change anything waits for this. */
  readonly done: Promise<Taken>;
  /** Reads one file now: what the checkpoint shall have of it. A tool that edits just this file need not wait for more. */
  hold(file: string): Promise<readonly [RawPath, Held] | null>;
}

/** No turn lasts longer; what is older was left by a crash. */
const LONGEST_TURN_MS = 24 * 60 * 60 * 1000;

const turnFile = ({ state }: Worktree, session: string) => sessionFile(join(state, 'turns'), session);

/** At a prompt: marks the turn as open, and makes a checkpoint of what the person has done since the last. */
export function beginTurn(worktree: Worktree, about: Omit<About, 'kind' | 'by'> & { session: string }): BeforeImage {
  const held = new Map<RawPath, Held>();
  const begin = async (): Promise<Taken> => {
    const others = (await openTurns(worktree)).filter(({ session }) => session !== about.session);
    const open: OpenTurn = { session: about.session, turn: about.turn, startedMs: worktree.now(), root: worktree.repository.root };
    const note = (more: Pick<OpenTurn, 'laid' | 'head' | 'noWayBack'>) =>
      writeWhole(turnFile(worktree, about.session), JSON.stringify({ ...open, ...more }));
    dropQuietNote(worktree);
    await note({ laid: false });
    const taken = await take(worktree, { ...about, kind: 'prompt', by: others.length > 0 ? 'shared' : 'human' }, held);
    const seen = taken.result === 'unchanged' ? await readLast(worktree.state) : null;
    if (taken.result !== 'failed') await note({ laid: true, ...(seen && { head: seen.head }) });
    else await note({ laid: false, noWayBack: taken.error });
    return taken;
  };
  return {
    done: begin().catch((error: unknown) => ({ result: 'failed', error: String(error) })),
    hold: async (file) => {
      const read = await readHeld(worktree, file);
      if (read !== null && !held.has(read[0])) held.set(...read);
      return read;
    },
  };
}

/** At a stop, and when a session ends. The checkpoint of the turn is the caller's to take, before this. */
export async function endTurn(worktree: Worktree, session: string): Promise<void> {
  await rm(turnFile(worktree, session), { force: true });
}

/** However long ago it began: it has not ended. */
export const isOpen = (worktree: Worktree, session: string): boolean => existsSync(turnFile(worktree, session));

export async function openTurn(worktree: Pick<Worktree, 'state' | 'now'>, session: string): Promise<OpenTurn | undefined> {
  return (await openTurns(worktree)).find((turn) => turn.session === session);
}

/** The working trees in which a session's turn is open, as whoever opened it has noted in the folder of all states. */
export function treesAtWork(stateDirectory: string, session: string): string[] {
  const worktrees = existsSync(stateDirectory) ? readdirSync(stateDirectory) : [];
  return worktrees.flatMap((worktree) => {
    try {
      const turn = JSON.parse(readFileSync(sessionFile(join(stateDirectory, worktree, 'turns'), session), 'utf8')) as OpenTurn;
      return turn.root === undefined ? [] : [turn.root];
    } catch {
      return [];
    }
  });
}

/** Turns in this worktree. */
export async function openTurns(worktree: Pick<Worktree, 'state' | 'now'>): Promise<OpenTurn[]> {
  const names = await readdir(join(worktree.state, 'turns')).catch(() => []);
  const turns: OpenTurn[] = [];
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const text = await readFile(join(worktree.state, 'turns', name), 'utf8').catch(() => 'null');
    const turn = JSON.parse(text) as OpenTurn | null;
    if (turn && worktree.now() - turn.startedMs < LONGEST_TURN_MS) turns.push(turn);
  }
  return turns;
}
