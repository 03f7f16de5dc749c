import { existsSync } from 'node:fs';
import type { DecisionName } from '@piton/contracts';
import { shellWord } from '@piton/contracts';
import type { PageBacktest, PageCommand, PageHook, PageHookRun, PageList, PageShadow } from '@piton/contracts/page';
import type { HookRef, RecordedRun, Store } from '@piton/store';
import { commandName } from '../../command-name.ts';
import { readBacktest } from '../../hook-tests/backtest/kept-backtest.ts';
import { openCallResults } from '../../hook-tests/call-results.ts';
import { type ListedHook, stateOf } from '../../hooks/hook-state.ts';
import { hooksHere } from '../../hooks/in-force.ts';
import { type UnheardBy, unheardHere } from '../../hooks/unheard.ts';
import { detectAgents } from '../../install/detect.ts';
import { userHome } from '../../locations.ts';
import { limitIn, positionIn, positionOf, requiredIn } from '../query.ts';
import type { PageReader } from '../reader.ts';
import { maybeMs, maybeText, ms } from '../text.ts';
import { whatOf } from './event-rows.ts';
import { detailOf } from './items.ts';
import { requireStore } from './session.ts';

const DAYS_US = 30 * 86_400_000_000;
const OUTPUT = 2000;
/** Their output is read from the trace of their events. */
const WITH_OUTPUT = 10;
const MAX_CALLS = 200;
/** Of a hook that runs before every call: a store of a million events has half a million of its runs. */
const LATEST = 5000;
const MAX_REPOSITORIES = 50;

/** Of one repository; or the person's, and those of the repositories in which somebody worked last. */
export async function answerHooks(reader: PageReader, query: URLSearchParams): Promise<PageList<PageHook>> {
  const { context, places } = reader;
  const repository = query.get('repository');
  const others = repository === null ? (await reader.roots()).filter((root) => existsSync(root)).slice(0, MAX_REPOSITORIES) : [];
  const here = new Set(detectAgents(userHome(context), context.env).map(({ id }) => id));
  const store = await reader.store();
  const rows = new Map<string, PageHook>();
  for (const cwd of [repository === null ? userHome(context) : await reader.root(repository), ...others]) {
    const { hooks, subscriptions } = hooksHere({ ...context, cwd }, places);
    const added = [...hooks, ...subscriptions].filter((hook) => !rows.has(keyOf(hook)));
    if (added.length === 0) continue;
    const unheard = unheardHere({ ...context, cwd });
    for (const hook of added) rows.set(keyOf(hook), await hookRow(reader, store, hook, here, unheard));
  }
  return { items: [...rows.values()], next: null };
}

const keyOf = ({ id, event, root }: ListedHook): string => JSON.stringify([id, event, root]);

async function hookRow(
  reader: PageReader,
  store: Store | null,
  hook: ListedHook,
  here: ReadonlySet<string>,
  unheard: UnheardBy,
): Promise<PageHook> {
  const { id, root } = hook;
  const [stats] = (await store?.hookStats({ hooks: [{ hook: id, root }] })) ?? [];
  const said = (await store?.hookDecisions({ hook: id, root, since: Date.now() * 1000 - DAYS_US, latest: LATEST })) ?? {};
  const state = stateOf(hook, here, unheard(hook));
  return {
    ...{ id, name: hook.name, event: hook.event, scope: hook.scope, root, source: hook.source, builtIn: hook.builtIn !== undefined },
    ...{
      description: hook.description ?? null,
      mode: hook.shadow ? 'shadow' : hook.observe ? 'observe' : 'enforce',
      policy: hook.failClosed,
    },
    ...{ matcher: hook.matcher ?? null, agents: hook.targets ?? null, state: state.word, why: state.why },
    ...{ runs: stats?.runs ?? 0, failures: stats?.failures ?? 0, said },
    ...{ p50Ms: stats?.p50Ms ?? null, p95Ms: stats?.p95Ms ?? null },
    ...{ lastAt: maybeMs(stats?.lastRunUs ?? null), lastFailureAt: maybeMs(stats?.lastFailure?.wallUs ?? null) },
    commands: hookCommands(reader, hook, state.word),
  };
}

function hookCommands({ context }: PageReader, { id, root, builtIn }: ListedHook, state: string): PageCommand[] {
  if (builtIn !== undefined) return [];
  const piton = commandName(context);
  const named = (does: PageCommand['does'], words: string): PageCommand => ({
    does,
    command: `${piton} ${words} ${shellWord(id)}`,
    directory: root,
  });
  return [
    ...(state === 'not trusted' || state === 'changed' ? [named('trust', 'trust')] : []),
    ...(state === 'shadow' ? [named('promote', 'hooks promote')] : []),
    named('test', 'hooks test'),
    named('backtest', 'hooks backtest'),
  ];
}

