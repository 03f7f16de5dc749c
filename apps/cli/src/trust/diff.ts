import type { TreeFile } from '@piton/hooks';

export interface DiffLine {
  readonly mark: '+' | '-' | ' ';
  readonly text: string;
}

export type FileChange =
  | { readonly path: string; readonly change: 'added' | 'removed' | 'binary' | 'mode'; readonly executable: boolean }
  | { readonly path: string; readonly change: 'edited'; readonly lines: readonly DiffLine[] };

/** The table below is quadratic; a hook of this length is reviewed with other tools. */
const LONGEST = 2000;
const CONTEXT = 2;

/** What became of the files of a trusted copy. */
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
  return lines.length > LONGEST ? undefined : lines;
}

/** By the longest common subsequence: the fewest lines marked. */
export function diffLines(a: readonly string[], b: readonly string[]): DiffLine[] {
  const width = b.length + 1;
  const length = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => length[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--)
      length[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ mark: ' ', text: a[i] as string });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) lines.push({ mark: '-', text: a[i++] as string });
    else lines.push({ mark: '+', text: b[j++] as string });
  }
  return lines;
}

function nearChanges(lines: readonly DiffLine[]): DiffLine[] {
  const changed = lines.flatMap((line, at) => (line.mark === ' ' ? [] : [at]));
  return lines.filter((_, at) => changed.some((each) => Math.abs(each - at) <= CONTEXT));
}
