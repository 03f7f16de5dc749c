/** A shell command line, read as far as it takes to see which program gets which words. */
export type Script = readonly Item[];

export type Item =
  | { readonly kind: 'command'; readonly command: Command /** It reads what the one before it prints. */; readonly piped: boolean }
  /** A subshell begins, and ends: `cd` in it counts no further. */
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  /** Nested too deeply to be read. */
  | { readonly kind: 'unread'; readonly text: string };

export interface Command {
  readonly words: Word[];
  /** Files that it writes by `>` and the like. */
  readonly writes: Word[];
  /** What it reads by `<`. */
  readonly reads: Word[];
  /** What it gets on its standard input from here-documents and here-strings. */
  readonly fed: Word[];
}

export type Word = readonly Part[];

export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | {
      readonly kind: 'variable';
      readonly name: string;
      /** It stands in no quotes, so that a space in it ends a word. */
      readonly splits: boolean;
      /** `${name:-this}` */
      readonly otherwise?: Word;
    }
  /** `name=(…)`: the words of its commands are the values. */
  | { readonly kind: 'array'; readonly script: Script }
  | { readonly kind: 'output'; readonly script: Script };
