import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventQuery, openStore, type SearchQuery } from '../src/index.ts';
import { openSql, type Sql, type SqlValue } from '../src/sqlite/database/driver.ts';
import { loadSqlite } from '../src/sqlite/database/driver-loader.ts';
import { FIRST_SINCE } from '../src/sqlite/listing.ts';
import { eventsStatement, queryEvents } from '../src/sqlite/query.ts';
import { answerFilter, LIMITS } from '../src/sqlite/search/filters.ts';
import { eventsIn, isOneRepository, placeOf } from '../src/sqlite/search/places.ts';
import { searchStatement } from '../src/sqlite/search/search.ts';
import { countChildren, queryHookTimes, querySessions } from '../src/sqlite/sessions/session-query.ts';
import { querySums, queryUsageSums } from '../src/sqlite/sums.ts';
import { readSizes } from '../src/sqlite/upkeep.ts';
import { BASE_MS, DENIED, event } from './records.ts';

/** A listing of a million events must end with the last row of its page: it reads an index in the order of the page. */
let directory: string;
let sql: Sql;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'piton-plans-'));
  const file = join(directory, 'piton.db');
  const opened = await openStore({ kind: 'sqlite', file });
  if (!opened.ok) throw new Error(opened.error);
  await opened.store.record([
    event(1, { event: 'pre_tool_use', tool: { command: 'ls' }, outcome: DENIED, repo: '/repo', branch: 'main' }),
    event(2, { event: 'notification', cwd: '/elsewhere', session: 'ref-2' }),
  ]);
  // More than are looked up one by one.
  const many = Array.from({ length: 1100 }, (_, n) => {
    const tool = { command: 'ls', files: ['/repo/src/knot.ts'] };
    return event(n + 3, { event: 'pre_tool_use', tool, repo: '/repo', branch: 'main', session: 'ref-1' });
  });
  await opened.store.record(many);
  while ((await opened.store.indexPending(5000)).left > 0);
  await opened.store.close();
  sql = openSql(await loadSqlite(), file, true);
});
afterAll(() => {
  sql.close();
  rmSync(directory, { recursive: true, force: true });
});

const plan = (query: EventQuery): string => {
  const statement = eventsStatement(sql, query);
  if (statement === undefined) throw new Error('nothing can match');
  return sql
    .all(`EXPLAIN QUERY PLAN ${statement.text}`, ...statement.values)
    .map(({ detail }) => detail as string)
    .join('\n');
};

it('what status counts is read from indices, not from the rows of events', () => {
  const asked: string[] = [];
  const get: Sql['get'] = (text, ...values) => {
    asked.push(text);
    return sql.get(text, ...values);
  };
  expect(readSizes({ ...sql, get })).toEqual({ events: 1102, sessions: 2 });
  const plans = asked.flatMap((text) => sql.all(`EXPLAIN QUERY PLAN ${text}`).map(({ detail }) => detail as string));
  expect(plans).toHaveLength(2);
  for (const detail of plans) expect(detail).toMatch(/USING COVERING INDEX/);
});

describe('a listing of events', () => {
  it.each<[string, EventQuery, string]>([
    ['a generic event', { event: 'notification' }, 'events_by_name'],
    ['an event of a kind', { event: 'pre_shell_execution' }, 'events_by_kind_name'],
    ['an agent', { agent: 'claude' }, 'events_by_agent'],
    ['a session', { session: 'ref-1' }, 'events_by_session'],
    ['what was denied', { denied: true }, 'decisions_by_name'],
    ['a repository', { path: '/repo' }, 'events_by_repo'],
    ['another directory', { path: '/elsewhere' }, 'events_by_session'],
  ])('by %s reads its index and sorts nothing', (_, query, index) => {
    for (const more of [{}, { canary: false, derived: false }, { since: BASE_MS * 1000 }]) {
      const text = plan({ ...query, ...more, limit: 30 });
      expect(text).toContain(index);
      expect(text).not.toContain('TEMP B-TREE FOR ORDER BY');
      expect(text).not.toMatch(/^SCAN e\b/m);
    }
  });

  it('of everything, or since a time, reads from the end and sorts nothing', () => {
    for (const query of [{}, { canary: false, derived: false }, { since: BASE_MS * 1000 }, { since: BASE_MS * 1000, before: 2 }])
      expect(plan({ ...query, limit: 30 })).not.toContain('TEMP B-TREE FOR ORDER BY');
    expect(plan({ since: BASE_MS * 1000, limit: 30 })).toMatch(/SEARCH e USING INTEGER PRIMARY KEY \(rowid>\?\)/);
  });
});

