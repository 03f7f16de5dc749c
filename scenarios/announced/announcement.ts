import type { Difference } from './snapshot.ts';

/** A change as `--dry-run --json` lists it. */
export interface Announced {
  readonly action: 'create' | 'change' | 'remove';
  readonly path: string;
  readonly whole?: boolean;
  readonly diff?: string;
  readonly mode?: string;
  readonly aside?: string;
  readonly refs?: number;
}

const isBelow = (path: string, directory: string): boolean => path === directory || path.startsWith(`${directory}/`);

/** What changed without a word, what was named and did not change, and what changed otherwise than was said. Empty if all is as announced. */
export function broken(announced: readonly Announced[], found: readonly Difference[], refs: readonly string[]): string[] {
  const exact = announced.filter(({ whole, refs: some }) => !whole && some === undefined);
  return [
    ...found.flatMap((each) => unannounced(announced, each)),
    ...exact.filter(({ path }) => !found.some((each) => each.path === path)).map(({ path }) => `announced, and unchanged: ${path}`),
    ...exact.flatMap((change) => found.filter(({ path }) => path === change.path).flatMap((each) => differs(change, each))),
    ...refs
      .filter((ref) => !announced.some(({ path, refs: some }) => some !== undefined && isBelow(ref, path)))
      .map((ref) => `a ref, unannounced: ${ref}`),
  ];
}

function unannounced(announced: readonly Announced[], { path, before, after }: Difference): string[] {
  if (announced.some((change) => change.path === path || change.aside === path)) return [];
  if (announced.some(({ path: place, whole }) => whole && isBelow(path, place))) return [];
  // A directory comes with the first file in it, and goes with the last.
  const isDirectory = (before ?? after)?.kind === 'directory' && (before === undefined || after === undefined);
  if (isDirectory && announced.some((change) => isBelow(change.path, path))) return [];
  return [`unannounced: ${path} ${JSON.stringify(before)?.slice(0, 80)} → ${JSON.stringify(after)?.slice(0, 80)}`];
}

function differs(change: Announced, { path, before, after }: Difference): string[] {
  const action = before === undefined ? 'create' : after === undefined ? 'remove' : 'change';
  const mode = after && after.kind !== 'link' ? after.mode : undefined;
  const expectedMode = change.mode ?? (before && before.kind !== 'link' ? before.mode : mode);
  return [
    ...(action === change.action ? [] : [`${path}: announced as ${change.action}, it is ${action}`]),
    ...(mode === undefined || mode === expectedMode ? [] : [`${path}: mode ${mode}, announced ${expectedMode}`]),
    ...(change.diff === undefined || bytesAs(change.diff, before) === textOf(after) ? [] : [`${path}: not the bytes of the diff`]),
  ];
}

const textOf = (entry: Difference['after']): string => (entry?.kind === 'file' ? Buffer.from(entry.text, 'latin1').toString('utf8') : '');

/** What `patch` would make of it; false where a line is not as the diff says. */
function bytesAs(diff: string, before: Difference['before']): string | false {
  const old = textOf(before).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const made: string[] = [];
  let at = 0;
  for (const hunk of diff.split(/^(?=@@ )/m).slice(1)) {
    const [head = '', ...lines] = hunk.match(/[^\n]*\n/g) ?? [];
    const [, start, count] = /^@@ -(\d+)(?:,(\d+))? /.exec(head) ?? [];
    const from = Number(count ?? 1) === 0 ? Number(start) : Number(start) - 1;
    made.push(...old.slice(at, from));
    at = from;
    for (const [index, line] of lines.entries()) {
      const isLast = lines[index + 1]?.startsWith('\\') === true;
      const text = isLast ? line.slice(1, -1) : line.slice(1);
      if (line.startsWith('+')) made.push(text);
      else if (line.startsWith('-') || line.startsWith(' ')) {
        if (old[at] !== text) return false;
        if (line.startsWith(' ')) made.push(text);
        at += 1;
      }
    }
  }
  return [...made, ...old.slice(at)].join('');
}
