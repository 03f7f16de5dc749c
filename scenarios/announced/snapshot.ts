import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** What lies at a path. Times are left out: nobody is told of them. */
export type Entry =
  | { readonly kind: 'file'; readonly mode: string; readonly text: string }
  | { readonly kind: 'directory'; readonly mode: string }
  | { readonly kind: 'link'; readonly target: string };

/** Every file, directory, link and ref below a directory. Refs of a repository stand for what git keeps of them, packed or loose. */
export interface Snapshot {
  readonly entries: ReadonlyMap<string, Entry>;
  /** `<git directory>/<ref>` → object. */
  readonly refs: ReadonlyMap<string, string>;
}

export function takeSnapshot(root: string): Snapshot {
  const entries = new Map<string, Entry>();
  const refs = new Map<string, string>();
  const walk = (directory: string): void => {
    for (const name of readdirSync(directory).sort()) {
      const path = join(directory, name);
      if (name === '.git') for (const [ref, oid] of refsOf(directory)) refs.set(`${path}/${ref}`, oid);
      if (isGitsOwn(path)) continue;
      entries.set(path, entryOf(path));
      if (lstatSync(path).isDirectory()) walk(path);
    }
  };
  walk(root);
  return { entries, refs };
}

/** Objects without a ref are nobody's, and how git stores its refs is its own affair. */
const isGitsOwn = (path: string): boolean => /\/\.git\/(objects|refs|packed-refs|index)(\/|$)/.test(path);

function entryOf(path: string): Entry {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return { kind: 'link', target: readlinkSync(path) };
  const mode = (stat.mode & 0o7777).toString(8).padStart(4, '0');
  return stat.isDirectory() ? { kind: 'directory', mode } : { kind: 'file', mode, text: readFileSync(path, 'latin1') };
}

function refsOf(repository: string): [string, string][] {
  const listed = execFileSync('git', ['for-each-ref', '--format=%(refname) %(objectname)'], { cwd: repository, encoding: 'utf8' });
  return listed
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ') as [string, string]);
}

export interface Difference {
  readonly path: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

export function differences(before: Snapshot, after: Snapshot): Difference[] {
  const paths = new Set([...before.entries.keys(), ...after.entries.keys()]);
  return [...paths]
    .sort()
    .map((path) => ({ path, before: before.entries.get(path), after: after.entries.get(path) }))
    .filter((each) => !isSame(each.before, each.after));
}

/** Compared as they are: as JSON the megabytes of a runtime would be written out for every look. */
const isSame = (one: Entry | undefined, other: Entry | undefined): boolean =>
  one?.kind === other?.kind && contentOf(one) === contentOf(other) && modeOf(one) === modeOf(other);

const contentOf = (entry: Entry | undefined): string | undefined =>
  entry?.kind === 'file' ? entry.text : entry?.kind === 'link' ? entry.target : undefined;

const modeOf = (entry: Entry | undefined): string | undefined => (entry === undefined || entry.kind === 'link' ? undefined : entry.mode);

export function changedRefs(before: Snapshot, after: Snapshot): string[] {
  const names = new Set([...before.refs.keys(), ...after.refs.keys()]);
  return [...names].filter((name) => before.refs.get(name) !== after.refs.get(name)).sort();
}
