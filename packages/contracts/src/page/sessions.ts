import type { ExportCost, ExportUsage } from '../export.ts';
import type { TokenCounts } from '../usage/tokens.ts';
import type { PageCommand, PageText } from './common.ts';

/** One session in a list. */
export interface PageSession {
  readonly id: string;
  readonly shortId: string;
  readonly agent: string;
  /** The agent's own id of it. */
  readonly providerRef: string;
  /** The first prompt on one line, or what it continues. Null before the first prompt. */
  readonly title: string | null;
  readonly phase: 'idle' | 'active' | 'ended';
  readonly waiting: boolean;
  /** The session that started it, for a subagent with a session of its own or an agent inside a hook. */
  readonly parent: string | null;
  /** How many sessions have this one as their parent. */
  readonly children: number;
  readonly directory: string;
  /** Root and id of the repository; null outside any. */
  readonly root: string | null;
  readonly repository: string | null;
  readonly branch: string | null;
  readonly model: string | null;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly endedAt: number | null;
  readonly endReason: string | null;
  readonly turns: number;
  readonly tools: number;
  readonly denials: number;
  readonly commits: number;
  readonly events: number;
  /** Null if its agent told none. */
  readonly tokens: TokenCounts | null;
  readonly cost: ExportCost | null;
}

/** A stretch of time in a lane. `to` is null while it goes on. */
export interface PageSpan {
  readonly kind: 'turn' | 'tool' | 'waiting';
  readonly from: number;
  readonly to: number | null;
  /** The event that began it. */
  readonly event: string;
  /** The prompt, or the tool with its command or file, on one line. */
  readonly label: string;
  readonly state: 'open' | 'done' | 'failed' | 'denied';
}
/** A point in time in a lane. */
export interface PageMark {
  readonly kind: 'denial' | 'failure' | 'compaction' | 'commit' | 'todo';
  readonly at: number;
  readonly event: string;
  readonly label: string;
}
/** GET /api/lanes: one session as a swim lane. */
export interface PageLane {
  readonly session: PageSession;
  /** Set for a subagent that works inside its session: its id there. Its `session` is that of the lane around it. */
  readonly subagent: string | null;
  readonly spans: readonly PageSpan[];
  readonly marks: readonly PageMark[];
  /** Some stretches were left out, the oldest first. */
  readonly cut: boolean;
  readonly lanes: readonly PageLane[];
}
export interface PageLanes {
  readonly from: number;
  readonly to: number;
  /** The session that did something last comes first. At most 40. */
  readonly lanes: readonly PageLane[];
  readonly cut: boolean;
}

/** Where the time of a session or a turn went. What is in none of the three is time between turns. */
export interface PageTime {
  /** Within turns: the agent at work, hooks and waiting taken out. */
  readonly agentMs: number;
  /** For a person's answer. */
  readonly waitingMs: number;
  readonly hooksMs: number;
}

/** One turn in the list of a session; what happened in it is in its timeline. */
export interface PageTurn {
  /** The event that opened it. */
  readonly id: string;
  readonly number: number;
  readonly prompt: PageText | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** How it ended: `stop`, `failure`, `prompt`, `end`, `crash`, `interrupted`; null while it goes on. */
  readonly closed: string | null;
  readonly tools: number;
  readonly denials: number;
  readonly failures: number;
  readonly commits: number;
  readonly time: PageTime;
  readonly tokens: TokenCounts | null;
  readonly cost: ExportCost | null;
  /** Ids of checkpoints taken before, in and after it, oldest first. */
  readonly checkpoints: readonly string[];
}

export interface PageTodo {
  readonly text: string;
  readonly status: 'open' | 'active' | 'done';
}

/** GET /api/sessions/<id>. Its turns come in parts, from /api/sessions/<id>/turns. */
export interface PageSessionDetail {
  readonly session: PageSession;
  readonly usage: readonly ExportUsage[];
  readonly time: PageTime;
  /** The to-do list as it was last. */
  readonly todos: readonly PageTodo[];
  /** Files that it wrote, at most 500; with paths relative to the repository where they lie in it. */
  readonly files: readonly string[];
  /** Sessions below it. */
  readonly children: readonly PageSession[];
  /** The same work handed from agent to agent, this session among them; empty if it was not. */
  readonly story: readonly { readonly id: string; readonly agent: string }[];
  /** What is missing, and why: no transcript, expired texts. */
  readonly notes: readonly string[];
  readonly commands: readonly PageCommand[];
}
