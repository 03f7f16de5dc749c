import { posix } from 'node:path';
import { readShell } from '../read/read-script.ts';
import type { Assignment, Command, Definition, Element, Redirection, Script, Word } from '../read/syntax.ts';
import { builtinOf } from './builtins.ts';
import { expandText, expandWord, type Scope } from './expand.ts';
import { HIDDEN, OUTPUT, UNKNOWN, UNKNOWN_VARIABLE, unmarked } from './marks.ts';
import { outputOf } from './outputs.ts';
import { choicesOf, kept, scopeOf } from './scope.ts';
import { type Call, newState, type State, type Surroundings, spend } from './state.ts';
import { unwrapped } from './wrappers.ts';

export interface Walked {
  readonly calls: readonly Call[];
  /** What stands before a call and only starts it, such as `timeout 5`. */
  readonly wrappers: readonly Pick<Call, 'program' | 'path' | 'args'>[];
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
  if (text.length > LONGEST) return { calls: [], wrappers: [], lost: true };
  walkText(text, state);
  return { calls: state.calls, wrappers: state.wrappers, lost: state.budget.lost };
}

/** A text that a shell would read: `bash -c`, `eval`, a pipe into `sh`. */
export function walkText(text: string, state: State): string {
  if (text.includes(HIDDEN)) state.calls.push({ program: HIDDEN_SCRIPT, args: [], variables: {}, cwd: state.here, writes: [] });
  if (!spend(state, 1 + text.length / 64)) return OUTPUT;
  const { script, complete } = readShell(unmarkedUnknown(text));
  if (!complete) state.budget.lost = true;
  return walkScript(script, state);
}

/** Marks cannot be read again: what is unknown becomes a name that nobody has. */
const unmarkedUnknown = (text: string): string => unmarked(text).replace(/[\uE003-\uE005\uE009]/g, UNKNOWN_VARIABLE);

/** `input`: what its commands read where nothing else is said. */
export function walkScript(script: Script, state: State, input?: string): string {
  if (state.depth >= DEEPEST) {
    state.budget.lost = true;
    return OUTPUT;
  }
  state.depth++;
  let output = '';
  for (const pipeline of script) {
    let passed = input;
    for (const element of pipeline) passed = walkElement(element, passed, state);
    if (output.length < 8192) output += passed === undefined || passed === '' || passed.endsWith('\n') ? (passed ?? '') : `${passed}\n`;
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
      const outside = element.opener === '(' ? keptState(state) : undefined;
      const scope = scopeIn(state, 0);
      const output = walkScript(element.body, state, stdinOf(element.redirections, input, scope));
      outside?.();
      for (const target of writesOf(element.redirections, scope))
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
      const values = expandAll(element.words, state, scopeIn(state, 0));
      state.variables.set(element.name, values.length === 0 ? [[UNKNOWN]] : values.map((value) => [value]));
      return '';
    }
    case 'operands':
      for (const word of element.words) expandText(word, scopeIn(state, 0));
      return '';
    case 'unread':
      state.budget.lost = true;
      return OUTPUT;
  }
}

/** Whatever a subshell sets ends with it: gives back what was there before. */
function keptState(state: State): () => void {
  const { here, positional } = state;
  const maps = [state.variables, state.aliases, state.functions] as const;
  const before = maps.map((map) => [...map]);
  return () => {
    state.here = here;
    state.positional = positional;
    for (const [at, map] of maps.entries()) {
      map.clear();
      for (const [name, value] of before[at] as [string, never][]) map.set(name, value);
    }
  };
}

function callsItselfTwice({ name, body }: Definition): boolean {
  const isItself = (element: Element): boolean => element.kind === 'command' && plainText(element.words[0]) === name;
  const inside = body.flatMap((pipeline) => pipeline.flatMap((element) => (element.kind === 'group' ? element.body : [])));
  return inside.some((pipeline) => pipeline.filter(isItself).length > 1);
}

const plainText = (word: Word | undefined): string => (word ?? []).map((part) => (part.kind === 'text' ? part.text : '')).join('');

