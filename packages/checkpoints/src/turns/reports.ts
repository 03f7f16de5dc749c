import { summarizeCheckpoint } from '@piton/contracts/server-api';
import type { Checkpoint } from '../checkpoint.ts';
import { findCheckpoint } from '../history/listing.ts';
import { type Linked, linkCommit, recordedAgent, recoverLink } from '../links/link.ts';
import type { Taken } from '../snapshot/take.ts';
import type { Worktree } from '../worktree.ts';
import type { TreeSession } from './messages.ts';
import type { WorkerContext } from './worker-context.ts';

type Posting = Pick<WorkerContext, 'post'>;
type Linking = Pick<WorkerContext, 'post' | 'agents'>;

export function reportTaken(
  { post }: Posting,
  worktree: Worktree,
  taken: Taken | { readonly result: 'no-note' },
  { child }: Pick<TreeSession, 'child'>,
): void {
  if (taken.result === 'made') reportMade({ post }, worktree, taken.checkpoint, { child, commit: null, call: null });
  if (taken.result === 'failed') {
    const what = `could not take a checkpoint in ${worktree.repository.root}: ${taken.error}`;
    post({ kind: 'problem', what, remedy: 'piton doctor' });
  }
}

export function reportParts(
  { post }: Posting,
  worktree: Worktree,
  parts: readonly Checkpoint[],
  { child }: Pick<TreeSession, 'child'>,
): void {
  for (const part of parts) reportMade({ post }, worktree, part, { child, commit: null, call: null });
}

interface MadeFor {
  readonly child: boolean;
  readonly commit: string | null;
  readonly call: number | null;
}

function reportMade({ post }: Posting, { repository }: Worktree, checkpoint: Checkpoint, more: MadeFor): void {
  post({ kind: 'made', checkpoint: summarizeCheckpoint(checkpoint), root: repository.root, ...more });
}

/** The call of git's that led to a link, if one did. */
export interface LinkedBy {
  readonly id: number | null;
  readonly child: boolean;
}

export async function reportLinked({ post }: Linking, worktree: Worktree, linked: Linked | null, { id, child }: LinkedBy): Promise<void> {
  if (linked === null) return;
  const { git, repository } = worktree;
  const more = { child, commit: linked.commit, call: id };
  reportParts({ post }, worktree, linked.parts, { child });
  for (const checkpoint of linked.made) reportMade({ post }, worktree, checkpoint, more);
  for (const carried of linked.carried) {
    const checkpoint = await findCheckpoint(git, repository, carried);
    if (checkpoint) post({ kind: 'linked', checkpoint: summarizeCheckpoint(checkpoint), root: repository.root, ...more });
  }
}

const agentIn =
  ({ agents }: Linking, worktree: Worktree) =>
  (session: string) =>
    agents.get(session) ?? recordedAgent(worktree, session);

/** Links HEAD, which was just committed. */
export const linkHead = async (worker: Linking, worktree: Worktree, by: LinkedBy): Promise<void> =>
  reportLinked(worker, worktree, await linkCommit(worktree, agentIn(worker, worktree)), by);

/** A server that was killed, or came too late, has left a commit without its checkpoint: before another comes, it is made. */
export const recoverHead = async (worker: Linking, worktree: Worktree): Promise<void> =>
  reportLinked(worker, worktree, await recoverLink(worktree, agentIn(worker, worktree)), { id: null, child: false });
