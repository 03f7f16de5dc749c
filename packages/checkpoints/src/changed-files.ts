import { type Checkpoint, toldApart } from './checkpoint.ts';
import type { Place } from './place.ts';
import { fields, type RawPath } from './raw-path.ts';

const HEADER = /^[0-9a-f]{40,64} [0-9a-f]{40,64}\n/;

/**
 * Which files each of these changed, compared with the one before it in `all`; null where that one is not there. However many
 * they are, git is asked once.
 */
export async function changedFiles(
  { git, repository }: Place,
  some: readonly Checkpoint[],
  all: readonly Checkpoint[],
): Promise<(readonly RawPath[] | null)[]> {
  const trees = new Map(all.map(({ id, tree }) => [id, tree]));
  const pairs = some.map(({ before, tree }) => [trees.get(before ?? ''), tree] as const);
  const asked = pairs.filter(([from]) => from !== undefined).map(([from, to]) => `${from} ${to}\n`);
  if (asked.length === 0) return pairs.map(() => null);
  const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-renames'];
  const { code, stdout } = await git(args, { cwd: repository.root, input: Buffer.from(asked.join('')) });
  // A clone without its trees cannot tell, and a list is a list all the same.
  if (code !== 0) return pairs.map(() => null);
  const found = filesOf(fields(stdout));
  const differing = pairs.map(([from]) => (from === undefined ? null : (found.shift() ?? [])));
  // In the tree of a subagent's checkpoint is also what others had done by then.
  return some.map((one, at) => toldApart(one)?.toSorted() ?? differing[at] ?? null);
}

/** The files below each header. A name may look like anything: it is known by what stands before it. */
function filesOf(output: readonly string[]): RawPath[][] {
  const found: RawPath[][] = [];
  for (let at = 0; at < output.length; at += 2) {
    let text = output[at] ?? '';
    // One that changed nothing is a header and no more, right before the next.
    for (let header = HEADER.exec(text); header; header = HEADER.exec(text)) {
      found.push([]);
      text = text.slice(header[0].length);
    }
    if (text !== '') found.at(-1)?.push(output[at + 1] ?? '');
  }
  return found;
}
