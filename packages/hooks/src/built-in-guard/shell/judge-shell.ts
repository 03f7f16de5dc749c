import { type Command, type Element, type Group, type Redirection, readShell, type Script, type Word } from '@piton/shell';
import type { Finding } from '../finding.ts';
import { type Grounds, placeNamed, textOf, type Words } from '../named-place.ts';
import { SPEAKERS, WRAPPERS } from '../programs/known-programs.ts';
import { expand, MOST_TEXTS, type Surroundings } from './expansion.ts';
import { capped, fedTo, passOn, save, writtenIn } from './input.ts';
import { printedText } from './printed-text.ts';
import { nameOf } from './program-name.ts';
import { runAny } from './run-words.ts';
import { isPlain, isWrite, scriptsIn, wordsIn } from './script-parts.ts';
import { firstOf, innerOf, newRun, plain, type ShellRun } from './shell-run.ts';
import { assignOne, setPositional } from './variables.ts';
import { WrittenFiles } from './written-files.ts';

const MOST_CHARACTERS = 2_000_000;
const DEEPEST = 8;
const MOST_INPUTS = 8;

/** Would this command line change something of Piton's own, other than by reading it? */
export function judgeShell(text: string, cwd: string, grounds: Grounds): Finding | undefined {
  const variables = new Map(Object.entries(grounds.variables).map(([name, value]) => [name, [plain(value)]] as const));
  const budget = { left: MOST_CHARACTERS, lost: false };
  const spend = (amount: number): boolean => {
    budget.left -= amount;
    return budget.left >= 0;
  };
  const counted = { ...grounds, spend };
  const run = newRun({
    grounds: counted,
    shared: { budget, files: new WrittenFiles(), functions: new Map(), aliases: new Map() },
    cwd,
    variables,
    depth: 0,
    exported: new Set(),
  });
  const found = judgeText(run, text);
  return found ?? (budget.lost || budget.left < 0 ? unreadable(text, grounds) : undefined);
}

/** Too much to be read to its end. Where it speaks of us that is a no; else a person has to look. */
function unreadable(text: string, grounds: Grounds): Finding {
  const mark = grounds.markIn(text);
  return mark === undefined ? { kind: 'unread' } : { kind: 'place', by: 'a command that is too long to parse', place: mark };
}

export function judgeText(run: ShellRun, text: string): Finding | undefined {
  const { budget } = run.shared;
  budget.left -= text.length;
  if (run.depth > DEEPEST || budget.left < 0) {
    budget.lost = true;
    return run.grounds.markIn(text) === undefined ? undefined : unreadable(text, run.grounds);
  }
  return judgeScript(run, readShell(text).script);
}

/** In a shell of its own. */
export const judgeInside = (run: ShellRun, text: string): Finding | undefined => judgeText(innerOf(run), text);

function judgeScript(run: ShellRun, script: Script, piped = false): Finding | undefined {
  for (const pipeline of script) {
    let reads = piped;
    for (const element of pipeline) {
      if (!reads) run.handed = run.said = [];
      const found = judgeElement(run, element, reads);
      if (found !== undefined) return found;
      reads = true;
    }
  }
  return undefined;
}

function judgeElement(run: ShellRun, element: Element, piped: boolean): Finding | undefined {
  switch (element.kind) {
    case 'command':
      return judgeCommand(run, element);
    case 'group':
      return judgeGroup(run, element, piped);
    case 'function':
      run.shared.functions.set(element.name, element.body);
      return judgeScript(run, element.body);
    case 'loop': {
      const values = element.words.flatMap((word) => expand(word, run.on));
      run.on.variables.set(element.name, capped(run, values, MOST_TEXTS));
      return judgeNested(run, element.words);
    }
    case 'operands':
      return judgeNested(run, element.words);
    case 'unread':
      run.shared.budget.lost = true;
      return run.grounds.markIn(element.text) === undefined ? undefined : unreadable(element.text, run.grounds);
  }
}

