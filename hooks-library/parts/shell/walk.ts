import { posix } from 'node:path';
import { builtinOf } from './builtins.ts';
import { choicesOf, expandText, expandWord, kept } from './expand.ts';
import { HIDDEN, OUTPUT, UNKNOWN, unmarked } from './marks.ts';
import { outputOf } from './outputs.ts';
import { plainText, readScript } from './read-script.ts';
import { type Call, newState, type State, type Surroundings, spend } from './state.ts';
import type { Assignment, Command, Definition, Element, Redirection, Script } from './syntax.ts';
import { unwrapped } from './wrappers.ts';

export interface Walked {
  readonly calls: readonly Call[];
  /** There was more than could be looked at. */
  readonly lost: boolean;
}

const DEEPEST = 12;
/** Nobody writes a line like that; a file may be that long, and is then given by its name. */
const LONGEST = 262_144;
/** What makes other text the commands of a shell. It stands as a call of its own, for rules to see. */
export const HIDDEN_SCRIPT = 'hidden-script';
export const FORK_BOMB = 'fork-bomb';

/** Every program that a command line would start, as far as that can be told without starting any. */
export function walkCommand(text: string, surroundings: Surroundings): Walked {
  const state = newState(surroundings);
  if (text.length > LONGEST) return { calls: [], lost: true };
  walkText(text, state);
  return { calls: state.calls, lost: state.budget.lost };
}

/** A text that a shell would read: `bash -c`, `eval`, a pipe into `sh`. */
export function walkText(text: string, state: State): string {
  if (text.includes(HIDDEN)) state.calls.push({ program: HIDDEN_SCRIPT, args: [], variables: {}, cwd: state.here, writes: [] });
  if (!spend(state, 1 + text.length / 64)) return OUTPUT;
  const { script, lost } = readScript(unmarkedUnknown(text), state.depth);
  if (lost) state.budget.lost = true;
  return walkScript(script, state);
}

/** Marks cannot be read again: what is unknown becomes a name that nobody has. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's
const unmarkedUnknown = (text: string): string => unmarked(text).replace(/[\uE003-\uE005\uE009]/g, '${UNKNOWN_TO_PITON}');

export function walkScript(script: Script, state: State): string {
  if (state.depth >= DEEPEST) {
    state.budget.lost = true;
    return OUTPUT;
  }
  state.depth++;
  let output = '';
  for (const pipeline of script) {
    let input: string | undefined;
    for (const element of pipeline) input = walkElement(element, input, state);
    if (output.length < 8192) output += input === undefined || input === '' || input.endsWith('\n') ? (input ?? '') : `${input}\n`;
  }
  state.depth--;
  return output;
}

function walkElement(element: Element, input: string | undefined, state: State): string {
  if (!spend(state, 1)) return OUTPUT;
  switch (element.kind) {
    case 'command':
      return walkSimple(element, input, state);
    case 'group': {
      const { here } = state;
      const output = walkScript(element.body, state);
      if (element.subshell) state.here = here;
      for (const target of writesOf(element.redirections, state, 0))
        state.calls.push({ program: ':', args: [], variables: {}, cwd: state.here, writes: [target] });
      return output;
    }
    case 'function':
      if (callsItselfTwice(element)) state.calls.push({ program: FORK_BOMB, args: [], variables: {}, cwd: state.here, writes: [] });
      // Also looked at where nobody calls it: it may be called by a way that we do not see.
      walkScript(element.body, state);
      state.functions.set(element.name, element.body);
      return '';
    case 'loop': {
      const values = element.words.flatMap((word) => expandWord(word, state, 0, substituteIn(state)));
      state.variables.set(element.name, values.length === 0 ? [[UNKNOWN]] : values.map((value) => [value]));
      return '';
    }
  }
}

function callsItselfTwice({ name, body }: Definition): boolean {
  const isItself = (element: Element): boolean => element.kind === 'command' && plainText(element.words[0]) === name;
  return body.some((pipeline) => pipeline.filter(isItself).length > 1);
}

const substituteIn =
  (state: State) =>
  (body: Script): string =>
    walkScript(body, state);

function walkSimple(command: Command, input: string | undefined, state: State): string {
  let output = '';
  const everything = [...command.words, ...command.redirections.flatMap(({ target, body }) => (body ? [target, body] : [target]))];
  const choices = choicesOf(everything, state);
  for (let choice = 0; choice < choices; choice++) {
    const substitute = substituteIn(state);
    const variables = assign(command.assignments, state, choice);
    const words = command.words.flatMap((word) => expandWord(word, state, choice, substitute));
    if (!spend(state, 1 + words.length / 8)) return OUTPUT;
    const stdin = stdinOf(command.redirections, input, state, choice);
    const writes = writesOf(command.redirections, state, choice);
    output = walkWords(words, { variables, writes, ...(stdin !== undefined && { stdin }) }, state);
  }
  return output;
}

/** Assignments before a command hold for it alone; we keep them, which errs on the careful side. */
function assign(assignments: readonly Assignment[], state: State, choice: number): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const { name, values, append } of assignments) {
    const list = values.map((word) => kept(expandText(word, state, choice, substituteIn(state))));
    remember(state, name, list, append);
    variables[name] = list.join(' ');
  }
  return variables;
}

