import { automaton } from './automaton.ts';
import { programOf } from './program.ts';
import { parsePattern, Refused } from './syntax.ts';

export type Pattern = { readonly ok: true; readonly test: (text: string) => boolean } | { readonly ok: false; readonly problem: string };

const LONGEST_PATTERN = 1000;

/**
 * A regular expression that runs in linear time. A project's pattern is compared on the agent's path with a text that the
 * model wrote, so JavaScript's own backtracking is not used. The language is JavaScript's without look-around, back-references
 * and the `u` and `v` flags.
 */
export function compilePattern(source: string, flags: string): Pattern {
  if (source.length > LONGEST_PATTERN) return { ok: false, problem: `is longer than ${LONGEST_PATTERN} characters` };
  if (!/^[ims]*$/.test(flags)) return { ok: false, problem: `has other flags than i, m and s` };
  try {
    new RegExp(source, flags);
  } catch (error) {
    return { ok: false, problem: `is not a regular expression: ${(error as Error).message}` };
  }
  try {
    const node = parsePattern(source, { caseless: flags.includes('i'), lines: flags.includes('m'), dotAll: flags.includes('s') });
    return { ok: true, test: automaton(programOf(node)) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, problem: error.message };
    throw error;
  }
}
