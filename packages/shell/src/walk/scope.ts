import type { Script, Word } from '../read/syntax.ts';
import type { Scope } from './expand.ts';
import { OUTPUT, SOMETHING, UNKNOWN, unmarked } from './marks.ts';
import type { State } from './state.ts';

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

/** `choice`: of variables with many values, which. */
export const scopeOf = (state: State, choice: number, outputOf: (script: Script) => string): Scope => ({
  home: state.home,
  valuesOf: (name) => lookUp(name, state, choice),
  separators: () => separatorsOf(state),
  // It may have been set before, or in a shell that ends here.
  assign: (name, value) => void state.variables.set(name, [[kept(value)], [UNKNOWN]]),
  outputOf,
});

function lookUp(name: string, state: State, choice: number): readonly string[] | undefined {
  const values = state.variables.get(name);
  if (values) return values[Math.min(choice, values.length - 1)];
  if (name.startsWith('!')) {
    const pointed = lookUp(name.slice(1), state, choice)?.join('');
    return pointed === undefined || pointed.startsWith('!') ? undefined : lookUp(pointed, state, choice);
  }
  if (name === '@' || name === '*') return state.positional.length > 0 ? state.positional.slice(1) : undefined;
  if (/^\d$/.test(name)) return state.positional.length > 0 ? [state.positional[Number(name)] ?? ''] : undefined;
  return Object.hasOwn(WELL_KNOWN, name) ? WELL_KNOWN[name]?.(state) : undefined;
}

const BLANKS = ' \t\n';

/** Which assignment of `IFS` counts is for the run to know: too many words are looked at rather than too few. */
export const separatorsOf = (state: State): string => [...new Set((state.variables.get('IFS') ?? [[BLANKS]]).flat().join(''))].join('');

const WELL_KNOWN: Readonly<Record<string, (state: State) => string[]>> = {
  HOME: ({ home }) => [home],
  PWD: ({ here }) => [here],
  IFS: () => [BLANKS],
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
