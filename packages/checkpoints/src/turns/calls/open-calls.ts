import { madeOf } from '../../authors/announced.ts';
import { dropQuietNote } from '../../links/quiet-note.ts';
import { fromRoot, type RawPath, rawPath } from '../../raw-path.ts';
import type { Held } from '../../snapshot/observe.ts';
import { blobId } from '../../snapshot/working-file.ts';
import { isCall } from '../../waiting/open-names.ts';
import type { Worktree } from '../../worktree.ts';
import type { CallMade } from '../messages.ts';
import { isOpen, type OpenCall, type OpenTurn, updateTurn, writeTurn } from '../turn-file.ts';

/**
 * A call may change files from now on. `turn`: of a turn that is open, and of which nothing is noted here. `held`: what it names, as that
 * was before it.
 */
export async function openCall(
  worktree: Worktree,
  turn: Pick<OpenTurn, 'session' | 'turn' | 'agent'>,
  made: CallMade,
  held: ReadonlyMap<RawPath, Held> = new Map(),
): Promise<void> {
  const { root } = worktree.repository;
  dropQuietNote(worktree);
  // The place may have been made anew since the turn began.
  if (!isOpen(worktree, turn.session)) await writeTurn(worktree, { ...turn, startedMs: worktree.now(), root, calls: [] });
  const { key, reach, process } = made;
  const makes = blobsMade(worktree, made, held);
  const call: OpenCall = {
    ...{ key, reach, ...(made.stays && { stays: true as const }), ...(makes.length > 0 && { makes }) },
    files: made.files.flatMap((file) => fromRoot(root, file) ?? []),
    patterns: made.patterns.flatMap((pattern) => (pattern.startsWith(`${root}/`) ? [rawPath(pattern.slice(root.length + 1))] : [])),
  };
  // Of a turn that an older version began nobody knows which calls are open.
  await updateTurn(worktree, turn.session, ({ calls }) => ({
    ...(calls && { calls: [...calls, call] }),
    ...(process && { process }),
  }));
}

function blobsMade({ repository }: Worktree, { announced = [] }: CallMade, held: ReadonlyMap<RawPath, Held>): [RawPath, string][] {
  return announced.flatMap(([file, says]): [RawPath, string][] => {
    const path = fromRoot(repository.root, file);
    const made = path === null ? null : madeOf(says, held.get(path)?.bytes ?? null);
    return path === null || made === null ? [] : [[path, blobId(repository.objectFormat, made)]];
  });
}

export const openCallsOf = ({ calls = [] }: OpenTurn, key: string): readonly OpenCall[] => calls.filter((call) => isCall(call.key, key));

/** What goes on in the background stays open until the turn ends. */
export const closeCall = (worktree: Worktree, session: string, key: string): Promise<void> =>
  updateTurn(worktree, session, ({ calls }) => (calls ? { calls: calls.filter((call) => call.stays || !isCall(call.key, key)) } : {}));

/** The files that it names are not its any more; what else it may have changed until its end is looked for when that is heard. */
export const endNaming = (worktree: Worktree, session: string, key: string): Promise<void> =>
  updateTurn(worktree, session, ({ calls }) => {
    const left = calls?.flatMap((call) => {
      if (call.stays || !isCall(call.key, key)) return [call];
      return call.reach === 'named' ? [] : [{ ...call, files: [], patterns: [] }];
    });
    return left ? { calls: left } : {};
  });
