import { chmod, lstat, mkdir, mkdtemp, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asidePlaces, bringBack, dropOldAside, isAside, putAside } from './aside.ts';
import { gitOutput } from './git.ts';
import type { Place } from './place.ts';
import { nulList, onDisk, type RawPath } from './raw-path.ts';
import { type Kept, planRewind, type Refused, type RewindOptions, type RewindPlan, type Step } from './rewind-plan.ts';
import { take } from './take.ts';
import { ignoredAmong } from './touched.ts';
import { sightingOf, type UndoRecord, writeUndo } from './undo-record.ts';
import { readLast } from './working-state.ts';

export interface Rewound {
  readonly result: 'rewound';
  readonly plan: RewindPlan;
  readonly written: readonly RawPath[];
  readonly deleted: readonly RawPath[];
  readonly kept: readonly Kept[];
  /** Files that could not be written, with what git or the system said. */
  readonly failed: readonly { readonly path: RawPath; readonly error: string }[];
}

/** Puts the files back as a checkpoint has them. The index, HEAD, branches and ignored files stay as they are. */
export async function rewind(place: Place, id: string, options: RewindOptions = {}): Promise<Rewound | Refused> {
  const plan = await planRewind(place, id, options);
  if (plan.result !== 'plan') return plan;
  // Before the first file is touched: a rewind that dies half-way can be undone as well. One that does nothing leaves the last one to undo.
  const files = plan.steps.map(({ path }) => path);
  const aside = asidePlaces(place, plan.steps);
  const record: UndoRecord = { safety: plan.safety.id, files, aside: [...aside], target: plan.target.id, atMs: place.now() };
  if (files.length > 0) await writeUndo(place, record);
  const done = await applyAll(place, plan.steps, aside);
  await dropOldAside(place);
  const name = `Rewound to ${plan.target.name.replace(/^(?:Before rewinding to |Rewound to )+/, '')}`;
  const taken = await take(place, { kind: 'prompt', by: 'shared', name, session: null, agent: null, turn: null, rewound: true });
  if (files.length > 0 && taken.result !== 'failed') {
    const after = taken.result === 'made' ? taken.checkpoint.id : taken.id;
    const skipped = new Set((await readLast(place.state))?.skipped.map(({ path }) => path));
    const leftOut = files.filter((path) => skipped.has(path)).map((path) => [path, sightingOf(place, path)] as const);
    await writeUndo(place, { ...record, after, leftOut });
  }
  return { result: 'rewound', plan, ...done, kept: [...plan.kept, ...done.kept] };
}

type Done = Pick<Rewound, 'written' | 'deleted' | 'kept' | 'failed'>;

/**
 * What is ignored comes first: a file that was ignored then looks new while its pattern is gone, and must not be deleted
 * for that.
 */
async function applyAll(place: Place, steps: readonly Step[], aside: ReadonlyMap<RawPath, string>): Promise<Done> {
  const isPattern = ({ path }: Step) => path === '.gitignore' || path.endsWith('/.gitignore');
  const first = await apply(place, steps.filter(isPattern), aside);
  const rest = steps.filter((step) => !isPattern(step));
  const ignored = await ignoredAmong(
    place,
    rest.filter(isDeletion).map(({ path }) => path),
  );
  const second = await apply(
    place,
    rest.filter((step) => !isDeletion(step) || !ignored.has(step.path)),
    aside,
  );
  return {
    written: [...first.written, ...second.written],
    deleted: [...first.deleted, ...second.deleted],
    failed: [...first.failed, ...second.failed],
    kept: [...first.kept, ...second.kept, ...[...ignored].map((path): Kept => ({ path, reason: 'ignored' }))],
  };
}

const isDeletion = ({ entry, from }: Step): boolean => !entry && from === undefined;

