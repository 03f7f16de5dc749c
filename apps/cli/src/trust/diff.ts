import type { TreeFile } from '@piton/hooks';
import { diffArrays } from 'diff';

export interface DiffLine {
  readonly mark: '+' | '-' | ' ';
  readonly text: string;
}

export type FileChange =
  | { readonly path: string; readonly change: 'added' | 'removed' | 'binary' | 'mode'; readonly executable: boolean }
  | { readonly path: string; readonly change: 'edited'; readonly lines: readonly DiffLine[] };

/** A longer hook is reviewed with other tools. */
const MAX_LINES = 2000;
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
    if (was.bytes.equals(is.bytes)) return was.executable === is.executable ? [] : [{ path, change: 'mode', executable: is.executable }];
    const [a, b] = [linesOf(was), linesOf(is)];
    if (!a || !b) return [{ path, change: 'binary', executable: is.executable }];
    return [{ path, change: 'edited', lines: nearChanges(diffLines(a, b)) }];
  });
}

/** The lines of a text file of reviewable length, or undefined. */
export function linesOf(file: TreeFile): string[] | undefined {
  if (file.bytes.includes(0)) return undefined;
  const lines = file.bytes.toString('utf8').replace(/\n$/, '').split('\n');
  return lines.length > MAX_LINES ? undefined : lines;
}

/** As few marked lines as possible, or all of them if there is little in common. */
export function diffLines(a: readonly string[], b: readonly string[]): DiffLine[] {
  const changes = diffArrays([...a], [...b], { maxEditLength: MAX_EDITS });
  if (!changes) return [...marked('-', a), ...marked('+', b)];
  return changes.flatMap(({ added, removed, value }) => marked(added ? '+' : removed ? '-' : ' ', value));
}

const marked = (mark: DiffLine['mark'], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ mark, text }));

function nearChanges(lines: readonly DiffLine[]): DiffLine[] {
  const changed = lines.flatMap((line, at) => (line.mark === ' ' ? [] : [at]));
  return lines.filter((_, at) => changed.some((each) => Math.abs(each - at) <= CONTEXT));
}
