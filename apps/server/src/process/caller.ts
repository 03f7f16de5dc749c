import { basename } from 'node:path';
import type { Frame } from '@piton/contracts';
import { readIfThere } from '../file-parts.ts';
import { parentOf } from './processes.ts';

const FORWARDER = 'piton-forward';
const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'fish', 'env', 'timeout']);
const INTERPRETERS: ReadonlySet<string> = new Set(['node', 'bun', 'deno', 'python', 'python3']);
const MOST_PARENTS = 8;

/** The name of the program that ran a forwarder, past the shells between the two. Undefined where it cannot be seen from here. */
export function callerOf({ pid, ppid }: Pick<Frame, 'pid' | 'ppid'>): string | undefined {
  // In another pid namespace these numbers are somebody else's.
  if (!FORWARDER.startsWith(wordsOf(pid)[0] ?? '-')) return undefined;
  let parent: number | undefined = ppid;
  for (let steps = 0; parent !== undefined && parent > 1 && steps < MOST_PARENTS; steps++) {
    const [program = '', ...rest] = wordsOf(parent);
    if (program === '') return undefined;
    if (!SHELLS.has(program))
      return INTERPRETERS.has(program) ? `${program} ${rest.find((word) => !word.startsWith('-')) ?? ''}`.trim() : program;
    parent = parentOf(parent);
  }
  return undefined;
}

/** The command line of a process, each word as a name without its directory. */
const wordsOf = (pid: number): string[] =>
  (readIfThere(`/proc/${pid}/cmdline`)?.toString() ?? '')
    .split('\0')
    .slice(0, 8)
    .map((word) => basename(word).slice(0, 64));