async function apply(place: Place, steps: readonly Step[], aside: ReadonlyMap<RawPath, string>): Promise<Done> {
  const { root } = place.repository;
  const deleted: RawPath[] = [];
  const kept: Kept[] = [];
  const failed: { path: RawPath; error: string }[] = [];
  for (const { path } of steps.filter(isDeletion)) {
    if (await isDirectory(root, path)) kept.push({ path, reason: 'in-the-way' });
    else {
      try {
        if (await throughSymlink(root, path)) continue;
        await unlink(onDisk(root, path));
        deleted.push(path);
        await removeEmptyParents(root, path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') failed.push({ path, error: String(error) });
      }
    }
  }
  const free: Step[] = [];
  const written: RawPath[] = [];
  for (const step of steps.filter((one) => !isDeletion(one))) {
    const { path, from } = step;
    const file = aside.get(path);
    try {
      if (await isBlocked(root, path)) kept.push({ path, reason: 'in-the-way' });
      else if (from !== undefined && !(await isAside(place, from))) failed.push({ path, error: 'what was put aside is gone' });
      else {
        if (file !== undefined) await putAside(place, path, file);
        if (from === undefined) free.push(step);
        else {
          for (const parent of parentsOf(path)) await mkdir(onDisk(root, parent)).catch(() => null);
          await bringBack(place, path, from);
          written.push(path);
        }
      }
    } catch (error) {
      failed.push({ path, error: String(error) });
    }
  }
  written.push(...(await write(place, free, failed)));
  return { written, deleted, kept, failed };
}

async function look(root: string, path: RawPath) {
  return lstat(onDisk(root, path)).catch(() => null);
}

const isDirectory = async (root: string, path: RawPath) => (await look(root, path))?.isDirectory() ?? false;

async function throughSymlink(root: string, path: RawPath): Promise<boolean> {
  for (const parent of parentsOf(path)) if ((await look(root, parent))?.isSymbolicLink()) return true;
  return false;
}

/** `a/b/c` → `a`, `a/b`. */
function parentsOf(path: RawPath): RawPath[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** A directory that still holds something, or something that is no directory on the way there: never removed for a file of ours. */
async function isBlocked(root: string, path: RawPath): Promise<boolean> {
  for (const parent of parentsOf(path)) {
    const found = await look(root, parent);
    if (found && !found.isDirectory()) return true;
  }
  if (!(await isDirectory(root, path))) return false;
  return await rmdir(onDisk(root, path)).then(
    () => false,
    () => true,
  );
}

/** Directories that a deletion emptied; one with anything left in it stays, since `rmdir` refuses. */
async function removeEmptyParents(root: string, path: RawPath): Promise<void> {
  for (const parent of parentsOf(path).reverse()) {
    const gone = await rmdir(onDisk(root, parent)).then(
      () => true,
      () => false,
    );
    if (!gone) return;
  }
}

/** Git writes the files, so that filters, line endings, modes and symlinks are its own doing; then those that it gets wrong. */
async function write(place: Place, steps: readonly Step[], failed: { path: RawPath; error: string }[]): Promise<RawPath[]> {
  if (steps.length === 0) return [];
  const { git, repository } = place;
  const cwd = repository.root;
  const directory = await mkdtemp(join(place.state, 'rewind-'));
  try {
    const environment = { GIT_INDEX_FILE: join(directory, 'index') };
    const info = steps.map(({ path, entry }) => `${entry?.mode} ${entry?.oid}\t${path}\0`).join('');
    await gitOutput(git, ['update-index', '-z', '--index-info'], { cwd, environment, input: Buffer.from(info, 'latin1') });
    const modes = new Map<RawPath, number>();
    for (const { path } of steps) {
      const found = await look(cwd, path);
      if (found?.isFile()) modes.set(path, found.mode);
    }
    const refused = await checkOut(place, environment, steps);
    const written: RawPath[] = [];
    for (const step of steps) {
      const { path, verbatim } = step;
      const error = refused.get(path);
      // What git would have to filter is not needed where the bytes themselves are kept.
      const problem = error !== undefined && !verbatim ? error : await finish(place, step, modes.get(path)).catch(String);
      if (problem === null) written.push(path);
      else failed.push({ path, error: problem || error || 'not written' });
    }
    return written;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Gives back what git refused, and why. It stops at the first file that a filter fails on: the others are asked for again. */
async function checkOut(
  place: Place,
  environment: Record<string, string>,
  steps: readonly Pick<Step, 'path'>[],
): Promise<Map<RawPath, string>> {
  const input = nulList(steps.map(({ path }) => path));
  const args = ['checkout-index', '--force', '--quiet', '-z', '--stdin'];
  const { code, stderr } = await place.git(args, { cwd: place.repository.root, environment, input });
  if (code === 0) return new Map();
  const [only, ...more] = steps;
  if (only && more.length === 0) return new Map([[only.path, stderr.trim()]]);
  const half = Math.ceil(steps.length / 2);
  const first = await checkOut(place, environment, steps.slice(0, half));
  return new Map([...first, ...(await checkOut(place, environment, steps.slice(half)))]);
}

/** Null if the file is there as it should be. */
async function finish(place: Place, { path, entry, verbatim }: Step, mode: number | undefined): Promise<string | null> {
  const { git, repository } = place;
  const file = onDisk(repository.root, path);
  if (verbatim) {
    const bytes = await gitOutput(git, ['cat-file', 'blob', verbatim], { cwd: repository.root });
    for (const parent of parentsOf(path)) await mkdir(onDisk(repository.root, parent)).catch(() => null);
    if ((await lstat(file).catch(() => null))?.isSymbolicLink()) await unlink(file);
    await writeFile(file, bytes, { mode: entry?.mode === '100755' ? 0o777 : 0o666 });
  }
  const found = await lstat(file).catch(() => null);
  if (!found) return '';
  if (entry?.mode === '120000') return found.isSymbolicLink() ? null : '';
  if (!found.isFile()) return '';
  // Who may read a file is not git's to say: as before, but for the execute bits.
  const rights = mode === undefined ? found.mode : (mode & 0o666) | (found.mode & 0o111);
  if ((found.mode & 0o777) !== (rights & 0o777)) await chmod(file, rights & 0o777);
  return null;
}
