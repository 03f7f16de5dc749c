import type { LedgerEntry, LedgerRow, SessionDetail, Store } from '@piton/store';
import { type OpenTodo, openTodos } from '../ledger/todos.ts';

type Of<Kind extends LedgerEntry['kind']> = Omit<Extract<LedgerEntry, { kind: Kind }>, 'kind'> & { readonly eventId: string };
export type CommandFact = Of<'command'>;

/** What another session needs to continue: facts with the events that they follow from. What is empty is left out. All texts are data. */
export interface Handoff {
  /** The session's id in the store, and the agent's own. */
  readonly session: string;
  readonly ref: string;
  readonly agent: string;
  readonly projectPath: string;
  readonly repo?: string;
  readonly branch?: string;
  readonly startedUs: number;
  readonly lastUs: number;
  /** How it ended; left out while it is open. */
  readonly ended?: string;
  /** The latest prompt. */
  readonly goal?: { readonly text: string; readonly eventId: string };
  /** Newest first, each file once. */
  readonly files?: readonly (Of<'file'> & { readonly times: number })[];
  /** The latest run of each command, newest first. */
  readonly commands?: readonly CommandFact[];
  /** Those that ran tests. */
  readonly tests?: readonly CommandFact[];
  readonly commits?: readonly Of<'commit'>[];
  readonly denials?: readonly Of<'denial'>[];
  readonly choices?: readonly Of<'choice'>[];
  /** Open to-dos, in the order of the list. */
  readonly todos?: readonly OpenTodo[];
  /** The first open to-do, or the end of the last answer. */
  readonly next?: { readonly text: string; readonly from: 'todo' | 'answer'; readonly eventId: string };
  /** Why the last turn could not be finished. */
  readonly failure?: Of<'failure'>;
}

/** Far more than any text takes, and few enough to read at once. */
const MOST_ROWS = 2000;

/** The handoff of a session as it is now, made from its ledger: also after a crash, and where bodies have expired. By any id of the session. */
export async function readHandoff(store: Pick<Store, 'session' | 'ledger'>, ref: string): Promise<Handoff | null> {
  const found = await store.session(ref);
  if (found.found !== 'one') return null;
  return handoffOf(found.value, await store.ledger({ session: found.value.id, limit: MOST_ROWS }));
}

/** `rows`: newest first. */
export function handoffOf(session: SessionDetail, rows: readonly LedgerRow[]): Handoff {
  const turn = session.turnList.findLast(({ prompt }) => prompt !== null && prompt.trim() !== '');
  const commands = latestCommands(rows);
  const todos = openTodos(rows);
  const answer = rows.find((row) => row.kind === 'answer');
  const failure = failureAtTheEnd(rows);
  const { repo, branch, endReason, endedUs } = session;
  return withoutEmpty({
    session: session.id,
    ref: session.providerRef,
    agent: session.agent,
    projectPath: session.projectPath,
    repo: repo ?? undefined,
    branch: branch ?? undefined,
    startedUs: session.startedUs,
    lastUs: session.lastUs,
    ended: endedUs === null ? undefined : (endReason ?? 'end'),
    goal: turn === undefined ? undefined : { text: turn.prompt ?? '', eventId: turn.id },
    files: filesIn(rows),
    commands,
    tests: commands.filter(({ purpose }) => purpose === 'test'),
    commits: rows.flatMap((row) => (row.kind === 'commit' ? [factOf(row)] : [])),
    denials: rows.flatMap((row) => (row.kind === 'denial' ? [factOf(row)] : [])),
    choices: rows.flatMap((row) => (row.kind === 'choice' ? [factOf(row)] : [])),
    todos,
    next: nextOf(todos, answer),
    failure: failure && factOf(failure),
  });
}

function nextOf(todos: readonly OpenTodo[], answer: (LedgerRow & { kind: 'answer' }) | undefined): Handoff['next'] {
  const [todo] = todos;
  if (todo !== undefined) return { text: todo.text, from: 'todo', eventId: todo.eventId };
  return answer && { text: answer.text, from: 'answer', eventId: answer.eventId };
}

/** A failure that nothing came after. */
function failureAtTheEnd(rows: readonly LedgerRow[]): Extract<LedgerRow, { kind: 'failure' }> | undefined {
  const [newest] = rows;
  return newest?.kind === 'failure' ? newest : undefined;
}

function filesIn(rows: readonly LedgerRow[]): NonNullable<Handoff['files']> {
  const files = new Map<string, Of<'file'> & { readonly times: number }>();
  for (const row of rows) {
    if (row.kind !== 'file') continue;
    const known = files.get(row.path);
    files.set(row.path, known === undefined ? { ...factOf(row), times: 1 } : { ...known, times: known.times + 1 });
  }
  return [...files.values()];
}

function latestCommands(rows: readonly LedgerRow[]): CommandFact[] {
  const commands = new Map<string, CommandFact>();
  for (const row of rows) {
    if (row.kind !== 'command') continue;
    const key = `${row.cwd}\0${row.command}`;
    if (!commands.has(key)) commands.set(key, factOf(row));
  }
  return [...commands.values()];
}

/** A row as it stands in a handoff. */
function factOf<Kind extends LedgerEntry['kind']>(row: Extract<LedgerRow, { kind: Kind }>): Of<Kind> {
  const { kind: _, seq: __, session: ___, agent: ____, wallUs: _____, ...fact } = row;
  return fact as unknown as Of<Kind>;
}

type Loose = { readonly [Name in keyof Handoff]: Handoff[Name] | undefined };
const withoutEmpty = (handoff: Loose): Handoff =>
  Object.fromEntries(
    Object.entries(handoff).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  ) as unknown as Handoff;
