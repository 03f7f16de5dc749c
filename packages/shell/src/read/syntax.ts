/**
 * A script as it was read, before anything is expanded. No tree of conditions: any branch may run, so what `if`, a loop or
 * `case` holds stands in one group, in the order in which it is written. So half a script reads as well as a whole one.
 */
export type Script = readonly Pipeline[];
/** Each element reads what the one before it prints. */
export type Pipeline = readonly Element[];
export type Element = Command | Group | Definition | Loop | Operands | Unread;

export interface Command {
  readonly kind: 'command';
  /** Where it begins in the text that was read. */
  readonly at: number;
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
}
export interface Group {
  readonly kind: 'group';
  readonly opener: '(' | '{' | 'if' | 'while' | 'until' | 'for' | 'select' | 'case';
  readonly body: Script;
  readonly redirections: readonly Redirection[];
}
export interface Definition {
  readonly kind: 'function';
  readonly name: string;
  readonly body: Script;
}
/** The head of `for` and `select`. */
export interface Loop {
  readonly kind: 'loop';
  readonly name: string;
  readonly words: readonly Word[];
}
/** Words that the shell expands and does not run: of `case`, `[[ … ]]` and `(( … ))`. */
export interface Operands {
  readonly kind: 'operands';
  readonly words: readonly Word[];
}
/** Nested too deeply to be read: all that follows, as it stands. */
export interface Unread {
  readonly kind: 'unread';
  readonly text: string;
}

export interface Assignment {
  readonly name: string;
  /** Of `name[index]=`. */
  readonly index?: Word;
  readonly append: boolean;
  /** An array is one part of its kind. */
  readonly value: Word;
}
export interface Redirection {
  readonly operator: string;
  /** Of a here-document the word that ends it. */
  readonly target: Word;
  /** The text of a here-document. */
  readonly body?: Word;
}

export type Word = readonly WordPart[];
export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  /** `user` is a colon where shells differ. */
  | { readonly kind: 'tilde'; readonly user: string }
  | Variable
  /** What commands print. */
  | { readonly kind: 'substitution'; readonly script: Script; readonly quoted: boolean }
  /** A file that holds what commands print, or that they read. */
  | { readonly kind: 'process'; readonly script: Script }
  /** A number that nobody works out here, and the words that it is made of. */
  | { readonly kind: 'number'; readonly operands: Word }
  | { readonly kind: 'array'; readonly values: readonly Word[] };

export interface Variable {
  readonly kind: 'variable';
  /** `!` before it where it names the variable that is meant. */
  readonly name: string;
  /** Of an array: what stands between the brackets. */
  readonly index?: Word;
  /** What follows the name: `:-`, `%%`, `/`… */
  readonly operator: string;
  readonly operand: Word;
  readonly quoted: boolean;
  /** As it is written. */
  readonly source: string;
}
