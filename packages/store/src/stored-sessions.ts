import type { ObservationRecord } from './records.ts';
import type { CloseReason, Phase } from './sessions/machine.ts';

export interface SessionSummary {
  readonly id: string;
  readonly agent: string;
  readonly providerRef: string;
  readonly phase: Phase;
  /** If a hook started the session: the depth, and the event of that hook. */
  readonly depth: number;
  readonly parentId: string | null;
  readonly projectPath: string;
  readonly repo: string | null;
  readonly branch: string | null;
  readonly model: string | null;
  readonly source: string | null;
  readonly transcriptPath: string | null;
  readonly startedUs: number;
  readonly lastUs: number;
  readonly endedUs: number | null;
  readonly endReason: string | null;
  readonly events: number;
  readonly turns: number;
  readonly tools: number;
  readonly denials: number;
  readonly compactions: number;
  readonly commits: number;
  /** The process of its last event: the liveness check looks whether it still runs. */
  readonly bootId: string;
  readonly pid: number;
  readonly ppid: number;
  readonly firstPrompt: string | null;
}
export interface TurnRecord {
  /** The event that opened it. */
  readonly id: string;
  readonly number: number;
  readonly prompt: string | null;
  readonly startedUs: number;
  readonly endedUs: number | null;
  readonly closed: CloseReason | null;
  readonly tools: number;
  readonly denials: number;
  readonly commits: number;
}
export interface ObservationSummary {
  readonly id: string;
  readonly kind: ObservationRecord['kind'];
  readonly wallUs: number;
  /** Null if it was deleted or has expired. */
  readonly body: unknown;
}
/** What was observed, with where it comes from. */
export interface ObservedHere extends ObservationSummary {
  readonly session: string;
  readonly agent: string;
  readonly expiresUs: number | null;
}
export interface ObservationQuery {
  readonly kinds?: readonly ObservationRecord['kind'][];
  /** The session's id in the store. */
  readonly session?: string;
  /** A repository or directory: of sessions at or below it. */
  readonly path?: string;
  readonly limit?: number;
}
export interface SessionDetail extends SessionSummary {
  readonly turnList: readonly TurnRecord[];
  readonly observations: readonly ObservationSummary[];
}

export interface SessionQuery {
  readonly limit?: number;
  readonly agent?: string;
  readonly since?: number;
  readonly phase?: Phase;
  /** A repository or directory: sessions at or below it. */
  readonly path?: string;
  /** Those that come after this one in the list. */
  readonly after?: Pick<SessionSummary, 'id' | 'lastUs'>;
  /** Only these, by their full ids. */
  readonly ids?: readonly string[];
  /** What started them: a session, or an event of a hook in which an agent ran. Null: nothing did. */
  readonly parent?: string | null;
  /** Only sessions in which something was denied. */
  readonly denied?: true;
}

/** A repository in which sessions worked. */
export interface SessionPlace {
  readonly root: string;
  readonly sessions: number;
  readonly lastUs: number;
}
