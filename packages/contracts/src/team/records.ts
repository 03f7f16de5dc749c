import type { DecisionName } from '../decision.ts';
import type { EventName, ToolKind } from '../events.ts';
import type { RunFailure, Scope, SkipReason } from '../outcome.ts';
import type { TokenCounts } from '../usage/tokens.ts';

/** A repository as a team knows it: no path of a machine. */
export interface TeamRepository {
  /** `host/path` of its remote `origin`; without one `local:` and a hash that means something on its machine only. */
  readonly id: string;
  /** The name of its directory. */
  readonly name: string;
}

/** Why a record has no body. */
export type BodyWithheld =
  /** The team or the person did not agree. */
  | 'consent'
  /** It may speak of a repository that is not the team's. */
  | 'repository'
  | 'too-large'
  /** The machine keeps it no longer. */
  | 'expired'
  /** There is none. */
  | 'none';

export interface TeamHookRun {
  readonly hook: string;
  readonly scope: Scope;
  /** Of the hook as it is when this leaves; null if it was changed or removed meanwhile, or is built in. */
  readonly digest: string | null;
  readonly did: 'ran' | 'skipped';
  readonly why: SkipReason | null;
  readonly said: DecisionName | null;
  readonly failed: RunFailure | null;
  readonly durationMs: number | null;
  /** It ran after the answer and could not decide. */
  readonly observed: boolean;
}

/** An event of an agent: its header, and its decision. */
export interface TeamEventData {
  readonly eventId: string;
  readonly session: string | null;
  readonly agent: string;
  readonly event: EventName;
  readonly nativeEvent: string;
  readonly at: string;
  readonly repository: TeamRepository | null;
  readonly branch: string | null;
  readonly model: string | null;
  readonly tool: { readonly name: string; readonly kind: ToolKind } | null;
  readonly subagent: string | null;
  readonly parent: string | null;
  readonly depth: number;
  /** No server answered it in time: no hooks ran. */
  readonly late: boolean;
  readonly derived: boolean;
  /** Sent by `piton status` to prove that events arrive. */
  readonly canary: boolean;
  readonly truncated: boolean;
  readonly payloadBytes: number;
  readonly decision: DecisionName | null;
  readonly decidedBy: readonly string[];
  readonly hooks: readonly TeamHookRun[];
  /** The version of the rules that redacted it. */
  readonly redaction: string;
  readonly body: TeamEventTexts | null;
  readonly withheld: BodyWithheld | null;
}
/** All text of it that a person, an agent or a tool wrote. Redacted. */
export interface TeamEventTexts {
  readonly prompt: string | null;
  readonly text: string | null;
  readonly command: string | null;
  readonly files: readonly string[];
  readonly reason: string | null;
  readonly payload: unknown;
}

export interface TeamTurn {
  readonly id: string;
  readonly number: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly closed: string | null;
  readonly tools: number;
  readonly denials: number;
  readonly commits: number;
}
export interface TeamSessionData {
  readonly session: string;
  readonly agent: string;
  /** The agent's own id of it. */
  readonly ref: string;
  readonly phase: string;
  readonly startedAt: string;
  readonly lastAt: string;
  readonly endedAt: string | null;
  readonly repository: TeamRepository | null;
  readonly branch: string | null;
  readonly model: string | null;
  readonly parent: string | null;
  readonly depth: number;
  readonly events: number;
  readonly tools: number;
  readonly denials: number;
  readonly compactions: number;
  readonly commits: number;
  readonly turns: readonly TeamTurn[];
  /** Prompts by the id of their turn. */
  readonly body: { readonly prompts: Readonly<Record<string, string>> } | null;
  readonly withheld: BodyWithheld | null;
}

/** A checkpoint was taken or restored, or a commit was linked to one. */
export interface TeamCheckpointData {
  readonly id: string;
  readonly did: 'created' | 'restored' | 'linked';
  readonly at: string;
  readonly checkpoint: string;
  readonly kind: string;
  readonly commit: string | null;
  readonly base: string | null;
  /** The agent's own id of the session. */
  readonly ref: string | null;
  readonly agent: string | null;
  readonly repository: TeamRepository | null;
  readonly branch: string | null;
}

/** Git was about to push these commits. */
export interface TeamPushData {
  readonly id: string;
  readonly at: string;
  readonly repository: TeamRepository;
  readonly ref: string;
  readonly oldSha: string;
  readonly newSha: string;
  readonly commits: readonly string[];
}

/** All tokens of a session so far, by model. */
export interface TeamUsageData {
  readonly session: string;
  readonly agent: string;
  readonly repository: TeamRepository | null;
  readonly at: string;
  readonly models: readonly { readonly model: string | null; readonly requests: number; readonly tokens: TokenCounts }[];
}

/** Changes that the machine could not send, because it has them no longer. */
export interface TeamGapData {
  /** `removed`: retention or a person took them. `store`: the store was replaced, and numbers begin anew. */
  readonly reason: 'removed' | 'store';
  readonly from: number;
  readonly through: number;
  readonly at: string;
}
