import { type Git, gitOutput } from '@piton/git';
import { pathBytes, type RawPath } from '../raw-path.ts';
import { lookUp } from '../snapshot/tree.ts';

/** Lines of a file, without their ends; a CR counts as part of the end. */
export function linesOf(bytes: Buffer): string[] {
  const text = bytes.toString('latin1');
  if (text === '') return [];
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
}

/** The ids of blobs by `<rev>:<path>`, in one process; null where there is none. */
export async function blobIds(git: Git, cwd: string, wanted: readonly (readonly [string, RawPath])[]): Promise<(string | null)[]> {
  if (wanted.length === 0) return [];
  const asked: Buffer[] = [];
  for (const [rev, path] of wanted)
    asked.push(path.includes('\n') ? await blobOf(git, cwd, rev, path) : pathBytes(`${rev}:${path}`), Buffer.from('\n'));
  const output = await gitOutput(git, ['cat-file', '--batch-check'], { cwd, input: Buffer.concat(asked) });
  const lines = output.toString('latin1').split('\n');
  return wanted.map((_, at) => /^([0-9a-f]+) blob \d+$/.exec(lines[at] ?? '')?.[1] ?? null);
}

/** Blobs by their ids, in one process; null where there is none. */
export async function blobsOf(git: Git, cwd: string, oids: readonly string[]): Promise<(Buffer | null)[]> {
  if (oids.length === 0) return [];
  const output = await gitOutput(git, ['cat-file', '--batch'], { cwd, input: Buffer.from(`${oids.join('\n')}\n`) });
  const found: (Buffer | null)[] = [];
  for (let at = 0; found.length < oids.length; ) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const [, type, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(output.subarray(at, end).toString('latin1')) ?? [];
    at = end + 1;
    if (type === undefined) found.push(null);
    else {
      found.push(type === 'blob' ? output.subarray(at, at + Number(size)) : null);
      at += Number(size) + 1;
    }
  }
  return found;
}

/** A line feed ends what `cat-file` is asked for: such a file is asked for by its id. */
async function blobOf(git: Git, cwd: string, rev: string, path: RawPath): Promise<Buffer> {
  const found = await lookUp(git, cwd, rev, [path]).catch(() => null);
  return Buffer.from(found?.get(path)?.oid ?? 'none');
}

/** How many bytes each blob has; null where there is none. */
export async function blobSizes(git: Git, cwd: string, oids: readonly string[]): Promise<(number | null)[]> {
  if (oids.length === 0) return [];
  const output = await gitOutput(git, ['cat-file', '--batch-check'], { cwd, input: Buffer.from(`${oids.join('\n')}\n`) });
  const lines = output.toString().split('\n');
  return oids
    .map((_, at) => Number(/^[0-9a-f]+ blob (\d+)$/.exec(lines[at] ?? '')?.[1] ?? Number.NaN))
    .map((size) => (size >= 0 ? size : null));
}