function judgeGroup(run: ShellRun, { opener, body, redirections }: Group, piped: boolean): Finding | undefined {
  const before = {
    cwd: run.on.cwd,
    inputs: run.inputs,
    isBranch: run.isBranch,
    variables: opener === '(' ? new Map(run.on.variables) : undefined,
  };
  const found = judgeNested(run, wordsIn(redirections)) ?? judgeWrites(run, redirections);
  if (found !== undefined) return found;
  run.inputs = [...run.inputs, ...redirections].slice(-MOST_INPUTS);
  if (opener !== '(' && opener !== '{') run.isBranch = true;
  const inside = judgeScript(run, body, piped);
  run.inputs = before.inputs;
  run.isBranch = before.isBranch;
  if (opener === '(') run.on.cwd = before.cwd;
  if (before.variables !== undefined) restore(run.on.variables, before.variables);
  save(run, redirections);
  return inside;
}

/** What a subshell assigns ends with it. */
function restore(now: Surroundings['variables'], before: Surroundings['variables']): void {
  for (const name of now.keys()) if (!before.has(name)) now.delete(name);
  for (const [name, values] of before) now.set(name, values);
}

/** A function as it is called: with these words, and no deeper than anything else. */
export function judgeFunction(run: ShellRun, words: Words): Finding | undefined {
  const body = run.shared.functions.get(textOf(words[0]));
  if (body === undefined) return undefined;
  const inner = innerOf(run);
  if (inner.depth > DEEPEST) {
    run.shared.budget.lost = true;
    return undefined;
  }
  setPositional(inner, words);
  return judgeScript(inner, body);
}

function judgeCommand(run: ShellRun, command: Command): Finding | undefined {
  const { assignments, redirections } = command;
  const exported = assignments.length > 0 && command.words.length > 0 ? new Set(run.exported) : undefined;
  const found =
    judgeNested(run, command.words) ??
    (redirections.length > 0 ? (judgeNested(run, wordsIn(redirections)) ?? judgeWrites(run, redirections)) : undefined) ??
    firstOf(
      assignments,
      (each) => judgeNested(run, each.index === undefined ? [each.value] : [each.value, each.index]) ?? assignOne(run, each),
    );
  if (found !== undefined) return found;
  const words = command.words.map((word) => expand(word, run.on)).filter((texts) => texts[0]?.text !== '');
  const fed = redirections.length > 0 ? fedTo(run, redirections) : [];
  const finding = runAny(run, words, fed);
  const own = words.slice(
    Math.max(
      0,
      words.findIndex((said) => !WRAPPERS.has(nameOf([said]))),
    ),
  );
  const name = nameOf(own);
  const shown = name === 'cat' ? own.slice(1).flatMap((said) => writtenIn(run, said)) : [];
  if (name === 'tee') for (const said of own.slice(1)) run.shared.files.add(textOf(said), run.on.cwd, run.said);
  const spoken = SPEAKERS.has(name) ? [printedText(name, own.slice(1))] : [];
  passOn(run, own, [...spoken, ...words.flat(), ...fed, ...shown]);
  if (redirections.length > 0) save(run, redirections);
  // `NAME=value program` is for that program alone.
  if (exported !== undefined) for (const each of run.exported) if (!exported.has(each)) run.exported.delete(each);
  return finding;
}

/** Substitutions run before the command does. */
function judgeNested(run: ShellRun, words: readonly Word[]): Finding | undefined {
  for (const word of words) {
    if (isPlain(word)) continue;
    for (const script of scriptsIn(word)) {
      const found = judgeScript(innerOf(run), script);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function judgeWrites(run: ShellRun, redirections: readonly Redirection[]): Finding | undefined {
  for (const { target } of redirections.filter(isWrite)) {
    const place = placeNamed(expand(target, run.on), run.on.cwd, run.grounds, 'look');
    if (place !== undefined) return { kind: 'place', by: 'the redirection', place: place.path };
  }
  return undefined;
}
