import type { Assignment } from '@piton/shell';
import type { Finding } from '../finding.ts';
import { textOf, type Words } from '../named-place.ts';
import { setsHooksPath } from '../programs/git-judge.ts';
import { LIFTING_VARIABLE } from '../programs/piton-command.ts';
import { expand, MOST_TEXTS, type Text } from './expansion.ts';
import { capped, fedTo, linesIn } from './input.ts';
import { plain, type ShellRun } from './shell-run.ts';

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]]*\])?\+?=/;
const GIT_SETTING = /^GIT_CONFIG_(?:KEY_\d+|PARAMETERS)$/;

/** `x='…'` as the value alone. */
export const withoutName = (text: string): string => text.replace(ASSIGNMENT, '');

export function assignOne(run: ShellRun, { name, index, append, value }: Assignment): Finding | undefined {
  const head = `${name}${index === undefined ? '' : '[]'}${append ? '+' : ''}=`;
  const left = assign(run, [expand(value, run.on).map(({ text, glob }) => ({ text: head + text, glob }))]);
  return 'kind' in left ? left : undefined;
}

/** Takes assignments off the front, and remembers them. */
export function assign(run: ShellRun, words: Words): Words | Finding {
  let at = 0;
  for (; at < words.length; at++) {
    const said = words[at] as readonly Text[];
    const name = ASSIGNMENT.exec(said[0]?.text ?? '')?.[1];
    if (name === undefined) break;
    if (name === LIFTING_VARIABLE) return { kind: 'command', command: name };
    if (GIT_SETTING.test(name) && movesGitHooks(run, said)) return { kind: 'place', by: name, place: 'core.hooksPath' };
    run.exported.add(name);
    setFrom(run, name, said);
  }
  return words.slice(at);
}

export function assignAll(run: ShellRun, words: Words): Finding | undefined {
  const left = assign(
    run,
    words.filter((said) => !textOf(said).startsWith('-')),
  );
  return 'kind' in left ? left : undefined;
}

function movesGitHooks(run: ShellRun, said: readonly Text[]): boolean {
  const value = withoutName(textOf(said)).replace(/^'/, '');
  return setsHooksPath(value) && run.grounds.hasPitonGitHooks(run.on.cwd ?? run.grounds.here);
}

function setFrom(run: ShellRun, name: string, said: readonly Text[]): void {
  const to = textOf(said).slice(name.length);
  const before = (/^[+[]/.test(to) || run.isBranch ? run.on.variables.get(name) : undefined) ?? [];
  const values = said.map(({ text, glob }) => ({ text: text.slice(text.indexOf('=') + 1), glob }));
  const joined = to.startsWith('+=')
    ? before.flatMap((had) => values.map(({ text, glob }) => ({ text: had.text + text, glob: had.glob || glob })))
    : [];
  // What is added to an array stands beside what is there.
  const made = before.length === 0 ? values : [...joined, ...values, ...before];
  run.on.budget.left -= made.reduce((sum, { text }) => sum + text.length, 0);
  run.on.variables.set(name, capped(run, made, MOST_TEXTS));
}

/** Where `mapfile` is told no name. */
const UNNAMED: Words = [[plain('MAPFILE')]];

/** `read` and `mapfile`: lines that come in, as variables. */
export function readInto(run: ShellRun, name: string, rest: Words, fed: readonly Text[]): undefined {
  const variables = name === 'read' ? rest : [...rest.slice(-1), ...UNNAMED];
  const lines = linesIn([...fed, ...fedTo(run, run.inputs)]);
  for (const variable of variables) run.on.variables.set(textOf(variable), capped(run, [...run.handed, ...lines], MOST_TEXTS));
}

/** `$0`, `$1`, … and `$@` of a script, a function or `set --`. */
export function setPositional(run: ShellRun, words: Words): void {
  for (const [at, said] of words.entries()) if (at < 10) run.on.variables.set(String(at), said);
  const all = capped(run, words.slice(1).flat(), MOST_TEXTS);
  for (const name of ['@', '*']) run.on.variables.set(name, all);
}
