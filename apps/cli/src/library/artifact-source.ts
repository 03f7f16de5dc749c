import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArtifact, withMode } from '@piton/artifacts';
import { ARTIFACT_FILE, readTree, type Tree, type TreeFile, treeOf } from '@piton/hooks';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';

export type Mode = 'enforce' | 'shadow';

/** An artifact that can be added. */
export interface ArtifactSource {
  readonly name: string;
  readonly folder: string;
  /** Where a person knows it: the folder, or what it was fetched from. */
  readonly place: string;
  /** False if it is from the library that comes with Piton. */
  readonly own: boolean;
  readonly version: string;
  readonly event: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly needs: readonly string[];
  readonly confined: boolean;
  readonly policy: boolean;
  readonly files: readonly TreeFile[];
}

const LIBRARY = 'hooks-library';
const NAME = /^[A-Za-z0-9][\w.-]*$/;

export function librarySources(context: Context): ArtifactSource[] {
  const library = join(context.distribution, LIBRARY);
  if (!existsSync(library))
    throw new Failure('the hooks library is missing', {
      where: library,
      remedy: 'reinstall Piton. In a clone: npm run build',
    });
  return readdirSync(library)
    .filter((name) => existsSync(join(library, name, ARTIFACT_FILE)))
    .sort()
    .map((name) => readSource(join(library, name), false));
}

/** Who names a hook names a folder of ours. */
export function requireHookName(name: string, where: string): void {
  if (!NAME.test(name) || name.length > 100)
    throw new Failure(`${JSON.stringify(name)} is not a valid name`, {
      where,
      remedy: 'name the folder with letters, digits, dots and dashes',
    });
}

/** `place`: where a person knows it, if this is a copy. */
export function readSource(folder: string, own: boolean, place = folder): ArtifactSource {
  const read = readTree(folder);
  if (!read.ok) throw new Failure(`cannot read it: ${read.error}`, { where: place });
  const { files, leftOut } = withoutGit(read.tree);
  // A copy without them would not be the hook that was reviewed.
  if (leftOut.length > 0)
    throw new Failure(`cannot copy all of it: ${leftOut.map(leftOutText).join(', ')}`, {
      where: place,
      remedy: 'replace them by files, or remove them from the folder',
    });
  const name = basename(folder);
  requireHookName(name, place);
  const head = files.find(({ path }) => path === ARTIFACT_FILE)?.bytes ?? Buffer.alloc(0);
  if (!isUtf8(head))
    throw new Failure('the file is not UTF-8, so it cannot be added safely', {
      where: `${place}/${ARTIFACT_FILE}`,
      remedy: 'save it as UTF-8',
    });
  const text = head.toString('utf8');
  const { entry, version } = parseArtifact(text, []);
  const fields = entry ?? {};
  const requirements = fields.runtime_requirements as { readonly system_packages?: unknown } | undefined;
  return {
    ...{ name, folder, place, own, version, files },
    event: textOf(fields.event),
    description: textOf(fields.description),
    tags: textsOf(fields.tags),
    needs: textsOf(requirements?.system_packages),
    confined: fields.sandbox_profile !== undefined && fields.sandbox_profile !== 'none',
    policy: fields.fail_closed === true,
  };
}

const isGits = (path: string): boolean => path === '.git' || path.startsWith('.git/');

/** A folder may be a clone: git's own part of it is none of the hook. */
export const withoutGit = ({ files, leftOut }: Tree): Pick<Tree, 'files' | 'leftOut'> => ({
  files: files.filter(({ path }) => !isGits(path)),
  leftOut: leftOut.filter(({ path }) => !isGits(path)),
});

export const leftOutText = ({ path, why }: Tree['leftOut'][number]): string => `${path} (${why})`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);

/** The same files with another mode in the front matter. No mode means `enforce`. */
export function inMode(files: readonly TreeFile[], mode: Mode): TreeFile[] {
  return files.map((file) => {
    if (file.path !== ARTIFACT_FILE) return file;
    const text = withMode(file.bytes.toString('utf8'), mode === 'shadow' ? 'shadow' : undefined);
    if (text === undefined)
      throw new Failure('cannot set the mode with one line', {
        where: ARTIFACT_FILE,
        remedy: 'write `mode: shadow` on a line of its own',
      });
    return { ...file, bytes: Buffer.from(text) };
  });
}

export const modeOf = (files: readonly TreeFile[]): Mode => {
  const text = files.find(({ path }) => path === ARTIFACT_FILE)?.bytes.toString('utf8') ?? '';
  return parseArtifact(text, []).entry?.mode === 'shadow' ? 'shadow' : 'enforce';
};

const isCase = ({ path }: TreeFile): boolean => path.startsWith('tests/');

/** Identifies the hook itself: its test cases grow with use, and its mode is the user's choice, so neither counts. */
export function hookHash(files: readonly TreeFile[]): string {
  try {
    return treeOf(inMode(files, 'enforce').filter((file) => !isCase(file))).hash;
  } catch {
    return treeOf(files).hash; // front matter that was rewritten by hand
  }
}

export const casesOf = (files: readonly TreeFile[]): string[] => files.filter(isCase).map(({ path }) => path);

/** Test cases that somebody added to those that came with it. */
export const userCases = (there: readonly TreeFile[], cases: readonly string[]): TreeFile[] =>
  there.filter((file) => isCase(file) && !cases.includes(file.path));
