import { settleUntilNow, type UntilNow } from '../authors/until-now.ts';
import { type About, type Checkpoint, oneLine } from '../checkpoint.ts';
import { failureReason } from '../failure-reason.ts';
import { dropQuietNote } from '../links/quiet-note.ts';
import { type Taken, take } from '../snapshot/take.ts';
import { readLast } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';
import type { AgentProcess } from './agent-process.ts';
import { notedTurns, type OpenTurn, openTurns, updateTurn, writeTurn } from './turn-file.ts';

/** The checkpoint that a turn is taken back to, while it is being saved. */
export interface BeforeImage {
  /** Settles when the checkpoint is durable. The first tool that may change anything waits for this. */
  readonly done: Promise<Taken>;
  /** Of what others did before it. Settles with `done`. */
  readonly parts: readonly Checkpoint[];
}

export interface TurnBeginning {
  /** Somebody reports each of its calls, and their ends. */
  readonly followed?: boolean;
  readonly process?: AgentProcess | undefined;
  readonly prompt?: string;
}

/** At a prompt: marks the turn as open, and makes a checkpoint of what the person has done since the last. */
export function beginTurn(
  worktree: Worktree,
  about: Omit<About, 'kind' | 'by'> & { session: string },
  { followed = false, process, prompt = '' }: TurnBeginning = {},
): BeforeImage {
  const parts: Checkpoint[] = [];
  const { session, agent, turn } = about;
  const begin = async (): Promise<Taken> => {
    const now = worktree.now();
    const others = (await openTurns(worktree)).filter((one) => one.session !== session);
    const after = (await readLast(worktree.state))?.id ?? null;
    const name = oneLine(worktree.redact(prompt));
    // A call that did not wait any longer is open already.
    const known = notedTurns(worktree).find((one) => one.session === session && one.turn === turn);
    const open: OpenTurn = {
      ...{ session, turn, agent, startedMs: now, seenMs: now, root: worktree.repository.root, after },
      ...{ ...(followed && { calls: known?.calls ?? [], name }), ...(process && { process }) },
    };
    const note = (more: Pick<OpenTurn, 'laid' | 'head' | 'noWayBack'>) => updateTurn(worktree, session, () => more);
    dropQuietNote(worktree);
    await writeTurn(worktree, { ...open, laid: false });
    const isFollowed = followed && others.every(({ calls }) => calls !== undefined);
    const by = others.length > 0 ? 'shared' : 'human';
    const before: UntilNow = isFollowed ? await settleUntilNow(worktree, null, { looking: true }) : { parts: [], by };
    parts.push(...before.parts);
    const taken = await take(worktree, { ...about, kind: 'prompt', by: before.by, ...(before.looked && { looked: before.looked }) });
    const seen = taken.result === 'unchanged' ? await readLast(worktree.state) : null;
    if (taken.result !== 'failed') await note({ laid: true, ...(seen && { head: seen.head }) });
    else await note({ laid: false, noWayBack: failureReason(taken.error) });
    return taken;
  };
  return {
    done: begin().catch((error: unknown) => ({ result: 'failed', error: String(error) })),
    parts,
  };
}

/**
 * A turn that had begun before anybody could look. What is there now may be its own doing, or that of whoever came before. From now on its
 * calls are followed.
 */
export async function beginLateTurn(
  worktree: Worktree,
  about: Omit<About, 'kind' | 'by'> & { session: string },
  { noWayBack, prompt }: { readonly noWayBack: string; readonly prompt: string },
): Promise<Taken> {
  const { session, turn, agent } = about;
  const now = worktree.now();
  const after = (await readLast(worktree.state))?.id ?? null;
  await writeTurn(worktree, {
    ...{ session, turn, agent, startedMs: now, seenMs: now, root: worktree.repository.root, after, laid: false, noWayBack },
    ...{ calls: [], name: oneLine(worktree.redact(prompt)) },
  });
  return take(worktree, { ...about, kind: 'prompt', by: 'shared' });
}
