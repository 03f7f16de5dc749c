import type { Call, Surroundings } from '@piton/shell';

/** Why a call must not run, and what to do instead. */
export interface Finding {
  readonly what: string;
  readonly instead: string;
  /** Not certain enough to deny: a person decides. */
  readonly ask?: true;
}

export type Rule = (call: Call, surroundings: Surroundings) => Finding | undefined;
/** By the name of the program. */
export type Rules = Readonly<Record<string, Rule>>;

/** Is a short option set, alone or in a cluster (`-rf`), or its long form, possibly abbreviated (`--recurs`)? */
export function hasOption(args: readonly string[], short: string, long?: string): boolean {
  for (const arg of args) {
    if (arg === '--') return false;
    if (long !== undefined && arg.length > 3 && arg.startsWith('--') && long.startsWith(arg.split('=')[0] ?? '')) return true;
    if (short !== '' && /^-[A-Za-z]/.test(arg) && [...short].some((letter) => arg.slice(1).includes(letter))) return true;
  }
  return false;
}

/** The arguments that are not options. */
export function operandsOf(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  return [...before.filter((arg) => !arg.startsWith('-') || arg === '-'), ...(end < 0 ? [] : args.slice(end + 1))];
}
