import type { ExportCost } from '../export.ts';
import type { TokenCounts } from '../usage/tokens.ts';

/** What was counted over some time. */
export interface PageSums {
  readonly sessions: number;
  readonly turns: number;
  readonly tools: number;
  readonly denials: number;
  readonly failures: number;
  /** Writes of files: one for each call and file. */
  readonly files: number;
  readonly tokens: TokenCounts | null;
  readonly cost: ExportCost | null;
}

/** GET /api/overview?days=30&repository=<id>&zone=<time zone>. Without a zone days are those of the machine that `piton ui` runs on. */
export interface PageOverview {
  /** Set while older records are being counted: the sums are still too small. */
  readonly counting: boolean;
  readonly totals: PageSums;
  /** Oldest first, every day of the range. `day` is `2026-11-18`. */
  readonly days: readonly (PageSums & { readonly day: string })[];
  /** The most tool calls first. */
  readonly agents: readonly (PageSums & { readonly agent: string })[];
  /** By cost. Tokens and cost only: the rest is not known by model. */
  readonly models: readonly {
    readonly model: string | null;
    readonly requests: number;
    readonly tokens: TokenCounts;
    readonly cost: ExportCost | null;
  }[];
  /** `root` is null for work outside any repository. At most 100. */
  readonly repositories: readonly (PageSums & { readonly root: string | null; readonly repository: string | null })[];
}

/** GET /api/health: what `piton doctor` finds. Takes a second or two. */
export interface PageHealth {
  readonly checkedAt: number;
  readonly ok: boolean;
  readonly problems: readonly { readonly problem: string; readonly fix: string | null; readonly kind: 'problem' | 'note' }[];
}

/** GET /api/search?q=…&agent=…&repository=…&since=…&order=best|newest. The best match first. */
export interface PageHit {
  /** Null for an answer that is only in a transcript. */
  readonly event: string | null;
  readonly session: string | null;
  readonly agent: string;
  readonly at: number;
  readonly place: 'prompt' | 'command' | 'path' | 'answer' | 'text';
  readonly root: string | null;
  readonly branch: string | null;
  /** On one line, in pieces; `match` is what was looked for. */
  readonly excerpt: readonly { readonly text: string; readonly match: boolean }[];
}
export interface PageHits {
  readonly hits: readonly PageHit[];
  /** Records that search does not find yet. */
  readonly unindexed: number;
}