const MOST_VALUES = 8;

export function remember(state: State, name: string, list: string[], append = false): void {
  const before = state.variables.get(name) ?? [];
  const last = before.at(-1);
  const next = append && last ? (list.length === 1 && last.length === 1 ? [`${last[0]}${list[0]}`] : [...last, ...list]) : list;
  state.variables.set(name, [...before, next].slice(-MOST_VALUES));
}

function stdinOf(redirections: readonly Redirection[], input: string | undefined, state: State, choice: number): string | undefined {
  let stdin = input;
  for (const { operator, target, body } of redirections) {
    if (body) stdin = expandText(body, state, choice, substituteIn(state));
    else if (operator === '<<<') stdin = expandText(target, state, choice, substituteIn(state));
    else if (operator === '<' || operator === '<>') {
      const name = expandText(target, state, choice, substituteIn(state));
      stdin = name.startsWith('/dev/fd/') ? name.slice('/dev/fd/'.length) : OUTPUT;
    }
  }
  return stdin;
}

function writesOf(redirections: readonly Redirection[], state: State, choice: number): string[] {
  return redirections
    .filter(({ operator }) => operator.includes('>'))
    .map(({ target }) => expandWord(target, state, choice, substituteIn(state)).join(' '))
    .filter((target) => target !== '' && !/^(?:\d+|-)$/.test(target));
}

export type CallRest = Pick<Call, 'variables' | 'writes' | 'stdin'>;

/** One command whose words are known: what it wraps, what it makes a shell read, and in the end the call itself. */
export function walkWords(words: readonly string[], rest: CallRest, state: State): string {
  const [first = '', ...args] = words;
  const name = unmarked(first);
  const program = name.includes('/') && !name.endsWith('/') ? posix.basename(name) : name;
  const call: Call = { program, args, cwd: state.here, ...rest };
  if (words.length === 0) {
    if (rest.writes.length > 0) state.calls.push({ ...call, program: ':' });
    return '';
  }
  if (first.includes(HIDDEN)) state.calls.push({ ...call, program: HIDDEN_SCRIPT });
  const inner = unwrapped(program, args);
  if (inner) {
    const variables = { ...rest.variables, ...Object.fromEntries(inner.assigned.map((each) => splitOnce(each))) };
    return deeper(state, () => walkWords(inner.words, { ...rest, variables }, state));
  }
  const body = state.functions.get(name);
  if (body) return callFunction(name, body, words, state);
  const alias = state.aliases.get(name);
  if (alias !== undefined) {
    state.aliases.delete(name); // an alias does not expand in itself
    const quoted = args.map((arg) => (/^[\w./~=:@%+-]+$/.test(arg) ? arg : unmarkedArgument(arg)));
    const output = deeper(state, () => walkText(`${alias} ${quoted.join(' ')}`, state));
    state.aliases.set(name, alias);
    return output;
  }
  state.calls.push(call);
  return builtinOf(program)?.(call, state) ?? outputOf(call, state);
}

/** Globs stay globs; anything else that a shell would read is quoted. */
const unmarkedArgument = (arg: string): string =>
  [...arg].map((char) => (/[\uE000-\uE009]/.test(char) ? unmarkedUnknown(char) : `\\${char}`)).join('');

const splitOnce = (text: string): [string, string] => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];

/** One that calls itself is looked at once. */
function callFunction(name: string, body: Script, words: readonly string[], state: State): string {
  const { positional } = state;
  state.positional = words;
  state.functions.delete(name);
  const output = walkScript(body, state);
  state.functions.set(name, body);
  state.positional = positional;
  return output;
}

export function deeper<T>(state: State, walk: () => T): T | string {
  if (state.depth >= DEEPEST) {
    state.budget.lost = true;
    return OUTPUT;
  }
  state.depth++;
  const value = walk();
  state.depth--;
  return value;
}