it('the first event since a time is found by the index of times alone', () => {
  const [step] = sql.all(`EXPLAIN QUERY PLAN ${FIRST_SINCE}`, BASE_MS * 1000);
  expect(step?.detail).toMatch(/SEARCH events USING COVERING INDEX events_by_time \(wall_us>\?\)/);
});

describe('a search for a word that is everywhere', () => {
  const steps = (query: SearchQuery): string[] => {
    const statement = searchStatement(sql, 'ls', query);
    if (statement === undefined) throw new Error('nothing can match');
    return sql.all(`EXPLAIN QUERY PLAN ${statement.text}`, ...statement.values).map(({ detail }) => detail as string);
  };
  // Without that, every event with the word is read to see whose it is.
  it.each<[string, SearchQuery, string]>([
    ['an agent', { agent: 'claude' }, 'events_by_agent (agent=?)'],
    ['a session', { session: 'ref-1' }, 'events_by_session (session_id=?)'],
    ['a repository', { path: '/repo' }, 'events_by_repo (repo=?)'],
    ['a branch', { branch: 'main' }, 'events_by_branch (branch=?)'],
  ])('takes the events of %s from their index', (_, query, index) =>
    expect(steps(query).join('\n')).toContain(`USING COVERING INDEX ${index}`),
  );

  it('looks only among the first and the last event of a branch', () => {
    expect(steps({ branch: 'main' })[0]).toMatch(/VIRTUAL TABLE INDEX .*[<>].*[<>]/);
    expect(searchStatement(sql, 'ls', { branch: 'none' })).toBeUndefined();
  });

  it('takes the events of a directory from indices, whether or not it is a repository', () => {
    const place = placeOf('/elsewhere');
    const asked: [string, readonly SqlValue[]][] = [[eventsIn(place).text, eventsIn(place).values]];
    const get: Sql['get'] = (text, ...values) => {
      asked.push([text, values]);
      return sql.get(text, ...values);
    };
    expect(['/repo', '/elsewhere', '/'].map((path) => isOneRepository({ ...sql, get }, placeOf(path)))).toEqual([true, false, false]);
    expect(asked.length).toBeGreaterThan(4);
    const plans = asked.flatMap(([text, values]) => sql.all(`EXPLAIN QUERY PLAN ${text}`, ...values).map(({ detail }) => detail as string));
    const steps = plans.filter((detail) => /events/.test(detail));
    for (const detail of steps)
      expect(detail).toMatch(/SEARCH events USING COVERING INDEX events_(?:by_repo|in_directories) \((?:repo|project_path)[=>]/);
    expect(steps.join('\n')).toContain('events_in_directories (project_path>? AND project_path<?)');
  });

  it('reads of sessions only their index to know whose answers are in a place', () => {
    const plans: string[] = [];
    const explained =
      (kind: 'get' | 'all') =>
      (text: string, ...values: SqlValue[]) => {
        plans.push(...sql.all(`EXPLAIN QUERY PLAN ${text}`, ...values).map(({ detail }) => detail as string));
        return sql[kind](text, ...values) as never;
      };
    answerFilter({ ...sql, get: explained('get'), all: explained('all') }, { path: '/repo' }, LIMITS);
    expect(plans.filter((detail) => /\be\b/.test(detail))).toEqual([
      expect.stringMatching(/^SCAN e USING COVERING INDEX sessions_by_place/),
    ]);
  });

  it('takes the events that name a file from the index of paths', () => {
    expect(steps({ file: 'src/knot.ts' }).join('\n')).toMatch(/SCAN search VIRTUAL TABLE INDEX[\s\S]*SCAN search VIRTUAL TABLE INDEX/);
  });

  it('begins at the first event since a time', () => {
    // FTS5 shows what it was given: a match, and a smallest rowid.
    expect(steps({ since: BASE_MS * 1000 })[0]).toMatch(/VIRTUAL TABLE INDEX .*>/);
    expect(steps({})[0]).not.toMatch(/VIRTUAL TABLE INDEX .*>/);
  });
});

describe('a new number in the sequence of changes', () => {
  const triggers = ['events', 'sessions', 'observations', 'own_events', 'pushes', 'transcripts'].flatMap((table) => [
    [table, `${table}_are_numbered`],
    [table, `${table}_are_numbered_again`],
  ]);

  it.each(triggers)('is found by an index, as many as there are: %s, %s', (table, trigger) => {
    const text = sql.get('SELECT sql FROM sqlite_master WHERE name = ?', trigger as string)?.sql as string;
    const condition = /DELETE FROM changes WHERE ([^;]+);/.exec(text)?.[1] as string;
    // SQLite shows no plan of a trigger: a row of the table stands for its new one.
    const qualified = condition.replace('NEW.', 't.').replace('kind', 'changes.kind').replace('AND ref', 'AND changes.ref');
    const join = `SELECT 1 FROM ${table} t CROSS JOIN changes WHERE ${qualified}`;
    const steps = sql.all(`EXPLAIN QUERY PLAN ${join}`).map(({ detail }) => detail as string);
    expect(steps.at(-1)).toContain('(kind=? AND ref=?)');
  });
});

describe('what the page asks', () => {
  const idOf = (ref: string): string => sql.get('SELECT id FROM sessions WHERE provider_ref = ?', ref)?.id as string;

  /** Every statement that was asked, with how it is carried out. */
  const plansOf = (ask: (recording: Sql) => unknown): string[] => {
    const plans: string[] = [];
    const explain = (text: string, values: readonly SqlValue[]): void =>
      void plans.push(
        sql
          .all(`EXPLAIN QUERY PLAN ${text}`, ...values)
          .map(({ detail }) => detail as string)
          .join('\n'),
      );
    const recording: Sql = {
      ...sql,
      all: (text, ...values) => {
        explain(text, values);
        return sql.all(text, ...values);
      },
      get: (text, ...values) => {
        explain(text, values);
        return sql.get(text, ...values);
      },
    };
    ask(recording);
    return plans;
  };

  it.each<[string, (recording: Sql) => unknown]>([
    ['sums', (recording) => querySums(recording, { sinceUs: 0 })],
    ['tokens of sessions', (recording) => queryUsageSums(recording, ['a', 'b'])],
    ['sessions at work', (recording) => querySessions(recording, { phase: 'active' })],
    ['sessions that nothing started', (recording) => querySessions(recording, { parent: null })],
    ['sessions below one', (recording) => querySessions(recording, { parent: 'a' })],
    ['how many are below', (recording) => countChildren(recording, ['a', 'b'])],
    ['the events of a session, by its id', (recording) => queryEvents(recording, { session: idOf('ref-1') })],
    ['times of hooks', (recording) => queryHookTimes(recording, 'a')],
  ])('%s reads no large table from end to end', (_, ask) => {
    const plans = plansOf(ask);
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans)
      expect(plan).not.toMatch(/SCAN (?:e|l|r|t|s|events|ledger|transcript_entries|hook_runs|decisions|sessions)\b(?! USING)/);
  });

  it.each<[string, string, (recording: Sql) => unknown]>([
    ['sessions at work', 'sessions_by_phase', (recording) => querySessions(recording, { phase: 'active' })],
    ['sessions that nothing started', 'sessions_at_top', (recording) => querySessions(recording, { parent: null })],
    ['sessions below one', 'sessions_by_parent', (recording) => querySessions(recording, { parent: 'a' })],
    ['how many are below', 'sessions_by_parent', (recording) => countChildren(recording, ['a', 'b'])],
    ['a quarter of an hour', 'events_by_time', (recording) => querySums(recording, { sinceUs: 0 })],
    ['files of a quarter of an hour', 'ledger_files_by_time', (recording) => querySums(recording, { sinceUs: 0 })],
  ])('%s are found by %s', (_, index, ask) => {
    expect(plansOf(ask).join('\n')).toContain(index);
  });
});
