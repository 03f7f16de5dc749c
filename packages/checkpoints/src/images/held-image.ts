import { realpathSync } from 'node:fs';
import { fromRoot, inInnerRepository, type RawPath } from '../raw-path.ts';
import { readHead } from '../repositories/repository.ts';
import { keptBeside } from '../snapshot/conversion/recipe.ts';
import { type Held, type Observed, observe } from '../snapshot/observe.ts';
import { previousOf, sameKnown } from '../snapshot/take.ts';
import { candidatesAmong } from '../snapshot/touched.ts';
import { lookAt, readWorkingFile } from '../snapshot/working-file.ts';
import type { Worktree } from '../worktree.ts';
import type { HeldFile, WayBack } from './call-log.ts';
import { newestState } from './look.ts';
import { writeImageFiles } from './write-image.ts';

interface AtRoot {
  readonly repository: { readonly root: string };
}

/** A file as it is now, which a call is about to change; null outside the repository. */
export async function readHeld({ repository: { root } }: AtRoot, file: string): Promise<readonly [RawPath, Held] | null> {
  const path = fromRoot(root, file);
  if (path === null || inInnerRepository(root, path)) return null;
  const look = lookAt(root, path);
  const isFile = look.kind === 'file' || look.kind === 'symlink';
  return [path, { look, bytes: isFile ? await readWorkingFile(root, path, look.kind, look.bytes) : null }];
}

/** Those of a call, all at once and without git: nothing that waits in line can delay this. Small ones are read before anybody else is heard. */
export async function readAllHeld(directory: string, files: readonly string[]): Promise<Map<RawPath, Held>> {
  const repository = { root: realpathSync(directory) };
  const held = new Map<RawPath, Held>();
  for (const file of files) {
    const read = await readHeld({ repository }, file);
    if (read !== null) held.set(...read);
  }
  return held;
}

/** Saves files that were read before a call changed them. Nothing is written for those that git has already. */
export async function saveHeld(
  worktree: Worktree,
  turn: string,
  held: ReadonlyMap<RawPath, Held>,
): Promise<{ readonly wayBack: WayBack & { kind: 'files' }; readonly after: string | null }> {
  const { known, last } = await newestState(worktree);
  const head = await readHead(worktree.git, worktree.repository);
  const fresh = known?.head === head.commit ? known : null;
  const previous = previousOf(fresh);
  const { entries, inHead } = await candidatesAmong(worktree, head.commit, previous, new Set(held.keys()));
  const { files: changed, converted, skipped } = await observe(worktree, head.commit, entries, previous, held);
  const files = new Map([...changed, ...converted]);
  const isStored = (path: RawPath, file: Observed): boolean => {
    const before = previous.files.get(path) ?? previous.converted.get(path) ?? { entry: inHead.get(path) ?? null, untracked: false };
    return file.entry === null || sameKnown(file, before);
  };
  const news = new Map([...files].filter(([path, file]) => !isStored(path, file)));
  if (news.size > 0) {
    await writeImageFiles(worktree, { turn, from: null, files: news, verbatim: keptBeside(news) });
  }
  const left = new Set(skipped.map(({ path }) => path));
  const absent = entries.filter(({ path }) => !files.has(path) && !left.has(path));
  const kept = [
    ...[...files].map(
      ([path, { entry, verbatim, recipe }]): HeldFile => ({
        ...{ path, entry, ...(verbatim && { verbatim }), ...(recipe && { recipe }) },
      }),
    ),
    ...absent.map(({ path }): HeldFile => ({ path, entry: null })),
  ];
  return { wayBack: { kind: 'files', files: kept, skipped, asOnDisk: true }, after: last?.id ?? null };
}
