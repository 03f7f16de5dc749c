import { lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onDisk, pathBytes, type RawPath } from '../raw-path.ts';
import { ignoredAmong } from '../snapshot/touched.ts';
import type { Worktree } from '../worktree.ts';
import { readContents } from './contents.ts';
import { parentsOf } from './drafts.ts';
import { isDeletion } from './obstructed.ts';
import type { Step } from './rewind-plan.ts';

const isPatterns = (path: RawPath): boolean => /(?:^|\/)\.gitignore$/.test(path);

/**
 * Files that would be deleted, and that the patterns which come back ignore. They may have been there before, in no checkpoint, and look
 * new only while their pattern is gone: they stay. Git is asked in an empty folder, where nothing but these patterns lies.
 */
export async function ignoredThen(worktree: Worktree, steps: readonly Step[]): Promise<Set<RawPath>> {
  const deletions = mayHaveBeenThere(steps);
  if (deletions.length === 0 || !steps.some(({ path }) => isPatterns(path))) return new Set();
  const place = await mkdtemp(join(worktree.state, 'patterns-'));
  try {
    for (const [path, text] of await patternsThen(worktree, steps, deletions)) {
      const file = Buffer.concat([Buffer.from(`${place}/`), pathBytes(path)]);
      await mkdir(Buffer.from(dirname(file.toString('latin1')), 'latin1'), { recursive: true });
      await writeFile(file, text);
    }
    const elsewhere: Worktree = {
      ...worktree,
      repository: { ...worktree.repository, root: place },
      git: (args, options) => worktree.git(args, { ...options, environment: { ...options.environment, GIT_WORK_TREE: place } }),
    };
    return await ignoredAmong(elsewhere, deletions);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/**
 * Files that go, but for those that cannot have been there then: in the place of whose folder a file comes back, or made by the rewind
 * that is taken back.
 */
export function mayHaveBeenThere(steps: readonly Step[]): RawPath[] {
  const written = new Set(steps.filter((step) => !isDeletion(step)).map(({ path }) => path));
  return steps
    .filter((step) => isDeletion(step) && !step.isMade)
    .map(({ path }) => path)
    .filter((path) => !parentsOf(path).some((folder) => written.has(folder)));
}

/** The files with patterns on the way to these, as the rewind leaves them. */
async function patternsThen(worktree: Worktree, steps: readonly Step[], paths: readonly RawPath[]): Promise<Map<RawPath, Buffer>> {
  const folders = new Set(['', ...paths.flatMap(parentsOf).map((folder) => `${folder}/`)]);
  const changed = new Set(steps.map(({ path }) => path));
  const found = new Map<RawPath, Buffer>();
  for (const folder of folders) {
    const path: RawPath = `${folder}.gitignore`;
    const file = onDisk(worktree.repository.root, path);
    if (changed.has(path) || !(await lstat(file).catch(() => null))?.isFile()) continue;
    found.set(path, await readFile(file));
  }
  // Git follows no link of that name.
  const written = steps.filter(({ path, source, entry }) => isPatterns(path) && source && entry?.mode !== '120000');
  for await (const [{ path }, content] of readContents(worktree, written)) if (Buffer.isBuffer(content)) found.set(path, content);
  return found;
}
