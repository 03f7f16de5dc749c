import { isOver, notedTurns, type OpenTurn } from '../turns/turn-file.ts';
import type { Worktree } from '../worktree.ts';

/** Those whose calls may have changed something since the last look: one that is over may have until then. */
export const turnsAtWork = (worktree: Pick<Worktree, 'state' | 'now'>): OpenTurn[] =>
  notedTurns(worktree).filter((turn) => (turn.calls?.length ?? 0) > 0 || !isOver(turn, worktree.now()));
