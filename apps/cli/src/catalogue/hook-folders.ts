import { ARTIFACT_FILE, type TreeFile } from '@piton/hooks';
import { Failure } from '../failure.ts';
import { visibleText } from '../output/visible-text.ts';
import type { SourceEntry } from './tar.ts';

/** One hook of a source: its folder there, and the files in it. */
export interface FoundHook {
  readonly name: string;
  /** Its folder in the source; empty where the hook is the whole of it. */
  readonly path: string;
}

/** Far more than a hook with its cases has: somebody has to read it. */
export const MOST_FILES = 1000;
export const MOST_HOOK_BYTES = 8 * 1024 * 1024;

/** The folders with an ARTIFACT.md, but none inside of another hook or of dependencies. */
export function hookFolders(paths: readonly string[], rootName: string): FoundHook[] {
  const folders = paths
    .filter((path) => path === ARTIFACT_FILE || path.endsWith(`/${ARTIFACT_FILE}`))
    .map((path) => path.slice(0, -ARTIFACT_FILE.length).replace(/\/$/, ''))
    .filter((folder) => !folder.split('/').some((part) => part === 'node_modules' || part.startsWith('.')));
  return [...new Set(folders)]
    .filter((folder) => !folders.some((other) => other !== folder && (other === '' || folder.startsWith(`${other}/`))))
    .sort()
    .map((path) => ({ path, name: path === '' ? rootName : (path.split('/').at(-1) as string) }));
}

/** The hook that is meant: by name or folder, or the only one. */
export function chooseHookOf(hooks: readonly FoundHook[], wanted: string | undefined, where: string): FoundHook {
  const names = hooks.map(({ name }) => visibleText(name)).join(', ');
  if (hooks.length === 0)
    throw new Failure(`no hook is there: no folder of it has an ${ARTIFACT_FILE}`, { where, remedy: 'see docs/writing-hooks.md' });
  const fitting = wanted === undefined ? hooks : hooks.filter(({ name, path }) => path === wanted || name === wanted);
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  if (wanted === undefined)
    throw new Failure(`it holds ${hooks.length} hooks: ${names}`, { where, remedy: 'name one: --hook <name>', usage: true });
  if (only !== undefined)
    throw new Failure(`more than one of its hooks is named ${JSON.stringify(wanted)}`, {
      where,
      remedy: `use the folder: ${fitting.map(({ path }) => visibleText(path)).join(', ')}`,
      usage: true,
    });
  throw new Failure(`it has no hook named ${JSON.stringify(wanted)}`, { where, remedy: `it has: ${names}`, usage: true });
}

/** The files of a hook's folder, by their paths in it. Refuses what could not be written, or would be another hook without it. */
export function filesOf(entries: readonly SourceEntry[], folder: string, where: string): TreeFile[] {
  const below = folder === '' ? '' : `${folder}/`;
  const own = entries.filter(({ path }) => path.startsWith(below)).map((entry) => ({ ...entry, path: entry.path.slice(below.length) }));
  for (const { path, not } of own) {
    const why = not ?? pathProblem(path);
    if (why !== undefined)
      throw new Failure(`cannot copy all of it: ${visibleText(path)} (${why})`, {
        where,
        remedy: 'its author has to replace it by a file',
      });
  }
  const seen = new Map<string, string>();
  for (const { path } of own) {
    // On macOS and in some folders of Linux these are one file.
    const folded = path.normalize('NFC').toLowerCase();
    const other = seen.get(folded);
    if (other !== undefined) throw new Failure(`two of its files have one name: ${visibleText(other)}, ${visibleText(path)}`, { where });
    seen.set(folded, path);
  }
  for (const folded of seen.keys())
    for (let at = folded.lastIndexOf('/'); at > 0; at = folded.lastIndexOf('/', at - 1))
      if (seen.has(folded.slice(0, at)))
        throw new Failure(`${visibleText(seen.get(folded.slice(0, at)) ?? '')} is a file and a folder`, { where });
  const bytes = own.reduce((sum, each) => sum + each.bytes.length, 0);
  if (own.length > MOST_FILES || bytes > MOST_HOOK_BYTES)
    throw new Failure(`it holds more than ${MOST_FILES} files or ${MOST_HOOK_BYTES / 1024 / 1024} MB, which nobody could read`, { where });
  return own.map(({ path, executable, bytes }) => ({ path, executable, bytes }));
}

/** Why nothing is written at this path, whoever named it. */
function pathProblem(path: string): string | undefined {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'a path that leads elsewhere';
  if (parts.some((part) => part.toLowerCase() === '.git')) return "a part of git's own folder";
  if (/\\|[\p{Cc}\p{Cf}\ufffd]/u.test(path)) return 'a name with hidden characters or backslashes';
  if (parts.some((part) => Buffer.byteLength(part) > 255) || path.length > 1024) return 'too long a name';
  return undefined;
}
