import { isOver, notedTurns, type OpenTurn } from '../turns/turn-file.ts';
import type { Worktree } from '../worktree.ts';

/** Those whose calls may have changed something since the last look: one that is over may have until then. */
export function turnsAtWork(worktree: Pick<Worktree, 'state' | 'now' | 'waiting'>): OpenTurn[] {
  const noted = notedTurns(worktree).filter((turn) => (turn.calls?.length ?? 0) > 0 || !isOver(turn, worktree.now()));
  return (worktree.waiting?.atWork() ?? []).reduce(withTurn, noted);
}

/** One turn counts once, however many of its calls are at work. */
function withTurn(turns: OpenTurn[], one: OpenTurn): OpenTurn[] {
  const at = turns.findIndex(({ session, turn }) => session === one.session && turn === one.turn);
  const known = turns[at];
  if (known === undefined) return [...turns, one];
  // Where nobody follows its calls all is its doing anyway.
  return known.calls === undefined ? turns : turns.toSpliced(at, 1, { ...known, calls: [...known.calls, ...(one.calls ?? [])] });
}
