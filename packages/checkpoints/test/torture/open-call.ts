import type { Call } from '../shared-tree.ts';

export interface OpenCall extends Call {
  readonly session: string;
  /** The file that it names. */
  readonly file: string | null;
  /** Nobody may have looked before it. */
  readonly isUnseen: boolean;
  /** What it has written. */
  readonly lines: string[];
  /** What an edit has announced, until it has made that of its file. */
  announced?: { readonly line: string; readonly content: string };
  /** Nobody has heard that Esc ended it. */
  wasInterrupted?: true;
}

export const textOf = (lines: readonly string[]): string => lines.map((one) => `${one}\n`).join('');
