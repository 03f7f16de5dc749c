import { availableParallelism } from 'node:os';
import { type RawPath, shownPath } from '../raw-path.ts';
import { isUtf8 } from '../snapshot/tree.ts';
import type { Worktree } from '../worktree.ts';
import { matchLines } from './line-match.ts';

/** Lines that take the place of others: `at` counts from 0, in the version before. */
export interface Hunk {
  readonly at: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** What changed from one version of a file to the next, as git tells it: thousands of lines are compared where that is fast. */
export interface Patches {
  /** Asks git for what these files became between these trees, in one process for all. */
  readonly ask: (paths: readonly RawPath[], pairs: readonly (readonly [before: string, after: string])[]) => Promise<void>;
  /** Between two blobs; undefined where git was not asked, or could not tell. */
  readonly between: (before: string, after: string) => readonly Hunk[] | undefined;
}

/** As lines are read elsewhere: a CR is part of the end. */
const OPTIONS = [
  '-p',
  '-U0',
  '--full-index',
  '--no-renames',
  '--ignore-cr-at-eol',
  '--text',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
];

const LEAST_PAIRS = 150;
const MOST_PROCESSES = 4;

/** More names than this are not named. */
const MOST_PATHS = 2000;

export function patchesIn({ git, repository }: Worktree, { ignoreSpace }: { readonly ignoreSpace: boolean }): Patches {
  const found = new Map<string, readonly Hunk[]>();
  const known = new Set<string>();
  return {
    ask: async (paths, pairs) => {
      const named = [...new Set(paths)].filter(isUtf8).map(shownPath);
      const wanted = [...new Set(pairs.map((pair) => pair.join(' ')))].filter((pair) =>
        named.some((path) => !known.has(`${pair} ${path}`)),
      );
      for (const pair of wanted) for (const path of named) known.add(`${pair} ${path}`);
      if (named.length === 0 || named.length > MOST_PATHS || wanted.length === 0) return;
      const args = ['diff-tree', '--stdin', '-r', ...OPTIONS, ...(ignoreSpace ? ['-w'] : []), '--', ...named];
      // What git cannot tell is compared here.
      const askSome = async (some: readonly string[]): Promise<void> => {
        const { stdout } = await git(args, { cwd: repository.root, input: Buffer.from(`${some.join('\n')}\n`) });
        for (const [key, hunks] of parsePatches(stdout.toString('latin1'), ignoreSpace)) found.set(key, hunks);
      };
      // Most of the time that an answer takes is git's here: a long history is worth more than one process.
      const each = Math.max(LEAST_PAIRS, Math.ceil(wanted.length / Math.min(MOST_PROCESSES, availableParallelism())));
      const parts = Array.from({ length: Math.ceil(wanted.length / each) }, (_, at) => wanted.slice(at * each, (at + 1) * each));
      await Promise.all(parts.map(askSome));
    },
    between: (before, after) => found.get(`${before} ${after}`),
  };
}

/** As `-w` compares lines. */
export const withoutSpace = (line: string): string => line.replace(/[ \t\v\f\r]+/g, '');

const INDEX = /^index ([0-9a-f]+)\.\.([0-9a-f]+)(?: \d+)?$/;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** By the blobs that they are between. What a line says is never looked at: each hunk says how many it has. */
export function parsePatches(output: string, ignoreSpace = false): Map<string, readonly Hunk[]> {
  const lineOf = (text: string): string => (ignoreSpace ? withoutSpace(text) : text.replace(/\r$/, ''));
  const found = new Map<string, Hunk[]>();
  const lines = output.split('\n');
  let hunks: Hunk[] | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [, before, after] = line.startsWith('index ') ? (INDEX.exec(line) ?? []) : [];
    if (before && after) {
      hunks = [];
      found.set(`${before} ${after}`, hunks);
    }
    const header = line.startsWith('@@ ') ? HUNK.exec(line) : null;
    if (!header || !hunks) continue;
    const [start, gone, come] = [Number(header[1]), Number(header[2] ?? 1), Number(header[3] ?? 1)];
    const take = (sign: string, count: number): string[] => {
      const taken: string[] = [];
      while (taken.length < count && lines[at + 1]?.startsWith(sign)) taken.push(lineOf((lines[++at] ?? '').slice(1)));
      if (lines[at + 1]?.startsWith('\\ ')) at++;
      return taken;
    };
    const [removed, added] = [take('-', gone), take('+', come)];
    // Of what is only added, git names the line that it follows.
    hunks.push({ at: gone === 0 ? start : start - 1, removed, added });
  }
  return found;
}

/** The same where git was not asked. */
export function compareLines(before: readonly string[], after: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  const match = matchLines(before, after);
  let [from, to] = [0, 0];
  const close = (left: number, right: number): void => {
    if (left > from || right > to) hunks.push({ at: from, removed: before.slice(from, left), added: after.slice(to, right) });
  };
  for (const [right, left] of match.entries()) {
    if (left < 0) continue;
    close(left, right);
    [from, to] = [left + 1, right + 1];
  }
  close(before.length, after.length);
  return hunks;
}

/** A list of as many as there are lines, after these hunks. */
export function spliced<Item>(
  items: readonly Item[],
  hunks: readonly Hunk[],
  itemsOf: (hunk: Hunk, offset: number) => readonly Item[],
): Item[] {
  const parts: Item[][] = [];
  let from = 0;
  for (const hunk of hunks) {
    parts.push(items.slice(from, hunk.at), itemsOf(hunk, hunk.at) as Item[]);
    from = hunk.at + hunk.removed.length;
  }
  parts.push(items.slice(from));
  return ([] as Item[]).concat(...parts);
}
