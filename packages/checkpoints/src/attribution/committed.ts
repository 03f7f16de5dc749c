import { committedFiles } from '../links/commit-work.ts';
import { fields, type RawPath } from '../raw-path.ts';
import type { Worktree } from '../worktree.ts';
import { foresee, readAhead } from './ahead.ts';
import { type Context, leadingTo, leadingToAll } from './labels.ts';

/** A file as a commit has it. */
export interface CommittedFile {
  readonly commit: string;
  readonly path: RawPath;
  /** Null where there was none. */
  readonly before: string | null;
  /** Null where it is deleted. */
  readonly after: string | null;
  /** Whether its lines are compared with those before. */
  readonly compared: boolean;
}

/** The files with lines that a commit changes. */
export async function filesIn({ worktree, objects }: Context, commit: string): Promise<CommittedFile[]> {
  const renames = await renamesIn(worktree, commit);
  const renamed = new Set(renames.values());
  const paths = [...(await committedFiles(worktree, commit)).entries()]
    .filter(([path, entry]) => entry?.mode !== '160000' && (entry !== null || !renamed.has(path)))
    .map(([path]) => path);
  const oids = await objects.ids([
    ...paths.map((path) => [`${commit}^`, renames.get(path) ?? path] as const),
    ...paths.map((path) => [commit, path] as const),
  ]);
  return paths.map((path, at) => ({ commit, path, before: oids[at] ?? null, after: oids[paths.length + at] ?? null, compared: true }));
}

/** Gives back the same files; of most is read by then what it takes to say whose their lines are. */
export async function* inAdvance(context: Context, files: readonly CommittedFile[]): AsyncGenerator<CommittedFile> {
  await leadingToAll(
    context,
    files.map(({ commit }) => commit),
  );
  const wanted = [];
  for (const { commit, path, before, after } of files) {
    const isWritten = after !== null && after !== before;
    wanted.push({ path, chains: isWritten ? (await leadingTo(context, commit)).chains : [] });
  }
  const foreseen = await foresee(context, wanted);
  const all = files.map((file, at) => {
    const { before, after, compared } = file;
    const { oids = [], versions } = foreseen[at] ?? {};
    // The lines of a version that a checkpoint has are known by then.
    const own = [before, !compared && versions?.has(after ?? '') ? null : after].filter((oid) => oid !== null);
    return [file, new Set([...own, ...oids])] as const;
  });
  yield* readAhead(context.objects, all);
}

/** New name → old name: a file that was only moved is not written anew. */
async function renamesIn({ git, repository }: Worktree, commit: string): Promise<Map<RawPath, RawPath>> {
  const args = ['diff-tree', '-r', '-z', '-M', '--diff-filter=R', '--name-status', `${commit}^`, commit];
  const { code, stdout } = await git(args, { cwd: repository.root });
  // A first commit has no parent to compare it with.
  const output = code === 0 ? fields(stdout) : [];
  const found = new Map<RawPath, RawPath>();
  for (let at = 0; at + 2 < output.length; at += 3) found.set(output[at + 2] ?? '', output[at + 1] ?? '');
  return found;
}
