import type { RawPath } from '../raw-path.ts';
import { isOver, notedTurns, type OpenCall, type OpenTurn } from '../turns/turn-file.ts';
import { isCall } from '../waiting/open-names.ts';
import type { CallsOver } from '../waiting/waiting-events.ts';
import type { Worktree } from '../worktree.ts';

/** A call as looks have to take it. */
export interface CallAtWork extends OpenCall {
  /** Of the event that announced it, where that was late. */
  readonly stamp?: string;
  /** Whether somebody else may have changed a file that it names, since it was over. */
  readonly mayBeAnothers?: (path: RawPath) => boolean;
}

export interface TurnAtWork extends OpenTurn {
  readonly calls?: readonly CallAtWork[];
}

/** Those whose calls may have changed something since the last look: one that is over may have until then. */
export function turnsAtWork(worktree: Pick<Worktree, 'state' | 'now' | 'waiting'>): TurnAtWork[] {
  const noted = notedTurns(worktree).filter((turn) => (turn.calls?.length ?? 0) > 0 || !isOver(turn, worktree.now()));
  const over = worktree.waiting?.over() ?? [];
  return (worktree.waiting?.atWork() ?? []).reduce<TurnAtWork[]>(withTurn, noted).map((turn) => withoutOver(turn, over));
}

/** One turn counts once, however many of its calls are at work. */
function withTurn(turns: TurnAtWork[], one: TurnAtWork): TurnAtWork[] {
  const at = turns.findIndex(({ session, turn }) => session === one.session && turn === one.turn);
  const known = turns[at];
  if (known === undefined) return [...turns, one];
  // Where nobody follows its calls all is its doing anyway.
  return known.calls === undefined ? turns : turns.toSpliced(at, 1, { ...known, calls: [...known.calls, ...(one.calls ?? [])] });
}

/** The end of a call may wait in line: what it names may have been changed since, unless it was read in that moment. */
function withoutOver(turn: OpenTurn, over: readonly CallsOver[]): TurnAtWork {
  const ends = over.filter(({ session }) => session === turn.session);
  if (ends.length === 0 || turn.calls === undefined) return turn;
  const calls = turn.calls.map((call): CallAtWork => {
    // What came first was its end, whoever was told of it when.
    const [ending] = ends.filter((end) => isEnd(end, call)).sort((a, b) => a.atMs - b.atMs);
    return ending === undefined ? call : { ...call, mayBeAnothers: (path) => !ending.isRead(path) };
  });
  return { ...turn, calls };
}

const isEnd = ({ keys, stamp = '' }: CallsOver, call: CallAtWork): boolean =>
  keys === null ? call.stamp === undefined || call.stamp < stamp : keys.some((key) => isCall(call.key, key));
