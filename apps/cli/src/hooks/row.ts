import type { HookStats } from '@piton/store';
import { shellPath } from '../command-name.ts';
import type { Context } from '../context.ts';
import { table } from '../output/table.ts';
import { formatDuration, formatShortTime } from '../output/time.ts';
import { type HookState, type ListedHook, stateColour } from './hook-state.ts';

/** A row of the list: a hook or a subscription, its state, and its results. */
export interface HookRow {
  readonly hook: ListedHook;
  readonly state: HookState;
  /** Null if nothing was recorded. */
  readonly stats: HookStats | null;
}

const WIDE = 120;

const at = (us: number | null | undefined): string => (us == null ? '–' : formatShortTime(us / 1000));

export const hookTable = (context: Context, rows: readonly HookRow[]): string =>
  table(context, rows, [
    { title: 'EVENT', value: ({ hook }) => hook.event },
    // On a narrow terminal the source is omitted and the ID is truncated.
    { title: 'HOOK', value: ({ hook }) => hook.id, flexible: context.width < WIDE ? 'middle' : false },
    { title: 'STATUS', value: ({ state }) => state.word, colour: ({ state }) => stateColour(state) },
    { title: 'LAST RUN', value: ({ stats }) => at(stats?.lastRunUs), narrow: 'left-out' },
    {
      title: 'LAST FAILURE',
      value: ({ stats }) => at(stats?.lastFailure?.wallUs),
      colour: ({ stats }) => (stats?.lastFailure ? 'red' : undefined),
    },
    { title: 'P95', value: ({ stats }) => (stats?.p95Ms == null ? '–' : formatDuration(stats.p95Ms)), align: 'right', narrow: 'left-out' },
    { title: 'SENSITIVITY', value: ({ hook }) => hook.sensitivity ?? '–', narrow: 'left-out' },
    {
      title: 'SOURCE',
      value: ({ hook }) => (hook.builtIn ? 'built in (setting guard)' : shown(context, hook.source)),
      flexible: context.width >= WIDE ? 'middle' : false,
      narrow: 'left-out',
    },
  ]);

/** Relative to the current directory if below it, otherwise with a tilde. */
const shown = (context: Context, path: string): string =>
  path.startsWith(`${context.cwd}/`) ? path.slice(context.cwd.length + 1) : shellPath(context, path);

export const rowJson = ({ hook, state, stats }: HookRow): Readonly<Record<string, unknown>> => ({
  id: hook.id,
  name: hook.name,
  scope: hook.scope,
  event: hook.event,
  source: hook.source,
  builtIn: hook.builtIn !== undefined,
  root: hook.root,
  status: state.word,
  why: state.why,
  shadow: hook.shadow === true,
  observe: hook.observe,
  failClosed: hook.failClosed,
  may: hook.may,
  matcher: hook.matcher,
  agents: hook.targets ?? null,
  sandbox: hook.sandbox ?? null,
  sensitivity: hook.sensitivity ?? null,
  description: hook.description ?? null,
  tags: hook.tags ?? [],
  runs: stats?.runs ?? 0,
  failures: stats?.failures ?? 0,
  lastRun: stats?.lastRunUs == null ? null : new Date(stats.lastRunUs / 1000).toISOString(),
  lastFailure: stats?.lastFailure
    ? {
        event: stats.lastFailure.eventId,
        at: new Date(stats.lastFailure.wallUs / 1000).toISOString(),
        how: stats.lastFailure.failed ?? 'timeout',
        exitCode: stats.lastFailure.exitCode,
        note: stats.lastFailure.note,
      }
    : null,
  p95Ms: stats?.p95Ms ?? null,
});
