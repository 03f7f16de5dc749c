/** One thing to choose, with what is known of it. */
export interface Item<Id extends string = string> {
  readonly id: Id;
  readonly title: string;
  readonly detail: string;
  readonly picked: boolean;
}

export interface Selection<Id extends string = string> {
  readonly items: readonly Item<Id>[];
  /** The item that the keys act on. */
  readonly at: number;
}

export type Key = 'up' | 'down' | 'toggle' | 'all';

/** The end of the list is followed by its beginning. */
export function press<Id extends string>({ items, at }: Selection<Id>, key: Key): Selection<Id> {
  const count = items.length;
  switch (key) {
    case 'up':
      return { items, at: (at + count - 1) % count };
    case 'down':
      return { items, at: (at + 1) % count };
    case 'toggle':
      return { items: items.map((item, index) => (index === at ? { ...item, picked: !item.picked } : item)), at };
    case 'all': {
      const picked = !items.every((item) => item.picked);
      return { items: items.map((item) => ({ ...item, picked })), at };
    }
  }
}

/** What a line of numbers and names picks: `1,3`, `1 3`, `codex`, `all`, `none`. An empty line picks what is marked. */
export function parsePicks<Id extends string>(
  items: readonly Item<Id>[],
  line: string,
): { readonly picked: readonly Id[] } | { readonly unknown: string } {
  const words = line.split(/[\s,]+/).filter(Boolean);
  if (words.length === 0) return { picked: items.filter((item) => item.picked).map(({ id }) => id) };
  if (words.length === 1 && /^all$/i.test(words[0] as string)) return { picked: items.map(({ id }) => id) };
  if (words.length === 1 && /^none$/i.test(words[0] as string)) return { picked: [] };
  const found = words.map((word) => items[/^\d+$/.test(word) ? Number(word) - 1 : items.findIndex(({ id }) => id === word.toLowerCase())]);
  const missing = found.indexOf(undefined);
  if (missing >= 0) return { unknown: words[missing] as string };
  const ids = new Set(found.map((item) => (item as Item<Id>).id));
  return { picked: items.filter(({ id }) => ids.has(id)).map(({ id }) => id) };
}
