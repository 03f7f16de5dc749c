import { shellWord } from '@piton/contracts';
import type { ReferenceKind, Trustable } from '@piton/hooks';
import { shellPath, withCommandName } from '../command-name.ts';
import type { Context } from '../context.ts';
import { fitLines } from '../output/fit.ts';
import { plural } from '../output/text.ts';
import { visibleText } from '../output/visible-text.ts';
import { changesOf, type FileChange } from './diff.ts';
import { type Budget, fileLines, newBudget, textLines } from './file-lines.ts';

/** Why something that a hook uses is not in its copy, and what follows from that. */
export const REFERENCE_WORDS: Readonly<Record<ReferenceKind, string>> = {
  file: 'a file of the project: it can change without review',
  interpreter: 'runs this file, and is a file of the project: it can change without review',
  missing: 'is not in the copy: the hook will not find it',
  package: 'a package, which is found outside the copy',
  'project-command': "runs what the project's own files say",
  computed: 'is known only when the hook runs',
  unread: 'is too long to be searched for what it uses',
};

export interface Review {
  readonly text: string;
  /** The first lines of it, for after a pager. */
  readonly head: string;
  /** Files that are not shown whole. */
  readonly cut: readonly string[];
}

export interface ReviewOptions {
  /** Everything, however long. */
  readonly whole?: boolean;
  /** Files that earlier reviews of this command have shown, by their content. They are not shown again. */
  readonly shown?: Map<string, string>;
}

/** What a person must see before agreeing: what runs, when, the text of every file that is copied, and what is not. */
export function reviewOf(context: Context, hook: Trustable, { whole = false, shown = new Map() }: ReviewOptions = {}): Review {
  const { paint } = context;
  const state = {
    yes: paint('green', 'trusted'),
    no: paint('yellow', 'not trusted yet'),
    changed: paint('yellow', 'changed since it was trusted'),
  }[hook.trusted];
  const id = visibleText(hook.id);
  const head = [
    `${paint('bold', id)}  ${state}`,
    `  runs on    ${hook.event}`,
    `  source     ${visibleText(shellPath(context, hook.source))}`,
    ...(hook.hash ? [`  hash       ${hook.hash.slice(0, 16)}`] : []),
    ...(hook.may.length > 0 ? [`  may also   ${hook.may.join(', ')}`] : []),
    ...(hook.problem ? [`  ${paint('red', 'problem')}    ${visibleText(hook.problem)}`] : []),
    ...hook.notPinned.map(
      ({ name, file, line, why }) =>
        `  ${paint('yellow', 'not pinned')} ${visibleText(name)} (${visibleText(file)}:${line}): ${REFERENCE_WORDS[why]}`,
    ),
    ...hook.leftOut.map(({ path, why }) => `  excluded   ${visibleText(path)}: ${why}`),
  ].map((line) => fitLines(line, context.width));
  const budget = newBudget(whole);
  const content = contentLines(context, hook, budget, shown);
  const cut = [...new Set(budget.cut)];
  const end =
    cut.length === 0
      ? []
      : [
          paint('yellow', `! Not shown whole: ${cut.map(visibleText).join(', ')}.`),
          paint('yellow', withCommandName(context, `  To see all of it: piton trust --show ${shellWord(id)}`)),
        ];
  return { text: `${[...head, ...content, ...end].join('\n')}\n`, head: `${[...head, ...end].join('\n')}\n`, cut };
}

/** The text of every file, or what is different from the files before. */
export function contentLines(
  context: Context,
  hook: Pick<Trustable, 'id' | 'old' | 'now' | 'main'>,
  budget: Budget,
  shown: Map<string, string>,
): string[] {
  if (!hook.now) return [];
  const { now, main } = hook;
  if (hook.old) {
    const added = (path: string): string[] => now.filter((file) => file.path === path).flatMap((file) => fileLines(context, file, budget));
    return changesOf(hook.old, now).flatMap((change) =>
      change.change === 'added' || change.change === 'binary'
        ? [...changeLines(context, change, budget), ...added(change.path)]
        : changeLines(context, change, budget),
    );
  }
  const first = main.flatMap((path) => now.filter((file) => file.path === path));
  const rest = now.filter(({ path }) => !main.includes(path));
  return [...first, ...rest].flatMap((file) => {
    const key = `${file.path}\0${file.executable}\0${file.bytes.toString('latin1')}`;
    const earlier = shown.get(key);
    if (earlier !== undefined && !main.includes(file.path))
      return [
        `  ${context.paint('bold', visibleText(file.path))}, ${plural(file.bytes.length, 'byte')}, shown with ${visibleText(earlier)}`,
      ];
    const cuts = budget.cut.length;
    const lines = fileLines(context, file, budget);
    if (budget.cut.length === cuts) shown.set(key, hook.id);
    return lines;
  });
}

/** For a listing outside a review, where nothing is decided by it, a long change is cut. */
export function changeLines(context: Context, change: FileChange, budget: Budget = newBudget(false)): string[] {
  const path = visibleText(change.path);
  if (change.change !== 'edited') {
    const words = {
      added: 'new',
      removed: 'gone',
      binary: 'different bytes',
      mode: change.executable ? 'now executable' : 'no longer executable',
    };
    return [`  ${words[change.change].padEnd(10)} ${path}`];
  }
  const colours = { '+': 'green', '-': 'red', ' ': 'dim' } as const;
  const lines = change.lines.map(({ mark, text }) => ({ margin: mark, text, colour: colours[mark] }));
  return [`  edited     ${path}`, ...textLines(context, change.path, lines, budget)];
}
