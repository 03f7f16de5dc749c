import type { FileCall, JsonObject, Tool } from '@piton/contracts';

/** What an edit says that it makes of a file: its content, or texts and what is put in their place. */
export type Announced = { readonly content: string } | { readonly edits: readonly Replacement[] };

interface Replacement {
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

/** It goes to another thread with each edit, and is needed of few. */
const MOST_ANNOUNCED = 1024 * 1024;

/** By the name that the call gives each file; of a file about which it says nothing that can be worked out there is nothing. */
export function announcedBy({ name, files, input, calls }: Pick<Tool, 'name' | 'files' | 'input' | 'calls'>): Map<string, Announced> {
  const single: readonly FileCall[] = files.length === 1 ? [{ file: files[0] ?? '', name, input }] : [];
  const found = new Map<string, Announced>();
  let left = MOST_ANNOUNCED;
  for (const call of calls ?? single) {
    const announced = inputOf(call.input);
    left -= announced === null ? 0 : lengthOf(announced);
    if (announced !== null && left >= 0) found.set(call.file, announced);
  }
  return found;
}

function inputOf(input: JsonObject): Announced | null {
  const { content, edits } = input;
  if (typeof content === 'string' && input['old_string'] === undefined && edits === undefined) return { content };
  const all = Array.isArray(edits) ? edits.map(replacementOf) : [replacementOf(input)];
  return all.every((one) => one !== null) ? { edits: all } : null;
}

function replacementOf(edit: unknown): Replacement | null {
  const { old_string: from, new_string: to, replace_all: all } = (typeof edit === 'object' && edit !== null ? edit : {}) as JsonObject;
  // Where an empty text stands nobody can tell.
  return typeof from === 'string' && from !== '' && typeof to === 'string' ? { from, to, all: all === true } : null;
}

const lengthOf = (announced: Announced): number =>
  'content' in announced ? announced.content.length : announced.edits.reduce((sum, { from, to }) => sum + from.length + to.length, 0);

/** What becomes of these bytes; null where that cannot be told, because a text is not there, or more than once. */
export function madeOf(announced: Announced, before: Uint8Array | null): Buffer | null {
  if ('content' in announced) return Buffer.from(announced.content);
  // One character a byte: what is not UTF-8 stays what it is.
  const raw = (text: string): string => Buffer.from(text).toString('latin1');
  let text = before === null ? null : Buffer.from(before).toString('latin1');
  for (const { from, to, all } of announced.edits) text = text === null ? null : replaced(text, { from: raw(from), to: raw(to), all });
  return text === null ? null : Buffer.from(text, 'latin1');
}

function replaced(text: string, { from, to, all }: Replacement): string | null {
  const parts = text.split(from);
  return parts.length === 2 || (all && parts.length > 2) ? parts.join(to) : null;
}
