import { createHash } from 'node:crypto';
import {
  type CheckpointCreated,
  type CheckpointRestored,
  type CommitLinked,
  type HistoryRead,
  type PitonEvent,
  type PitonEventName,
  ulid,
} from '@piton/contracts';
import type { CheckpointSummary, HistoryReadReport } from '@piton/contracts/server-api';
import type { SessionChange } from '@piton/store';

/** An event that Piton emits, and where to look for subscriptions. */
export interface Fired {
  readonly event: PitonEvent;
  /** Subscriptions of this directory and of the session's root get it. */
  readonly cwd: string;
  readonly sessionRoot: string | null;
  /** It happened inside a run of a hook or a subscription. It is recorded but not delivered: that could loop. */
  readonly child: boolean;
  /** How often a server has started to deliver it. */
  readonly attempt?: number;
}

/** Two events of one millisecond get different ids by their content. */
export function identity<Name extends PitonEventName>(event: Name, timeMs: number, ...what: string[]) {
  const random = createHash('sha256')
    .update([event, ...what].join('\0'))
    .digest();
  return { event, id: ulid(timeMs, random), time: new Date(timeMs).toISOString() };
}

const aboutCheckpoint = (made: CheckpointSummary, repo: string) => ({
  checkpoint_id: made.id,
  commit_sha: made.linked,
  session_id: made.session,
  agent: made.agent,
  branch: made.branch?.replace(/^refs\/heads\//, '') ?? null,
  repo,
  kind: made.kind,
  base_sha: made.base,
  name: made.name,
});

export const checkpointCreated = (made: CheckpointSummary, repo: string, timeMs: number): CheckpointCreated => ({
  ...identity('checkpoint-created', timeMs, made.id),
  ...aboutCheckpoint(made, repo),
});

export const commitLinked = (made: CheckpointSummary, repo: string, commit: string, timeMs: number): CommitLinked => ({
  ...identity('commit-linked', timeMs, made.id, commit),
  ...aboutCheckpoint(made, repo),
  commit_sha: commit,
});

export const checkpointRestored = (made: CheckpointSummary, undo: string, repo: string, timeMs: number): CheckpointRestored => ({
  ...identity('checkpoint-restored', timeMs, made.id, undo),
  ...aboutCheckpoint(made, repo),
  undo_id: undo,
});

export const historyRead = ({ root, session, ...about }: HistoryReadReport, timeMs: number, branch: string | null): HistoryRead => ({
  // Two equal questions of one millisecond are two.
  ...identity('history-read', timeMs, about.tool, about.input, String(process.hrtime.bigint())),
  ...{ checkpoint_id: null, commit_sha: null, session_id: session, branch, repo: root, ...about },
});

export function sessionFired(change: SessionChange): Fired {
  const { agent, ref, projectPath, repo, branch, source, reason, depth, wallUs, session } = change;
  const timeMs = Math.floor(wallUs / 1000);
  const about = { checkpoint_id: null, commit_sha: null, session_id: ref, agent, branch, repo };
  const event: PitonEvent =
    change.change === 'ended'
      ? { ...identity('session-ended', timeMs, session, String(wallUs)), ...about, reason }
      : { ...identity('session-started', timeMs, session, String(wallUs)), ...about, source };
  return { event, cwd: projectPath, sessionRoot: projectPath, child: depth > 0 };
}
