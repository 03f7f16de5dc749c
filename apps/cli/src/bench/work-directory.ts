import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { CanonicalEvent } from '@piton/contracts';
import type { Context } from '../context.ts';
import { withoutGit } from '../repository.ts';

export interface WorkDirectory {
  readonly path: string;
  /** Is it made for this, and gone afterwards? */
  readonly throwAway: boolean;
  remove(): void;
}

/** A repository with one commit, where a hook that is tried out can do no harm by accident. */
export function makeWorkDirectory(context: Context): WorkDirectory {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'piton-work-')));
  writeFileSync(join(path, 'README.md'), '# A place to try hooks\n');
  const identity = ['-c', 'user.name=Piton', '-c', 'user.email=piton@localhost', '-c', 'commit.gpgsign=false', '-c', 'core.hooksPath='];
  const options = { cwd: path, env: withoutGit(context.env), stdio: 'ignore' as const };
  try {
    execFileSync('git', ['init', '-q', '-b', 'main', '--template='], options);
    execFileSync('git', ['add', '-A'], options);
    execFileSync('git', [...identity, 'commit', '-q', '-m', 'Begin'], options);
  } catch {
    // Without git it is a directory like any other; most hooks do not ask.
  }
  return { path, throwAway: true, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export const workHere = (path: string): WorkDirectory => ({ path, throwAway: false, remove: () => {} });

/**
 * A formatter needs the file that it is told of: what the event names below `work` is there, with what was written. Before
 * that it holds what is to be replaced, and nothing where all of it is new.
 */
export function layFiles({ event, tool }: CanonicalEvent, work: string): void {
  const before = event.startsWith('pre_');
  for (const file of tool?.files ?? []) {
    const path = resolve(work, file);
    if (!isInside(path, work) || existsSync(path)) continue;
    const { content, new_string: text, old_string: old } = tool?.input ?? {};
    if (before && typeof content === 'string') continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, (before ? [old] : [content, text]).find((each) => typeof each === 'string') ?? '');
  }
}

export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return !way.startsWith('..') && !isAbsolute(way);
}
