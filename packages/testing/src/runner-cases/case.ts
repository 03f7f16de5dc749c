import { fileURLToPath } from 'node:url';
import type { Exec } from '@piton/contracts';

export const PROGRAMS = fileURLToPath(new URL('../../fixtures/programs/', import.meta.url));

/** A fixture program, what it does in a sentence, and what a runner must report. */
export interface RunnerCase {
  readonly it: string;
  /** A file in `fixtures/programs`, or nothing if `exec` has an argv. */
  readonly program: string;
  readonly args?: readonly string[];
  readonly exec?: Partial<Exec>;
  readonly expected: Expected;
  /** The fate of the process whose pid the program wrote to `child.pid`. */
  readonly child?: 'killed' | 'left alone' | 'ended by its broken pipe';
  /** What the program left in its directory, by file name. */
  readonly files?: Readonly<Record<string, string>>;
  /** It needs /proc. */
  readonly linuxOnly?: true;
}

/** Defaults: exit code 0, no output, no flag. `stderr` is a pattern if the text is the system's. `{cwd}` is the directory. */
export interface Expected {
  readonly exitCode?: number;
  readonly stdout?: string | Buffer;
  readonly stderr?: string | RegExp;
  readonly timedOut?: true;
  readonly stdoutCut?: true;
  readonly stderrCut?: true;
  readonly notStarted?: true;
}

export const MEGABYTE = 1024 * 1024;
