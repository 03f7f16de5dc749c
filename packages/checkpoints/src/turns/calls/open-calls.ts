import { dropQuietNote } from '../../links/quiet-note.ts';
import { fromRoot, rawPath } from '../../raw-path.ts';
import { isCall } from '../../waiting/open-names.ts';
import type { Worktree } from '../../worktree.ts';
import type { CallMade } from '../messages.ts';
import { isOpen, type OpenCall, type OpenTurn, updateTurn, writeTurn } from '../turn-file.ts';

/** A call may change files from now on. `turn`: of a turn that is open, and of which nothing is noted here. */
export async function openCall(worktree: Worktree, turn: Pick<OpenTurn, 'session' | 'turn' | 'agent'>, made: CallMade): Promise<void> {
  const { root } = worktree.repository;
  dropQuietNote(worktree);
  // The place may have been made anew since the turn began.
  if (!isOpen(worktree, turn.session)) await writeTurn(worktree, { ...turn, startedMs: worktree.now(), root, calls: [] });
  const { key, reach, process } = made;
  const call: OpenCall = {
    ...{ key, reach, ...(made.stays && { stays: true as const }) },
    files: made.files.flatMap((file) => fromRoot(root, file) ?? []),
    patterns: made.patterns.flatMap((pattern) => (pattern.startsWith(`${root}/`) ? [rawPath(pattern.slice(root.length + 1))] : [])),
  };
  // Of a turn that an older version began nobody knows which calls are open.
  await updateTurn(worktree, turn.session, ({ calls }) => ({
    ...(calls && { calls: [...calls, call] }),
    ...(process && { process }),
  }));
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
