/** For so many wrong names of one hook the right ones are looked for: an agent may wait, and a repository may hold any number. */
export const MOST_HINTS = 20;

/** The known name that was probably meant, or undefined. */
export function nearestName(text: string, known: readonly string[]): string | undefined {
  const wanted = plain(text);
  let best: string | undefined;
  let most = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const name of known) {
    const other = plainNames.get(name) ?? plain(name);
    plainNames.set(name, other);
    if (Math.abs(other.length - wanted.length) >= most) continue;
    const distance = editDistance(wanted, other);
    if (distance < most) [best, most] = [name, distance];
  }
  return best;
}

/** Of names that are known: these are few. */
const plainNames = new Map<string, string>();

/** `PreToolUse`, `pre tool use` and `pre_tool_use` are the same words. */
const plain = (text: string): string =>
  text
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[_\s]+/g, '-')
    .slice(0, 64);

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
