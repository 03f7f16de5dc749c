import type { Redirection, Script, Word } from '@piton/shell';
import { textOf, type Words } from '../named-place.ts';
import { segmentsOf } from '../path-segments.ts';
import { foundBy } from '../programs/find.ts';
import { PATH_PRINTERS, SPEAKERS } from '../programs/known-programs.ts';
import { expand, MOST_TEXTS, type Text } from './expansion.ts';
import { printedText } from './printed-text.ts';
import { nameOf } from './program-name.ts';
import { commandsIn, isOutput, isWrite } from './script-parts.ts';
import type { ShellRun } from './shell-run.ts';

/** What a pipe passes on: enough for any list that somebody writes out. */
export const MOST_HANDED = 4096;

/** What comes to its standard input, as far as this command line tells. */
export function fedTo(run: ShellRun, redirections: readonly Redirection[]): Text[] {
  return redirections.flatMap(({ operator, target, body }) => {
    if (body !== undefined || operator === '<<<') return expand(body ?? target, run.on);
    return operator === '<' || operator === '<&' ? heldBy(run, target) : [];
  });
}

/** What a file holds that was written here, or is another command's output. */
function heldBy(run: ShellRun, word: Word): readonly Text[] {
  const texts = expand(word, run.on);
  return word.some(isOutput) ? texts : writtenIn(run, texts);
}

export const writtenIn = (run: ShellRun, said: readonly Text[] | undefined): readonly Text[] =>
  run.shared.files.in(textOf(said), run.on.cwd);

/** What was printed so far is in these files now. */
export function save(run: ShellRun, redirections: readonly Redirection[]): void {
  for (const { target } of redirections.filter(isWrite))
    for (const { text } of expand(target, run.on)) run.shared.files.add(text, run.on.cwd, run.said);
}

/** What a command passes on through a pipe. */
export function passOn(run: ShellRun, words: Words, spoken: readonly Text[]): void {
  run.said = capped(run, [...run.said, ...spoken]);
  const name = nameOf(words);
  if (!PATH_PRINTERS.has(name)) return;
  const paths = name === 'find' ? foundBy(words.slice(1), run.on.cwd, run.grounds) : words.slice(1).flat();
  run.handed = capped(run, [...run.handed, ...paths]);
}

const FEW = 64;
const GIT_DIRECTORY: Text = { text: '.git', glob: false };

/** What is left out here may be ours: then nobody has read this command to its end. */
export function capped(run: ShellRun, texts: readonly Text[], most = MOST_HANDED): readonly Text[] {
  if (texts.length <= FEW) return texts;
  const different = [...new Map(texts.map((each) => [each.text, each])).values()];
  if (different.length <= most) return different;
  run.on.budget.lost = true;
  return different.slice(0, most);
}

/** What a substitution prints: the paths that a command which prints paths was given. */
export function printedBy(run: ShellRun, script: Script): readonly Text[] {
  const printed: Text[] = [];
  let { cwd } = run.on;
  for (const { words: all, redirections } of commandsIn(script)) {
    const words = all.map((word) => expand(word, run.on));
    const name = nameOf(words);
    if (name === 'cd') cwd = `/${segmentsOf(textOf(words[1]) || '~', cwd).names.join('/')}`;
    if (name === 'pwd' && cwd !== null) printed.push({ text: cwd, glob: /[*?[]/.test(cwd) });
    if (name === 'basename')
      printed.push(
        ...words
          .slice(1)
          .flat()
          .map(({ text, glob }) => ({ text: text.replace(/^.*\//s, ''), glob })),
      );
    if (name === 'git' && words.some((said) => /^--(?:absolute-git-dir|git-dir|git-common-dir)$/.test(textOf(said))))
      printed.push(GIT_DIRECTORY);
    if (PATH_PRINTERS.has(name)) printed.push(...words.slice(1).flat());
    if (SPEAKERS.has(name) && words.length > 2) printed.push(printedText(name, words.slice(1)));
    if (name === 'cat') {
      const shown = [...fedTo(run, redirections), ...all.slice(1).flatMap((word) => heldBy(run, word))];
      printed.push(...linesIn(shown), ...shown);
    }
  }
  return capped(
    run,
    printed.filter(({ text }) => !text.startsWith('-')),
    MOST_TEXTS,
  );
}

export const linesIn = (fed: readonly Text[]): Text[] =>
  fed.flatMap(({ text, glob }) => text.split(/\s+/, MOST_HANDED).flatMap((line) => (line === '' ? [] : [{ text: line, glob }])));
