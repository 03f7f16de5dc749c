import type { JsonObject, Tool } from '@piton/contracts';
import type { LedgerEntry, LedgerRow, TodoItem } from '@piton/store';

const MOST = 30;
const LONGEST = 200;

/** Words of the agents for how far an item is. */
const statusOf = (word: unknown): TodoItem['status'] =>
  word === 'completed' || word === 'done' || word === 'cancelled' || word === 'deleted'
    ? 'done'
    : word === 'in_progress'
      ? 'active'
      : 'open';

/** The list after this call. Some agents send the whole list, some only the item that changed. */
export function* todosIn({ input }: Tool, response: unknown): Generator<LedgerEntry> {
  if (Array.isArray(input.todos)) {
    yield { kind: 'todos', items: input.todos.flatMap(itemOf).slice(0, MOST) };
    return;
  }
  const task = objectOf(objectOf(response).task);
  const id = textOf(task.id) ?? textOf(input.taskId);
  if (id === undefined) return;
  const text = textOf(task.subject) ?? textOf(input.subject);
  if (text === undefined && input.status === undefined) return;
  yield { kind: 'todos', partial: true, items: [{ id, text: (text ?? '').slice(0, LONGEST), status: statusOf(input.status) }] };
}

function itemOf(item: unknown): TodoItem[] {
  const fields = objectOf(item);
  const text = textOf(fields.content) ?? textOf(fields.description) ?? textOf(fields.text) ?? textOf(fields.step);
  return text === undefined ? [] : [{ text: text.slice(0, LONGEST), status: statusOf(fields.status) }];
}

export interface OpenTodo {
  readonly text: string;
  readonly status: 'open' | 'active';
  readonly eventId: string;
}

/** What is still to be done after all changes, as the list has it. */
export function openTodos(newestFirst: readonly LedgerRow[]): readonly OpenTodo[] {
  let list: (TodoItem & { readonly eventId: string })[] = [];
  for (const row of newestFirst.toReversed()) {
    if (row.kind !== 'todos') continue;
    const { eventId } = row;
    if (!row.partial) list = row.items.map((item) => ({ ...item, eventId }));
    else
      for (const item of row.items) {
        const at = list.findIndex(({ id }) => id === item.id);
        const known = list[at];
        if (known === undefined) list.push({ ...item, eventId });
        else list[at] = { ...known, ...item, text: item.text === '' ? known.text : item.text, eventId };
      }
  }
  return list.flatMap(({ text, status, eventId }) => (status === 'done' || text === '' ? [] : [{ text, status, eventId }]));
}

const objectOf = (value: unknown): JsonObject => (typeof value === 'object' && value !== null ? (value as JsonObject) : {});
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
