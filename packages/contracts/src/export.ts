import type { TokenCounts } from './usage/tokens.ts';

export const EXPORT_VERSION = 1;

/** What `piton export` prints of a piece of work, as JSON. Every text in it is redacted. */
export interface ExportDocument {
  readonly schemaVersion: typeof EXPORT_VERSION;
  /** The Piton that wrote it. */
  readonly piton: string;
  readonly createdAt: string;
  readonly target: ExportTarget;
  readonly totals: ExportTotals;
  /** The oldest first. */
  readonly commits: readonly ExportCommit[];
  /** In the order in which they began. */
  readonly sessions: readonly ExportSession[];
}
export interface ExportTarget {
  readonly kind: 'branch' | 'commit' | 'checkpoint' | 'session';
  readonly name: string;
  /** What a branch is compared with. */
  readonly base: string | null;
  /** The name of the repository's directory. */
  readonly repository: string | null;
}
/** What requests cost by public list prices: not a bill, which nobody but the seller knows. */
export interface ExportCost {
  /** Dollars of those that have a price; null if none has. */
  readonly usd: number | null;
  /** How many requests have none, and their models. Nothing is guessed for them. */
  readonly unpriced: number;
  readonly unpricedModels: readonly (string | null)[];
  /** The day of the price list. */
  readonly listPricesOf: string;
}
export interface ExportLines {
  /** Added lines, by who wrote them. */
  readonly agent: number;
  readonly human: number;
  /** Not known. */
  readonly shared: number;
  readonly removed: number;
}
export interface ExportTotals {
  readonly sessions: number;
  readonly turns: number;
  readonly tools: number;
  readonly denials: number;
  readonly files: number;
  /** Null where there is no commit. */
  readonly lines: ExportLines | null;
  /** Null without a transcript. */
  readonly tokens: TokenCounts | null;
  readonly cost: ExportCost | null;
}
export interface ExportCommit {
  readonly sha: string;
  readonly subject: string;
  readonly at: string;
  readonly lines: ExportLines;
  readonly binaryFiles: number;
  readonly checkpoints: readonly string[];
  /** The agents' own ids. */
  readonly sessions: readonly string[];
}
export interface ExportSession {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  /** The agent's own id of it. */
  readonly providerRef: string;
  readonly model: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly usage: readonly ExportUsage[];
  readonly cost: ExportCost | null;
  readonly files: readonly string[];
  readonly turns: readonly ExportTurn[];
  /** What is missing, and why. */
  readonly notes: readonly string[];
}
export interface ExportUsage {
  readonly model: string | null;
  readonly requests: number;
  readonly tokens: TokenCounts;
}
export interface ExportTurn {
  readonly number: number;
  readonly prompt: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly tools: readonly ExportTool[];
  readonly files: readonly string[];
  /** The last thing that the agent said in it. */
  readonly answer: string | null;
  readonly tokens: TokenCounts | null;
  readonly checkpoints: readonly ExportCheckpoint[];
}
export interface ExportTool {
  readonly at: string;
  readonly name: string;
  readonly kind: string;
  readonly command: string | null;
  readonly files: readonly string[];
  /** In a subagent. */
  readonly subagent: boolean;
  readonly failed: boolean;
  /** Why it was not done. */
  readonly denied: string | null;
  /** Its whole input, as JSON text; only where everything was asked for. */
  readonly input: string | null;
}
export interface ExportCheckpoint {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly at: string;
  /** Of kind `commit`: the user's commit. */
  readonly commit: string | null;
}
