import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, gitOutput } from '@piton/git';
import { fields, nulList } from '../raw-path.ts';
import type { Repository } from '../repositories/repository.ts';
import { fileSignature } from './file-signature.ts';
import { writeWhole } from './working-state.ts';

/**
 * A copy of the user's index, for the time stamps in it: `git status` may refresh the copy and never sees the original.
 * Copied again when the original has changed.
 */
export async function privateIndex(git: Git, repository: Repository, state: string): Promise<string> {
  const file = join(state, 'index');
  const now = fileSignature(repository.indexFile);
  const source = join(state, 'index.source');
  if (now === null || now !== (await readFile(source, 'utf8').catch(() => null))) {
    await mkdir(state, { recursive: true, mode: 0o700 });
    await rm(source, { force: true });
    if (now === 'none') await rm(file, { force: true });
    else await build(git, repository, file);
    if (now !== null) await writeWhole(source, now);
  }
  return file;
}

/** Git replaces its index by rename, so a read is one whole version of it; ours is put in place when it is ready. */
async function build(git: Git, repository: Repository, file: string): Promise<void> {
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}.new`;
  const { mtimeMs } = await stat(repository.indexFile);
  await writeFile(temporary, await readFile(repository.indexFile), { mode: 0o600 });
  await age(temporary, mtimeMs);
  await unhide(git, repository, temporary);
  await rename(temporary, file);
}

/**
 * A file that changed in the second in which its entry was written looks unchanged; git knows to doubt such entries by the age of the
 * index. The file system of the working tree may know whole seconds alone, and that of the index more.
 */
const age = (file: string, mtimeMs: number): Promise<void> => utimes(file, Math.floor(mtimeMs / 1000), Math.floor(mtimeMs / 1000));

/** Git may have written it anew. */
export async function ageIndex(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found && found.mtimeMs % 1000 !== 0) await age(file, found.mtimeMs);
}

/** "Assume unchanged" hides what an agent does to a file, and so does "skip worktree" where no checkout is sparse. */
async function unhide(git: Git, repository: Repository, file: string): Promise<void> {
  const options = { cwd: repository.root, environment: { GIT_INDEX_FILE: file } };
  const hidden = fields(await gitOutput(git, ['ls-files', '-v', '-z'], options));
  const assumed = hidden.filter((line) => /^[a-z] /.test(line)).map((line) => line.slice(2));
  const skipped = repository.settings.sparse ? [] : hidden.filter((line) => /^S /i.test(line)).map((line) => line.slice(2));
  const update = (flag: string, paths: readonly string[]) =>
    gitOutput(git, ['update-index', flag, '-z', '--stdin'], { ...options, input: nulList(paths) });
  if (assumed.length > 0) await update('--no-assume-unchanged', assumed);
  if (skipped.length > 0) await update('--no-skip-worktree', skipped);
}
