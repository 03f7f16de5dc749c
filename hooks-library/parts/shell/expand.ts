import { activated, braceExpanded, OUTPUT, SOMETHING, UNKNOWN, unmarked } from './marks.ts';
import { type State, spend } from './state.ts';
import type { Part, Script, Word } from './syntax.ts';

/** Runs what stands in `$( … )` in mind, and gives back what it would print. */
export type Substitute = (body: Script) => string;

const LONGEST = 8192;
const MOST_CHOICES = 8;

/** Of how many values of its variables a command must be looked at. */
export function choicesOf(words: readonly Word[], state: State): number {
  let most = 1;
  const look = (word: Word): void => {
    for (const part of word) {
      if (part.kind !== 'variable') continue;
      most = Math.max(most, state.variables.get(part.name)?.length ?? 1);
      look(part.operand);
    }
  };
  for (const word of words) look(word);
  return Math.min(most, MOST_CHOICES);
}

/** One word as the shell would make words of it: expanded, split, its braces written out. `choice`: of variables with many values, which. */
export function expandWord(word: Word, state: State, choice: number, substitute: Substitute): string[] {
  const fields: string[] = [];
  let current = '';
  let begun = false;
  const add = (text: string): void => {
    begun = true;
    if (current.length < LONGEST) current += text;
  };
  /** Unquoted: white space inside ends a word. */
  const addSplit = (text: string): void => {
    const pieces = activated(text).split(/[ \t\n]+/);
    pieces.forEach((piece, at) => {
      if (at > 0 && begun) {
        fields.push(current);
        current = '';
        begun = false;
      }
      if (piece !== '') add(piece);
    });
  };
  for (const part of word) {
    if (part.kind === 'variable') {
      const values = variableValue(part, state, choice, substitute);
      if (part.quoted) add(values.join(' '));
      else addSplit(values.join(' '));
    } else if (part.kind === 'substitution') {
      const output = substitute(part.body).replace(/\n+$/, '');
      if (part.quoted) add(output);
      else addSplit(output);
    } else add(plainPart(part, state, substitute));
  }
  if (begun) fields.push(current);
  spend(state, fields.reduce((sum, field) => sum + field.length, 0) / 256);
  return fields.flatMap(braceExpanded);
}

function plainPart(part: Exclude<Part, { kind: 'variable' } | { kind: 'substitution' }>, state: State, substitute: Substitute): string {
  if (part.kind === 'text') return part.text;
  if (part.kind === 'number') return SOMETHING;
  if (part.kind === 'tilde') return part.user === '' ? state.home : part.user === 'root' ? '/root' : `/home/${part.user}`;
  // A file that holds what the commands print: `bash <(echo …)`.
  return `/dev/fd/${substitute(part.body)}`;
}

/** A word as one text: in an assignment, a here-document, behind a redirection. */
export const expandText = (word: Word, state: State, choice: number, substitute: Substitute): string => {
  const quoted = word.map((part) => (part.kind === 'variable' || part.kind === 'substitution' ? { ...part, quoted: true } : part));
  return expandWord(quoted, state, choice, substitute).join(' ');
};

function variableValue(part: Extract<Part, { kind: 'variable' }>, state: State, choice: number, substitute: Substitute): string[] {
  const { name, operator, operand } = part;
  const known = lookUp(name, state, choice);
  const isSet = known !== undefined && known.join('') !== '';
  const other = (): string[] => [expandText(operand, state, choice, substitute)];
  if (/^:?[-=]/.test(operator)) return isSet ? known : other();
  if (/^:?\?/.test(operator)) return isSet ? known : [SOMETHING];
  if (/^:?\+/.test(operator)) return known === undefined || isSet ? other() : [''];
  return known ?? [UNKNOWN];
}

function lookUp(name: string, state: State, choice: number): string[] | undefined {
  const values = state.variables.get(name);
  if (values) return values[Math.min(choice, values.length - 1)];
  if (name.startsWith('!')) {
    const pointed = lookUp(name.slice(1), state, choice)?.join('');
    return pointed === undefined || pointed.startsWith('!') ? undefined : lookUp(pointed, state, choice);
  }
  if (name === '@' || name === '*') return state.positional.length > 0 ? [...state.positional.slice(1)] : undefined;
  if (/^\d$/.test(name)) return state.positional.length > 0 ? [state.positional[Number(name)] ?? ''] : undefined;
  return WELL_KNOWN[name]?.(state);
}

const WELL_KNOWN: Readonly<Record<string, (state: State) => string[]>> = {
  HOME: ({ home }) => [home],
  PWD: ({ here }) => [here],
  IFS: () => [' \t\n'],
  TMPDIR: () => ['/tmp'],
  CLAUDE_PROJECT_DIR: ({ repo, cwd }) => [repo ?? cwd],
  USER: () => [SOMETHING],
  LOGNAME: () => [SOMETHING],
  RANDOM: () => [SOMETHING],
  $: () => [SOMETHING],
  '?': () => ['0'],
  '#': () => [SOMETHING],
};

/** What a variable keeps: a `*` is a character again, and what a command gave out is merely unknown. */
export const kept = (value: string): string => unmarked(value).replaceAll(OUTPUT, UNKNOWN);
