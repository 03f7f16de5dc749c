/** One item of an agent's list, whatever the agent calls its parts. */
export interface Todo {
  readonly id: string;
  readonly name: string;
  readonly done: boolean;
}

/** The list after an update, and what that update completed, in the order of the list. */
export interface TodoStep {
  readonly list: readonly Todo[];
  readonly completed: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (fields: Fields, ...names: string[]): string | undefined => {
  const value = names.map((name) => fields[name]).find((one) => (typeof one === 'string' && one !== '') || typeof one === 'number');
  return value === undefined ? undefined : String(value);
};
const isDone = (status: string | undefined) => status === 'completed' || status === 'done';

/**
 * Compares what a tool was told with the list before. `input` and `response` are those of the tool, or the fields of an
 * event that names one completed item. Whole lists (`todos`, `plan`, `all_todos`) and updates of one item both count.
 */
export function todoStep(previous: readonly Todo[], input: unknown, response?: unknown): TodoStep {
  if (!isFields(input)) return { list: previous, completed: [] };
  const whole = input['todos'] ?? input['plan'] ?? input['all_todos'];
  const items = typeof whole === 'string' ? linesOf(whole) : Array.isArray(whole) ? itemsOf(whole) : null;
  if (items) return compared(previous, items);
  const one = itemOf(input, isFields(response) ? response : {});
  return one ? compared(previous, merged(previous, one)) : { list: previous, completed: [] };
}

function itemsOf(items: readonly unknown[]): Todo[] {
  return items.filter(isFields).flatMap((item) => {
    const name = textOf(item, 'content', 'step', 'description', 'title', 'subject', 'text');
    return name === undefined ? [] : [{ id: textOf(item, 'id') ?? name, name, done: isDone(textOf(item, 'status')) }];
  });
}

/** `1. [completed] Login logic`, or a Markdown list with boxes. */
function linesOf(text: string): Todo[] {
  const lines = text.matchAll(/^\s*(?:\d+[.)]|[-*])?\s*\[([^\]]*)\]\s*(.+?)\s*$/gm);
  return [...lines].map(([, status = '', name = '']) => ({ id: name, name, done: isDone(status) || status.toLowerCase() === 'x' }));
}

interface OneItem {
  readonly id: string;
  readonly name: string | undefined;
  readonly done: boolean | undefined;
}

function itemOf(input: Fields, response: Fields): OneItem | null {
  const task = isFields(response['task']) ? response['task'] : {};
  const id = textOf(input, 'taskId', 'task_id', 'todo_id') ?? textOf(task, 'id');
  if (id === undefined) return null;
  const status = textOf(input, 'status', 'todo_status');
  return { id, name: textOf(input, 'subject', 'task_subject', 'todo_content'), done: status === undefined ? undefined : isDone(status) };
}

/** An id that was never seen is a new item; a name alone changes no status. */
function merged(previous: readonly Todo[], { id, name, done }: OneItem): Todo[] {
  const before = previous.find((item) => item.id === id);
  const now = { id, name: name ?? before?.name ?? `task ${id}`, done: done ?? before?.done ?? false };
  return before ? previous.map((item) => (item.id === id ? now : item)) : [...previous, now];
}

/** By name: lists are rewritten as wholes, and ids begin at 1 again. Of two items with one name each counts. */
function compared(previous: readonly Todo[], list: readonly Todo[]): TodoStep {
  const doneBefore = new Map<string, number>();
  for (const { name, done } of previous) if (done) doneBefore.set(name, (doneBefore.get(name) ?? 0) + 1);
  const completed = list.filter(({ name, done }) => {
    const left = doneBefore.get(name) ?? 0;
    if (done && left > 0) doneBefore.set(name, left - 1);
    return done && left === 0;
  });
  return { list, completed: completed.map(({ name }) => name) };
}

/** What to call the checkpoint; null where the update completed nothing. */
export function todoName({ completed }: TodoStep): string | null {
  const last = completed.at(-1);
  return last === undefined ? null : `Completed: ${last}`;
}
