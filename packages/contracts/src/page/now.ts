import type { DecisionName } from '../decision.ts';
import type { EventName } from '../events.ts';
import type { PageCommand, PageText } from './common.ts';
import type { PageSession } from './sessions.ts';

/** Somebody is waited for. Known from what agents send; also what `piton status --json` prints. */
export interface Waiting {
  /** The event that says so. */
  readonly event: string;
  readonly session: string;
  readonly agent: string;
  readonly subagent: string | null;
  readonly root: string | null;
  readonly directory: string;
  /** What has to be given: a permission, or an answer to a question. */
  readonly for: 'permission' | 'answer';
  readonly tool: string | null;
  /** The exact command, the files, or the question. Null if the agent does not say it. */
  readonly what: string | null;
  /** What the agent told the person. */
  readonly message: string | null;
  /** ms since 1970. */
  readonly since: number;
}

/** An event in a list. */
export interface PageEventRow {
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  readonly name: EventName;
  readonly agent: string;
  readonly session: string | null;
  readonly subagent: string | null;
  readonly root: string | null;
  readonly tool: string | null;
  /** The command, the files, the prompt or the message. */
  readonly what: PageText;
  readonly decision: DecisionName | null;
  readonly reason: string | null;
  readonly by: readonly string[];
  readonly failed: boolean;
  readonly commands: readonly PageCommand[];
}

/** GET /api/now */
export interface PageNow {
  /** The change that it includes: go on in the stream behind it. */
  readonly seq: number;
  readonly at: number;
  /** Who waits longest comes first. */
  readonly waiting: readonly Waiting[];
  /** Sessions with an open turn, with the call that is open in them. */
  readonly running: readonly { readonly session: PageSession; readonly call: PageEventRow | null }[];
  /** Denied calls and failures of tools, turns and hooks of the last hour, newest first; at most 50. */
  readonly recent: readonly PageEventRow[];
}
