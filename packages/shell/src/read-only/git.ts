import { isUncertain } from '../walk/marks.ts';
import type { Call } from '../walk/state.ts';

/** These print, whatever they are asked, but for an option that names a file or a program. */
const READING: ReadonlySet<string> = new Set(
  [
    'status log show diff blame annotate shortlog describe grep rev-parse rev-list name-rev merge-base show-ref for-each-ref',
    'ls-files ls-tree cat-file diff-tree diff-index diff-files count-objects check-ignore check-attr whatchanged version',
  ]
    .join(' ')
    .split(' '),
);
const WRITES = /^(?:--(?:output|ext-diff|textconv|filters|open-files-in-pager|contents)|-O)/;

const only =
  (allowed: RegExp): ((args: readonly string[]) => boolean) =>
  (args) =>
    args.every((arg) => allowed.test(arg));

const first =
  (...words: readonly string[]): ((args: readonly string[]) => boolean) =>
  ([word]) =>
    words.includes(word ?? '');

/** These list or change: only what lists is here. */
const LISTING: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  branch: only(/^(?:-[avrq]+|-vv|--(?:list|all|remotes|verbose|show-current|no-color|color(?:=\w+)?))$/),
  tag: only(/^(?:-l|--list)$/),
  remote: (args) => only(/^-v$/)(args) || args[0] === 'get-url',
  stash: first('list', 'show'),
  worktree: first('list'),
  reflog: (args) => args.length === 0 || args[0] === 'show' || /^-/.test(args[0] ?? ''),
  config: first('--get', '--get-all', '--get-regexp', '--list', '-l', 'get', 'list'),
};

/** Whether this `git` reads. Configuration that names a program for its output is the person's own. */
export function isReadingGit({ args }: Pick<Call, 'args'>): boolean {
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '-C') at++;
    else if (!/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(arg)) break;
  }
  const [command = '', ...rest] = args.slice(at);
  if (rest.some((arg) => isUncertain(arg) || WRITES.test(arg))) return false;
  if (READING.has(command)) return true;
  return Object.hasOwn(LISTING, command) && LISTING[command]?.(rest) === true;
}
