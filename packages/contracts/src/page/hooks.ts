import type { DecisionName } from '../decision.ts';
import type { RunFailure, Scope } from '../outcome.ts';
import type { PageCommand, PageText } from './common.ts';

/** GET /api/hooks?repository=<id>: in the order in which they run; of the user alone without a repository. */
export interface PageHook {
  readonly id: string;
  readonly name: string;
  readonly event: string;
  readonly scope: Scope;
  /** The repository of a project's hook: goes into `?root=`. */
  readonly root: string | null;
  readonly source: string;
  readonly builtIn: boolean;
  readonly description: string | null;
  readonly mode: 'enforce' | 'shadow' | 'observe';
  readonly policy: boolean;
  readonly matcher: string | null;
  /** Null: all. */
  readonly agents: readonly string[] | null;
  /** `ready`, `shadow`, `observes`, `changed`, `not trusted`, `not executable`, `broken`, `disabled`, `never`. */
  readonly state: string;
  readonly why: string | null;
  readonly runs: number;
  readonly failures: number;
  /** What it returned, by kind, in the last 30 days, of its latest 5,000 runs; also in shadow. */
  readonly said: Readonly<Partial<Record<DecisionName, number>>>;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly lastAt: number | null;
  readonly lastFailureAt: number | null;
  readonly commands: readonly PageCommand[];
}

/** GET /api/hooks/runs?hook=<id>&root=<root>&said=<decision>&failed=1, newest first: the calls behind each number. */
export interface PageHookRun {
  readonly event: string;
  readonly at: number;
  readonly agent: string | null;
  readonly session: string | null;
  readonly what: string;
  readonly said: DecisionName | null;
  readonly observed: boolean;
  readonly exitCode: number | null;
  readonly failed: RunFailure | 'hook' | 'budget' | null;
  readonly durationMs: number | null;
  readonly note: string | null;
  /** Of the first few of a list; null also where it has expired. */
  readonly stdout: PageText | null;
  readonly stderr: PageText | null;
}

/** GET /api/hooks/shadow?hook=<id>&root=<root>: what it would have done. */
export interface PageShadow {
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly runs: number;
  readonly failures: number;
  /** How many it would have denied, asked about or changed, and how those calls went. */
  readonly would: number;
  readonly ofThoseSucceeded: number;
  readonly ofThoseFailed: number;
  /** Newest first, at most 200. */
  readonly calls: readonly (PageHookRun & { readonly fate: 'succeeded' | 'failed' | 'denied' | 'unknown' })[];
  readonly cut: number;
}

/** GET /api/hooks/backtest?hook=<id>&root=<root>: the result of the last `piton hooks backtest`; null if there was none. */
export interface PageBacktest {
  readonly at: number;
  /** Calls since then were checked. */
  readonly since: number;
  /** Recorded calls of its event, how many were checked, and how many of them concerned the hook. */
  readonly recorded: number;
  readonly looked: number;
  readonly ran: number;
  readonly expired: number;
  readonly unreadable: number;
  readonly failed: number;
  readonly denied: number;
  readonly asked: number;
  readonly modified: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** Those that it would have changed, or on which it failed; newest first, at most 200. */
  readonly calls: readonly PageBacktestCall[];
  readonly cut: number;
}
export interface PageBacktestCall {
  readonly event: string;
  readonly at: number;
  readonly agent: string;
  readonly session: string | null;
  readonly what: string;
  readonly said: DecisionName;
  readonly reason: string | null;
  readonly failure: string | null;
  readonly fate: 'succeeded' | 'failed' | 'denied' | 'unknown' | null;
}
