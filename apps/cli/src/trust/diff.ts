import type { TreeFile } from '@piton/hooks';
import { diffArrays } from 'diff';
import { contentOf } from './file-content.ts';

export interface DiffLine {
  readonly mark: '+' | '-' | ' ';
  readonly text: string;
}

export type FileChange =
  | { readonly path: string; readonly change: 'added' | 'removed' | 'binary' | 'mode'; readonly executable: boolean }
  | { readonly path: string; readonly change: 'edited'; readonly lines: readonly DiffLine[] };

/** Beyond this the search takes long and finds little in common. */
const MAX_EDITS = 1000;
const CONTEXT = 2;

/** How the files differ from those of a trusted copy. */
export function changesOf(old: readonly TreeFile[], now: readonly TreeFile[]): FileChange[] {
  const before = new Map(old.map((file) => [file.path, file]));
  const after = new Map(now.map((file) => [file.path, file]));
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path): FileChange[] => {
    const [was, is] = [before.get(path), after.get(path)];
    if (!was) return [{ path, change: 'added', executable: is?.executable ?? false }];
    if (!is) return [{ path, change: 'removed', executable: was.executable }];
    const mode: FileChange[] = was.executable === is.executable ? [] : [{ path, change: 'mode', executable: is.executable }];
    if (was.bytes.equals(is.bytes)) return mode;
    const [a, b] = [contentOf(was), contentOf(is)];
    if (a.kind === 'binary' || b.kind === 'binary') return [{ path, change: 'binary', executable: is.executable }];
    return [...mode, { path, change: 'edited', lines: nearChanges(diffLines(a.lines, b.lines)) }];
  });
}

/** As few marked lines as possible, or all of them if there is little in common. */
export function diffLines(a: readonly string[], b: readonly string[]): DiffLine[] {
  const changes = diffArrays([...a], [...b], { maxEditLength: MAX_EDITS });
  if (!changes) return [...marked('-', a), ...marked('+', b)];
  return changes.flatMap(({ added, removed, value }) => marked(added ? '+' : removed ? '-' : ' ', value));
}

const marked = (mark: DiffLine['mark'], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ mark, text }));

function nearChanges(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Set<number>();
  for (const [at, { mark }] of lines.entries()) if (mark !== ' ') for (let by = -CONTEXT; by <= CONTEXT; by++) near.add(at + by);
  return lines.filter((_, at) => near.has(at));
}
