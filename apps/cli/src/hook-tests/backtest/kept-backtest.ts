import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DecisionName } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import type { Redactor } from '@piton/redact';
import { quantile } from './report.ts';
import { type Backtest, type BacktestCall, CHANGES_CALL } from './run.ts';

const MAX_CALLS = 200;
const MAX_TEXT = 400;
const SCHEMA = 1;

/** The result of the latest backtest of a hook, as it is kept for the page. */
export interface KeptBacktest {
  readonly schema: typeof SCHEMA;
  /** ms since 1970. */
  readonly at: number;
  readonly since: number;
  readonly recorded: number;
  readonly looked: number;
  readonly expired: number;
  readonly unreadable: number;
  readonly ran: number;
  readonly failed: number;
  readonly denied: number;
  readonly asked: number;
  readonly modified: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** Those that it would have changed, or on which it failed, newest first. */
  readonly calls: readonly KeptCall[];
  readonly cut: number;
}
export interface KeptCall extends Pick<BacktestCall, 'agent' | 'session' | 'said' | 'reason' | 'failure' | 'fate'> {
  readonly event: string;
  readonly at: number;
  readonly what: string;
}

const fileOf = (home: string, { id, root }: Pick<HookDefinition, 'id' | 'root'>): string =>
  join(
    home,
    'backtests',
    `${createHash('sha256')
      .update(JSON.stringify([id, root]))
      .digest('hex')
      .slice(0, 32)}.json`,
  );

/** What the hook printed passes the redactor: it may have read what is in no recorded event. */
export function keepBacktest(home: string, hook: HookDefinition, since: number, result: Backtest, redactor: Redactor): void {
  const { recorded, looked, expired, unreadable, calls } = result;
  const short = (text: string): string => redactor.text(text.slice(0, MAX_TEXT * 4)).slice(0, MAX_TEXT);
  const maybe = (text: string | null): string | null => (text === null ? null : short(text));
  const of = (word: DecisionName): number => calls.filter(({ said }) => said === word).length;
  const told = calls.filter(({ said, failure }) => CHANGES_CALL[said] || failure !== null).toReversed();
  const ms = calls.map((call) => call.ms);
  const kept: KeptBacktest = {
    ...{ schema: SCHEMA, at: Date.now(), since: Math.round(since / 1000), recorded, looked, expired, unreadable, ran: calls.length },
    failed: calls.filter(({ failure }) => failure !== null).length,
    ...{ denied: of('deny'), asked: of('ask'), modified: of('modify'), p50Ms: quantile(ms, 0.5), p95Ms: quantile(ms, 0.95) },
    calls: told.slice(0, MAX_CALLS).map((call) => ({
      ...{ event: call.eventId, at: Math.round(call.wallUs / 1000), agent: call.agent, session: call.session, what: short(call.subject) },
      ...{ said: call.said, reason: maybe(call.reason), failure: maybe(call.failure), fate: call.fate },
    })),
    cut: Math.max(0, told.length - MAX_CALLS),
  };
  const file = fileOf(home, hook);
  const part = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(part, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
    renameSync(part, file);
  } catch {
    // A home that cannot be written: the result was printed all the same.
    rmSync(part, { force: true });
  }
}

/** Undefined if there was none, or it is of another version. */
export function readBacktest(home: string, hook: Pick<HookDefinition, 'id' | 'root'>): KeptBacktest | undefined {
  try {
    const kept = JSON.parse(readFileSync(fileOf(home, hook), 'utf8')) as KeptBacktest;
    return kept.schema === SCHEMA && Array.isArray(kept.calls) ? kept : undefined;
  } catch {
    return undefined;
  }
}
