import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { CanonicalEvent } from '@piton/contracts';
import { createRepository } from '@piton/git';
import type { Context } from '../context.ts';
import { gitHere } from '../programs.ts';

export interface WorkDirectory {
  readonly path: string;
  /** Was it created for this run, and will it be deleted? */
  readonly temporary: boolean;
  /** What a tested hook has as its home, so that a logger does not write into a real log. Undefined: the person's own. */
  readonly home?: string;
  remove(): void;
}

/** A repository with one commit, where a tested hook can do no harm by accident. */
export function makeWorkDirectory(context: Context): WorkDirectory {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'piton-work-')));
  writeFileSync(join(path, 'README.md'), '# A place to try hooks\n');
  // Without git it is a plain directory. Most hooks do not mind.
  createRepository(gitHere(context), path, { name: 'Piton', email: 'piton@localhost', message: 'Begin' });
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'piton-home-')));
  const remove = (): void => {
    for (const each of [path, home]) rmSync(each, { recursive: true, force: true });
  };
  return { path, temporary: true, home, remove };
}

export const currentWorkDirectory = (path: string): WorkDirectory => ({ path, temporary: false, remove: () => {} });

/**
 * A formatter needs the file that it should format: the event's files below `work` are created with the content that was written.
 * For a `pre_` event they have the old content, and are absent if all of it is new.
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