const scopeIn = (state: State, choice: number): Scope => scopeOf(state, choice, (script) => walkScript(script, state));

function expandAll(words: readonly Word[], state: State, scope: Scope): string[] {
  const fields = words.flatMap((word) => expandWord(word, scope));
  spend(state, fields.reduce((sum, field) => sum + field.length, 0) / 256);
  return fields;
}

function walkSimple(command: Command, input: string | undefined, state: State): string {
  let output = '';
  const everything = [...command.words, ...command.redirections.flatMap(({ target, body }) => (body ? [target, body] : [target]))];
  const choices = choicesOf(everything, state);
  const separators = state.variables.get('IFS');
  for (let choice = 0; choice < choices; choice++) {
    const scope = scopeIn(state, choice);
    const unset = command.assignments.filter(({ name }) => !state.variables.has(name));
    const variables = assign(command.assignments, state, scope);
    const words = expandAll(command.words, state, scope);
    if (!spend(state, 1 + words.length / 8)) return OUTPUT;
    const stdin = stdinOf(command.redirections, input, scope);
    const writes = writesOf(command.redirections, scope);
    output = walkWords(words, { variables, writes, ...(stdin !== undefined && { stdin }) }, state);
    if (words.length > 0) for (const { name } of unset) remember(state, name, [UNKNOWN]);
    // Unlike others it is not kept: what it splits differently after this command would not be seen.
    if (words.length > 0 && variables.IFS !== undefined) {
      if (separators === undefined) state.variables.delete('IFS');
      else state.variables.set('IFS', separators);
    }
  }
  return output;
}

/** Assignments before a command hold for it alone, or in some shells for what follows too: what a name had before counts as well. */
function assign(assignments: readonly Assignment[], state: State, scope: Scope): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const { name, value, append, index } of assignments) {
    const [only] = value;
    const list = only?.kind === 'array' ? only.values.flatMap((word) => expandWord(word, scope)) : [expandText(value, scope)];
    // Of an array only what is assigned as a whole is known.
    remember(state, name, index === undefined ? list.map(kept) : [UNKNOWN], append);
    if (index !== undefined) expandText(index, scope);
    variables[name] = list.map(kept).join(' ');
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

function stdinOf(redirections: readonly Redirection[], input: string | undefined, scope: Scope): string | undefined {
  let stdin = input;
  for (const { operator, target, body } of redirections) {
    if (body) stdin = expandText(body, scope);
    else if (operator === '<<<') stdin = expandText(target, scope);
    else if (operator === '<' || operator === '<>') {
      const name = expandText(target, scope);
      stdin = name.startsWith('/dev/fd/') ? name.slice('/dev/fd/'.length) : OUTPUT;
    }
  }
  return stdin;
}

function writesOf(redirections: readonly Redirection[], scope: Scope): string[] {
  return redirections
    .filter(({ operator }) => operator.includes('>'))
    .map(({ target }) => expandWord(target, scope).join(' '))
    .filter((target) => target !== '' && !/^(?:\d+-?|-)$/.test(target));
}

export type CallRest = Pick<Call, 'variables' | 'writes' | 'stdin'>;

/** One command whose words are known: what it wraps, what it makes a shell read, and in the end the call itself. */
export function walkWords(words: readonly string[], rest: CallRest, state: State): string {
  const [first = '', ...args] = words;
  const name = unmarked(first);
  const program = name.includes('/') && !name.endsWith('/') ? posix.basename(name) : name;
  const call: Call = { program, ...(program !== name && { path: name }), args, cwd: state.here, ...rest };
  if (words.length === 0) {
    if (rest.writes.length > 0) state.calls.push({ ...call, program: ':' });
    return '';
  }
  if (first.includes(HIDDEN)) state.calls.push({ ...call, program: HIDDEN_SCRIPT });
  const inner = unwrapped(program, args);
  if (inner) {
    state.wrappers.push({ ...call, args: args.slice(0, args.length - inner.words.length) });
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
