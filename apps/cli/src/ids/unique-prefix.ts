/** Fewer characters of a ULID are a time that is too coarse: it would be ambiguous a minute later. */
const SHORTEST = 8;

/** For each id of a list, the shortest prefix that no other of them has. */
export function shortIdsOf(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)].sort();
  return new Map(
    sorted.map((id, at) => {
      const shared = Math.max(sharedLength(id, sorted[at - 1] ?? ''), sharedLength(id, sorted[at + 1] ?? ''));
      return [id, id.slice(0, Math.max(SHORTEST, shared + 1))];
    }),
  );
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
