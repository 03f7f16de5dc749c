import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { CanonicalEvent } from '@piton/contracts';
import { createGitSync } from '@piton/git';
import type { Context } from '../context.ts';

export interface WorkDirectory {
  readonly path: string;
  /** Is it made for this, and gone afterwards? */
  readonly temporary: boolean;
  remove(): void;
}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Piton',
  GIT_AUTHOR_EMAIL: 'piton@localhost',
  GIT_COMMITTER_NAME: 'Piton',
  GIT_COMMITTER_EMAIL: 'piton@localhost',
};

/** A repository with one commit, where a hook that is tried out can do no harm by accident. */
export function makeWorkDirectory(context: Context): WorkDirectory {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'piton-work-')));
  writeFileSync(join(path, 'README.md'), '# A place to try hooks\n');
  const git = createGitSync({ environment: context.env });
  const steps = [
    ['init', '-q', '-b', 'main', '--template='],
    ['add', '-A'],
    ['commit', '-q', '--no-gpg-sign', '-m', 'Begin'],
  ];
  // Without git it is a directory like any other; most hooks do not ask.
  steps.every((args) => git(args, { cwd: path, environment: IDENTITY }).code === 0);
  return { path, temporary: true, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export const currentWorkDirectory = (path: string): WorkDirectory => ({ path, temporary: false, remove: () => {} });

/**
 * A formatter needs the file that it is told of: what the event names below `work` is there, with what was written. Before
 * that it holds what is to be replaced, and nothing where all of it is new.
 */
export function writeEventFiles({ event, tool }: CanonicalEvent, work: string): void {
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
