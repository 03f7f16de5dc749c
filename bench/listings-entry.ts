import type { Outcome, TraceEntry } from '@piton/contracts';
import type { EventRecord, Store, TranscriptReading } from '@piton/store';
import { openSql } from '../packages/store/src/sqlite/database/driver.ts';
import { loadSqlite } from '../packages/store/src/sqlite/database/driver-loader.ts';
import { DENIED, event, OBSERVED, redactor } from '../packages/store/test/records.ts';

export { openStore } from '@piton/store';

const PER_SESSION = 50;
/** Of every so many events one is rare. */
const RARE = 50_000;
/** What a branch had that nobody works on any more. */
const OLD = 150_000;
const ANSWERS_PER_SESSION = 8;

/** What an agent answered in each session of these events, as its transcript has it. */
export async function addAnswers(store: Store, from: number, to: number): Promise<void> {
  for (let n = Math.ceil(from / PER_SESSION) * PER_SESSION; n < to; n += PER_SESSION) {
    const ref = `session-${n / PER_SESSION}`;
    const found = await store.session(ref);
    // Two agents share the name.
    const session = found.found === 'one' ? found.value.id : found.found === 'many' ? found.ids[0] : undefined;
    if (session === undefined) throw new Error(`no session ${ref}`);
    const report = await store.addTranscript({
      ...READING,
      session,
      entries: Array.from({ length: ANSWERS_PER_SESSION }, (_, at) => answer(n + at)),
    });
    if (!report.ok) throw new Error(JSON.stringify(report));
  }
}

const READING: Omit<TranscriptReading, 'session' | 'entries'> = {
  path: redactor.text('/t.jsonl'),
  agentId: null,
  format: 'some-lines',
  mark: { file: '1:1', size: 1, modifiedMs: 1, consumed: 1, tail: '', reader: 1, memory: '' },
  notes: redactor.value([]),
  redaction: redactor.version,
};

const answer = (n: number): TranscriptReading['entries'][number] => ({
  key: Buffer.from(String(n).padEnd(16)),
  entry: redactor.value({
    ...{ kind: 'answer' as const, at: null, cut: 0, model: null, name: null, useId: null, failed: null, tokens: null },
    text: `Part ${n} is done: the parser reads it now. ${'It was the lexer that lost a token. '.repeat(8)}`,
  }),
});

/** How many bytes the index of the search has, and the texts and bodies that it leads to. */
export async function sizes(file: string): Promise<{ readonly index: number; readonly bodies: number }> {
  const sql = openSql(await loadSqlite(), file, true);
  const sum = (table: string, columns: readonly string[]): number =>
    Number(
      sql.value(`SELECT sum(${columns.map((column) => `coalesce(length(CAST(${column} AS BLOB)), 0)`).join(' + ')}) FROM ${table}`) ?? 0,
    );
  try {
    const index = ['search', 'search_texts', 'search_answers'].reduce((total, name) => total + sum(`${name}_data`, ['block']), 0);
    const events = sum('events', ['prompt', 'text', 'payload', 'payload_body', 'outcome', 'outcome_body']);
    return { index, bodies: events + sum('transcript_entries', ['text']) + sum('pieces', ['data']) };
  } finally {
    sql.close();
  }
}

/** Hooks that run before each tool and say nothing: one of the person's, and one of each repository. */
export const BENCH_HOOKS = { user: 'user:pre_tool_use/10-check', project: 'project:pre_tool_use/20-rules' } as const;
const silent = (hook: string, scope: 'user' | 'project'): TraceEntry => ({
  ...{
    hook,
    scope,
    event: 'pre_tool_use',
    did: 'ran',
    exitCode: 0,
    durationMs: 2.5,
    said: { decision: 'observe' },
    stdout: '',
    stderr: '',
  },
});
const SILENT: Outcome = {
  ...OBSERVED,
  trace: [silent(BENCH_HOOKS.user, 'user'), silent(BENCH_HOOKS.project, 'project')],
};

/** The n-th event of a store that an eager person has: sessions of fifty events, mostly tools, a few denials, long texts now and then. */
export function record(n: number): EventRecord {
  const session = `session-${Math.floor(n / PER_SESSION)}`;
  const cwd = `/code/repository-${n % 7}`;
  const branch = n % RARE < 2 ? 'rare' : n < OLD ? 'old' : 'main';
  const base = { session, cwd, repo: cwd, agent: n % 5 === 0 ? 'codex' : 'claude', branch };
  const at = n % PER_SESSION;
  if (n % RARE === RARE - 1) return event(n, { ...base, event: 'pre_compact', source: 'manual' });
  if (n % RARE === RARE - 2)
    return event(n, { ...base, event: 'pre_tool_use', tool: { name: 'mcp__wiki__read', nativeName: 'mcp__wiki__read', kind: 'mcp' } });
  if (at === 0)
    return event(n, {
      ...base,
      event: 'user_prompt_submit',
      prompt: `Change the parser, part ${n}. ${'word '.repeat(n % 1000 === 0 ? 16_000 : 20)}`,
    });
  if (at === PER_SESSION - 1) return event(n, { ...base, event: 'stop', text: 'All of it is done. '.repeat(10) });
  const tool = { useId: `call-${n - (n % 2)}`, command: `npm test -- --only part-${n - (n % 2)}`, files: [`${cwd}/src/part-${n}.ts`] };
  const payload = { session_id: session, tool_input: { command: tool.command }, output: 'x'.repeat(1500) };
  const outcome = n % 400 === 2 ? DENIED : n % 2 === 0 ? SILENT : OBSERVED;
  return event(n, { ...base, event: n % 2 === 0 ? 'pre_tool_use' : 'post_tool_use', tool, payload, outcome });
}

/** One that comes while somebody looks: each is another command. */
export const liveRecord = (n: number, command: string): EventRecord =>
  event(n, {
    event: 'pre_tool_use',
    session: `session-live-${n % 5}`,
    cwd: '/code/repository-1',
    repo: '/code/repository-1',
    tool: { command },
  });
