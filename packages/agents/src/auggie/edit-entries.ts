import type { JsonObject } from '@piton/contracts';
import { isObject } from '../shared/json-fields.ts';
import type { ToolTranslation } from '../shared/tool-translation.ts';

const NAMES: readonly (readonly [string, string])[] = [
  ['old_str', 'old_string'],
  ['new_str', 'new_string'],
];

const renamed = (input: JsonObject, from: 0 | 1): JsonObject =>
  Object.fromEntries(
    Object.entries(input).map(([key, value]) => [NAMES.find((pair) => pair[from] === key)?.[from === 0 ? 1 : 0] ?? key, value]),
  );

/** What one entry holds, beside the texts: the lines between which it looks, or behind which it puts. */
const OF_AN_ENTRY = /^(?:(?:old|new)_str(?:ing)?|insert_line|old_str_(?:start|end)_line_number)$/;
/** Where the schema has no lists, the number of the entry stands behind the name of the field. */
const NUMBERED = /^(.+?)_(\d+)$/;

const LISTS = ['str_replace_entries', 'insert_line_entries'] as const;
const entriesIn = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : []);

/** The entries of an edit, and the rest of its input. */
function parted(input: JsonObject): { readonly entries: readonly JsonObject[]; readonly rest: JsonObject } {
  const list = LISTS.find((name) => entriesIn(input[name]).length > 0);
  if (list !== undefined) {
    const { [list]: entries, ...rest } = input;
    return { entries: entriesIn(entries), rest };
  }
  const numbered = new Map<string, JsonObject>();
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(input)) {
    const [, name = key, number = ''] = NUMBERED.exec(key) ?? [];
    if (OF_AN_ENTRY.test(name)) numbered.set(number, { ...numbered.get(number), [name]: value });
    else rest[key] = value;
  }
  return { entries: [...numbered.values()], rest };
}

/** Edits of one file: a single one as Claude Code's `Edit`, several as its `MultiEdit`. What is put behind a line replaces nothing. */
export const EDITS: NonNullable<ToolTranslation['reshape']> = {
  toPortable(input) {
    const { entries, rest } = parted(input);
    const edits: JsonObject[] = entries.map((entry) => ({ old_string: '', ...renamed(entry, 0) }));
    const [only] = edits;
    if (only === undefined) return rest;
    return edits.length === 1 ? { ...rest, ...only } : { ...rest, edits };
  },
  toNative({ edits, ...input }) {
    const { entries, rest } = Array.isArray(edits) ? { entries: entriesIn(edits), rest: input } : parted(renamed(input, 1));
    const inserts = rest.command === 'insert';
    const natives = entries.map((entry): JsonObject => {
      const { old_str: before, ...native } = renamed(entry, 1);
      return inserts ? native : { old_str: before, ...native };
    });
    return { ...rest, [inserts ? 'insert_line_entries' : 'str_replace_entries']: natives };
  },
};
