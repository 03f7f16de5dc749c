import { committedFiles } from '../links/commit-work.ts';
import type { Place } from '../place.ts';
import { fields, type RawPath } from '../raw-path.ts';
import { foresee, readAhead } from './ahead.ts';
import { type Context, leadingTo } from './labels.ts';

interface CommittedFile {
  readonly path: RawPath;
  /** Before and after. */
  readonly oids: readonly [string | null, string | null];
}

/** The files with lines that a commit changes; of most is read by then what it takes to say whose these are. */
export async function* filesIn(context: Context, commit: string): AsyncGenerator<CommittedFile> {
  const { place, objects } = context;
  const renames = await renamesIn(place, commit);
  const renamed = new Set(renames.values());
  const paths = [...(await committedFiles(place, commit)).entries()]
    .filter(([path, entry]) => entry?.mode !== '160000' && (entry !== null || !renamed.has(path)))
    .map(([path]) => path);
  const oids = await objects.ids([
    ...paths.map((path) => [`${commit}^`, renames.get(path) ?? path] as const),
    ...paths.map((path) => [commit, path] as const),
  ]);
  const files = paths.map((path, at): CommittedFile => ({ path, oids: [oids[at] ?? null, oids[paths.length + at] ?? null] }));
  const { chains } = await leadingTo(context, commit);
  const foreseen = await foresee(
    context,
    files.map(({ path, oids: [before, after] }) => ({ path, chains: after === null || after === before ? [] : chains })),
  );
  const wanted = files.map((file, at) => {
    const own = file.oids.filter((oid) => oid !== null);
    return [file, new Set([...own, ...(foreseen[at] ?? [])])] as const;
  });
  yield* readAhead(objects, wanted);
}

/** New name → old name: a file that was only moved is not written anew. */
async function renamesIn({ git, repository }: Place, commit: string): Promise<Map<RawPath, RawPath>> {
  const args = ['diff-tree', '-r', '-z', '-M', '--diff-filter=R', '--name-status', `${commit}^`, commit];
  const { code, stdout } = await git(args, { cwd: repository.root });
  // A first commit has no parent to compare it with.
  const output = code === 0 ? fields(stdout) : [];
  const found = new Map<RawPath, RawPath>();
  for (let at = 0; at + 2 < output.length; at += 3) found.set(output[at + 2] ?? '', output[at + 1] ?? '');
  return found;
}
