import { type Git, gitOutput } from '@piton/git';
import { fields, type RawPath, shownPath } from '../raw-path.ts';

export interface Entry {
  /** As git writes it: 100644, 100755, 120000, 160000. */
  readonly mode: string;
  readonly oid: string;
}

export interface Difference {
  readonly path: RawPath;
  readonly before: Entry | null;
  readonly after: Entry | null;
}

export const sameEntry = (a: Entry | null | undefined, b: Entry | null | undefined): boolean => a?.oid === b?.oid && a?.mode === b?.mode;

export const isUtf8 = (path: RawPath) => Buffer.from(shownPath(path), 'utf8').toString('latin1') === path;

/** Arguments are UTF-8 strings: a name that is not is found in the listing of its directory. */
function listable(path: RawPath): string {
  if (isUtf8(path)) return shownPath(path);
  const slash = path.lastIndexOf('/');
  const parent = slash < 0 ? '' : path.slice(0, slash);
  return parent === '' ? './' : isUtf8(parent) ? `${shownPath(parent)}/` : listable(parent);
}

/** The files among these paths that a tree holds. */
export async function lookUp(git: Git, root: string, tree: string, paths: Iterable<RawPath>): Promise<Map<RawPath, Entry>> {
  const wanted = new Set(paths);
  const found = new Map<RawPath, Entry>();
  const all = [...new Set([...wanted].map(listable))];
  for (let at = 0; at < all.length; at += 1000) {
    const some = all.slice(at, at + 1000);
    const listing = some.includes('./') ? ['-r'] : ['--', ...some];
    for (const line of fields(await gitOutput(git, ['ls-tree', '-z', '--full-tree', tree, ...listing], { cwd: root }))) {
      const [, mode, type, oid, path] = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      if (mode && oid && path !== undefined && type !== 'tree' && wanted.has(path)) found.set(path, { mode, oid });
    }
  }
  return found;
}

/** What differs between two trees or commits. */
export async function difference(git: Git, root: string, from: string, to: string): Promise<Difference[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--ignore-submodules=none', from, to];
  return parseRaw(fields(await gitOutput(git, args, { cwd: root })));
}

const HEADER = /^[0-9a-f]{40,64} [0-9a-f]{40,64}\n/;

/** The same for many pairs in one process; null where git cannot tell, as in a clone without its trees. */
export async function differences(git: Git, root: string, pairs: readonly (readonly [string, string])[]): Promise<Difference[][] | null> {
  if (pairs.length === 0) return [];
  const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--ignore-submodules=none'];
  const input = Buffer.from(pairs.map(([from, to]) => `${from} ${to}\n`).join(''));
  const { code, stdout } = await git(args, { cwd: root, input });
  if (code !== 0) return null;
  const output = fields(stdout);
  const found: Difference[][] = [];
  // A name may look like anything: it is known by what stands before it.
  for (let at = 0; at < output.length; at += 2) {
    let text = output[at] ?? '';
    // A pair that does not differ is a header and no more, right before the next.
    for (let header = HEADER.exec(text); header; header = HEADER.exec(text)) {
      found.push([]);
      text = text.slice(header[0].length);
    }
    if (text !== '') found.at(-1)?.push(...parseRaw([text, output[at + 1] ?? '']));
  }
  // A pair of which a tree is missing is passed over without a word.
  return found.length === pairs.length ? found : null;
}

/** The fields of a `--raw -z` output. */
export function parseRaw(output: readonly string[]): Difference[] {
  const found: Difference[] = [];
  for (let at = 0; at + 1 < output.length; at += 2) {
    const [before, after] = sides(output[at] ?? '');
    found.push({ path: output[at + 1] ?? '', before, after });
  }
  return found;
}

function sides(raw: string): [Entry | null, Entry | null] {
  const [, modeBefore = '', modeAfter = '', oidBefore = '', oidAfter = ''] = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) /.exec(raw) ?? [];
  const side = (mode: string, oid: string) => (/^0*$/.test(mode) ? null : { mode, oid });
  return [side(modeBefore, oidBefore), side(modeAfter, oidAfter)];
}

/** The tree of nothing, which git knows without its being stored. */
export const emptyTree = (format: 'sha1' | 'sha256'): string =>
  format === 'sha1' ? '4b825dc642cb6eb9a060e54bf8d69288fbee4904' : '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321';