const refIn = (query: URLSearchParams): HookRef => ({ hook: requiredIn(query, 'hook'), root: query.get('root') || null });

/** Newest first: the calls behind each number. */
export async function answerHookRuns(reader: PageReader, query: URLSearchParams): Promise<PageList<PageHookRun>> {
  const store = await reader.store();
  const ref = refIn(query);
  if (store === null) return { items: [], next: null };
  const said = query.get('said') as DecisionName | null;
  const limit = limitIn(query);
  const [given] = positionIn(query) ?? [];
  const skip = typeof given === 'number' ? given : 0;
  const found = await store.hookRuns({
    ...{ ...ref, latest: LATEST, page: { skip, limit: limit + 1 } },
    ...(said !== null && { said }),
    ...(query.has('failed') && { failed: true }),
  });
  return { items: await runRows(store, found.slice(0, limit)), next: found.length > limit ? positionOf(skip + limit) : null };
}

async function runRows(store: Store, runs: readonly RecordedRun[]): Promise<PageHookRun[]> {
  const events = new Map(
    (await store.events({ ids: runs.map(({ eventId }) => eventId), limit: runs.length })).map((event) => [event.eventId, event]),
  );
  const rows: PageHookRun[] = [];
  for (const [at, run] of runs.entries()) {
    const event = events.get(run.eventId);
    const entries =
      at < WITH_OUTPUT
        ? ((await detailOf(store, run.eventId))?.outcome?.trace.filter((entry) => entry.did === 'ran' || entry.why !== 'no-match') ?? [])
        : [];
    const place = entries.findIndex((entry) => entry.did === 'ran' && entry.hook === run.hook && entry.event === run.event);
    const entry = entries[place];
    const ran = entry?.did === 'ran' ? entry : null;
    rows.push({
      ...{
        event: run.eventId,
        at: ms(run.wallUs),
        agent: run.agent,
        session: event?.session ?? null,
        what: event ? whatOf(event).slice(0, 400) : '',
      },
      ...{ said: run.said, observed: run.observed, exitCode: run.exitCode, failed: (run.timedOut ?? run.failed) as PageHookRun['failed'] },
      ...{ durationMs: run.durationMs, note: run.note },
      stdout: maybeText(ran?.stdout, OUTPUT, `trace.stdout.${run.eventId}.${place}`),
      stderr: maybeText(ran?.stderr, OUTPUT, `trace.stderr.${run.eventId}.${place}`),
    });
  }
  return rows;
}

const CHANGES: ReadonlySet<string | null> = new Set(['deny', 'ask', 'modify', 'rewrite']);
const FATES = { 'ran without harm': 'succeeded', failed: 'failed', 'did not run': 'denied', 'not known': 'unknown' } as const;

/** What a hook in shadow would have done, and how those calls went. */
export async function answerShadow(reader: PageReader, query: URLSearchParams): Promise<PageShadow> {
  const store = await requireStore(reader);
  const runs = (await store.hookRuns({ ...refIn(query), latest: LATEST })).filter(({ observed }) => observed);
  const would = runs.filter(({ said }) => CHANGES.has(said)).toReversed();
  const shown = would.slice(0, MAX_CALLS);
  const rows = await runRows(store, shown);
  const resultOf = openCallResults(store);
  const calls: PageShadow['calls'][number][] = [];
  for (const row of rows) {
    const [event] = await store.events({ ids: [row.event] });
    calls.push({ ...row, fate: event ? FATES[await resultOf(event)] : 'unknown' });
  }
  return {
    ...{ firstAt: maybeMs(runs[0]?.wallUs ?? null), lastAt: maybeMs(runs.at(-1)?.wallUs ?? null), runs: runs.length },
    failures: runs.filter(({ failed, timedOut }) => failed !== null || timedOut !== null).length,
    would: would.length,
    ofThoseSucceeded: calls.filter(({ fate }) => fate === 'succeeded').length,
    ofThoseFailed: calls.filter(({ fate }) => fate === 'failed').length,
    ...{ calls, cut: would.length - shown.length },
  };
}

/** Of the last backtest that somebody ran: the page runs nothing. */
export async function answerBacktest({ places }: PageReader, query: URLSearchParams): Promise<PageBacktest | null> {
  const { hook, root } = refIn(query);
  const kept = readBacktest(places.home, { id: hook, root });
  if (kept === undefined) return null;
  const { schema: _, calls, ...sums } = kept;
  return { ...sums, calls: calls.map((call) => ({ ...call, fate: call.fate && FATES[call.fate] })) };
}
