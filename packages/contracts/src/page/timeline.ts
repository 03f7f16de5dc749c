import type { DecisionName } from '../decision.ts';
import type { EventName } from '../events.ts';
import type { RunFailure, Scope, SkipReason } from '../outcome.ts';
import type { PageCommand, PageText } from './common.ts';
import type { PageTodo } from './sessions.ts';

/** What one hook did on an event. */
export interface PageTrace {
  readonly hook: string;
  readonly scope: Scope;
  readonly did: 'ran' | 'skipped';
  /** Of a skipped one. */
  readonly why: SkipReason | null;
  readonly said: DecisionName | null;
  readonly exitCode: number | null;
  readonly failed: RunFailure | 'hook' | 'budget' | null;
  /** ms behind its event. */
  readonly startedMs: number | null;
  readonly durationMs: number | null;
  /** It ran after the answer, or in shadow: it decided nothing. */
  readonly observed: boolean;
  readonly note: string | null;
  readonly stdout: PageText | null;
  readonly stderr: PageText | null;
}

/** What was decided at an event, and how it came about. */
export interface PageDecision {
  readonly decision: DecisionName;
  readonly reason: string | null;
  /** The hooks that returned this decision. */
  readonly by: readonly string[];
  /** Empty where it has expired. Hooks that did not match are in no trace. */
  readonly trace: readonly PageTrace[];
  /** How many did not match. */
  readonly unmatched: number;
}

export type PageItem =
  | ({ readonly kind: 'prompt'; readonly text: PageText } & PageItemHead)
  | ({ readonly kind: 'answer'; readonly text: PageText; readonly model: string | null } & PageItemHead)
  | ({
      readonly kind: 'tool';
      readonly name: string;
      /** `shell`, `edit`, `read`, `search`, `web`, `agent`, `mcp` … as in the canonical event. */
      readonly tool: string;
      readonly command: PageText | null;
      readonly files: readonly string[];
      /** JSON, where it has not expired. */
      readonly input: PageText | null;
      readonly output: PageText | null;
      readonly state: 'open' | 'done' | 'failed' | 'denied';
      readonly endedAt: number | null;
      /** How long a person was waited for before it ran. */
      readonly waitedMs: number;
    } & PageItemHead)
  | ({ readonly kind: 'todos'; readonly items: readonly PageTodo[] } & PageItemHead)
  | ({ readonly kind: 'waiting'; readonly endedAt: number | null; readonly what: PageText } & PageItemHead)
  | ({ readonly kind: 'checkpoint'; readonly checkpoint: PageCheckpoint } & PageItemHead)
  /** Everything else: session start and end, compaction, notification, failure of a turn. */
  | ({ readonly kind: 'event'; readonly name: EventName; readonly text: PageText | null } & PageItemHead);

/** What all items of a timeline have. */
export interface PageItemHead {
  /** Unique within the session, and the same each time that it is asked for. */
  readonly id: string;
  readonly at: number;
  /** The event behind it; null for an answer that only the transcript has, and for a checkpoint. */
  readonly event: string | null;
  /** The subagent that did it. */
  readonly subagent: string | null;
  /** Null where no hook was considered. */
  readonly decision: PageDecision | null;
  readonly commands: readonly PageCommand[];
}

export interface PageCheckpoint {
  readonly id: string;
  readonly shortId: string;
  readonly at: number;
  readonly kind: string;
  readonly name: string;
  readonly by: 'agent' | 'human' | 'shared';
  readonly agent: string | null;
  /** The agent's own id of its session, and the id in the store if it is known there. */
  readonly providerRef: string | null;
  readonly session: string | null;
  readonly turn: string | null;
  readonly branch: string | null;
  /** The user's commit that carries it. */
  readonly commit: string | null;
  readonly repository: string;
}

/** GET /api/events/<id>: one event with all that is kept of it. */
export interface PageEvent {
  readonly id: string;
  readonly shortId: string;
  readonly at: number;
  readonly name: EventName;
  readonly agent: string;
  readonly session: string | null;
  readonly subagent: string | null;
  readonly tool: {
    readonly name: string;
    readonly kind: string;
    readonly command: string | null;
    readonly files: readonly string[];
  } | null;
  readonly prompt: PageText | null;
  readonly text: PageText | null;
  /** What the agent sent, as JSON; null if it has expired. */
  readonly payload: PageText | null;
  readonly decision: PageDecision | null;
  readonly problems: readonly string[];
  readonly expired: boolean;
  readonly commands: readonly PageCommand[];
}
