import { findAgent } from '@piton/agents';
import type { Checkpoint } from '@piton/checkpoints';
import { shellWord } from '@piton/contracts';
import type { PageCommand, PageList, PageSessionDetail, PageTodo, PageTurn } from '@piton/contracts/page';
import type { LedgerRow, SessionDetail, Store } from '@piton/store';
import { commandName } from '../../command-name.ts';
import { sessionCost } from '../../export/cost.ts';
import { sumTokens, usageOf } from '../../export/tokens.ts';
import { storyOf } from '../../handoff/story.ts';
import { notFound } from '../answer.ts';
import { limitIn, positionIn, positionOf } from '../query.ts';
import type { PageReader } from '../reader.ts';
import { LONG, maybeMs, maybeText, ms } from '../text.ts';
import { isWithin, type SessionView, spanOf, sumTimes, timeOf, viewOf } from './session-facts.ts';
import { sessionRows } from './session-rows.ts';

const MAX_FILES = 500;
const MAX_CHILDREN = 100;

export async function requireStore(reader: PageReader): Promise<Store> {
  const store = await reader.store();
  if (store === null) throw notFound('nothing was recorded yet');
  return store;
}

export async function answerSession(reader: PageReader, _: URLSearchParams, id: string): Promise<PageSessionDetail> {
  const store = await requireStore(reader);
  const view = await viewOf(store, id);
  const { session, transcripts } = view;
  const waits = await reader.waits(store);
  const [row] = await sessionRows(reader, store, [session], waits);
  if (row === undefined) throw notFound('no such session');
  const story = await storyOf(store, session);
  const written = await store.ledger({ session: session.id, kinds: ['file'], limit: 10_000 });
  return {
    session: row,
    usage: usageOf(transcripts),
    time: sumTimes(session.turnList.map((turn) => timeOf(view, turn))),
    todos: todosIn(await store.ledger({ session: session.id, kinds: ['todos'], limit: 200 })),
    files: filesIn(session, written),
    children: await sessionRows(reader, store, await store.sessions({ parent: session.id, limit: MAX_CHILDREN }), waits),
    story: story.length > 1 ? story.map((one) => ({ id: one.id, agent: one.agent })) : [],
    notes: notesOf(view),
    commands: sessionCommands(reader, session),
  };
}

function filesIn({ repo, projectPath }: SessionDetail, rows: readonly LedgerRow[]): string[] {
  const root = `${repo ?? projectPath}/`;
  const paths = rows.toReversed().flatMap((row) => (row.kind === 'file' ? [row.path] : []));
  return [...new Set(paths.map((path) => (path.startsWith(root) ? path.slice(root.length) : path)))].slice(0, MAX_FILES);
}

/** The last whole list, and what was changed in it since. Newest first. */
export function todosIn(rows: readonly LedgerRow[]): PageTodo[] {
  const lists = rows.flatMap((row) => (row.kind === 'todos' ? [row] : []));
  const whole = lists.findIndex(({ partial }) => partial !== true);
  const items = new Map<string, PageTodo>();
  for (const { items: changed } of lists.slice(0, whole === -1 ? undefined : whole + 1).toReversed())
    for (const { id, text, status } of changed) {
      const key = id ?? text;
      items.set(key, { text: text || (items.get(key)?.text ?? ''), status });
    }
  return [...items.values()];
}

function notesOf({ session, events, transcripts }: SessionView): string[] {
  const print = findAgent(session.agent)?.transcript?.print?.(session.providerRef);
  const none = print ? `the transcript is not a file. To print it: ${print.join(' ')}` : 'no transcript: answers and tokens are unknown';
  return [
    ...(transcripts.length === 0 ? [none] : new Set(transcripts.flatMap(({ notes }) => notes))),
    ...(transcripts.some(({ expired }) => expired) ? ['the texts of the transcript have expired'] : []),
    ...(events.some(({ expired }) => expired) ? ['inputs and outputs of tools have expired'] : []),
  ];
}

function sessionCommands({ context }: PageReader, session: SessionDetail): PageCommand[] {
  const piton = commandName(context);
  const directory = session.repo ?? session.projectPath;
  const resume = session.providerRef === '' ? undefined : findAgent(session.agent)?.resume(session.providerRef);
  return [
    ...(resume ? [{ does: 'resume', command: resume.map(shellWord).join(' '), directory: session.projectPath } as const] : []),
    { does: 'handoff', command: `${piton} handoff ${session.id}`, directory },
    { does: 'export', command: `${piton} export ${session.id}`, directory },
  ];
}

/** Of the session's repository, by the agent's id of the session; empty where git cannot say. */
export async function checkpointsOf(reader: PageReader, { repo, providerRef }: SessionDetail): Promise<readonly Checkpoint[]> {
  if (repo === null || providerRef === '') return [];
  const checkpoints = await reader.checkpoints(repo).catch(() => null);
  const all = (await checkpoints?.listAll().catch(() => [])) ?? [];
  return all.filter(({ session }) => session === providerRef);
}

export async function answerTurns(reader: PageReader, query: URLSearchParams, id: string): Promise<PageList<PageTurn>> {
  const store = await requireStore(reader);
  const view = await viewOf(store, id);
  const limit = limitIn(query);
  const last = query.get('order') === 'last';
  const ordered = last ? view.session.turnList.toReversed() : view.session.turnList;
  const [after] = positionIn(query) ?? [];
  const rest = typeof after === 'number' ? ordered.filter(({ number }) => (last ? number < after : number > after)) : ordered;
  const shown = rest.slice(0, limit);
  const checkpoints = await checkpointsOf(reader, view.session);
  const own = reader.prices();
  const formats = new Map(view.transcripts.map(({ path, format }) => [path, format]));
  const format = [...formats.values()][0] ?? '';
  return {
    items: shown.map((turn): PageTurn => {
      const span = spanOf(view, turn);
      const usage = view.entries.filter((entry) => entry.kind === 'usage' && isWithin(span, entry.ms * 1000));
      const requests = usage.flatMap(({ model, tokens }) => (tokens === null ? [] : [{ format, model, tokens }]));
      return {
        id: turn.id,
        number: turn.number,
        prompt: maybeText(turn.prompt, LONG, `event.prompt.${turn.id}`),
        startedAt: ms(turn.startedUs),
        endedAt: maybeMs(turn.endedUs),
        closed: turn.closed,
        tools: turn.tools,
        denials: turn.denials,
        failures: view.events.filter(
          ({ event, derived, wallUs }) => event === 'post_tool_use_failure' && !derived && isWithin(span, wallUs),
        ).length,
        commits: turn.commits,
        time: timeOf(view, turn),
        tokens: sumTokens(requests.map(({ tokens }) => tokens)),
        cost: sessionCost(view.session.agent, requests, own),
        checkpoints: checkpoints
          .filter((one) => (one.turn === null ? isWithin(span, one.at.getTime() * 1000) : one.turn === turn.id))
          .map((one) => one.id),
      };
    }),
    next: rest.length > limit ? positionOf(shown.at(-1)?.number ?? 0) : null,
  };
}
