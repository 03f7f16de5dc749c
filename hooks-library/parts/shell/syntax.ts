/** A script as it was read: what stands where, before anything is expanded. */
export type Script = readonly Pipeline[];
export type Pipeline = readonly Element[];
export type Element = Command | Group | Definition | Loop;

export interface Command {
  readonly kind: 'command';
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
}
export interface Group {
  readonly kind: 'group';
  readonly body: Script;
  /** `( … )`: what it changes ends with it. */
  readonly subshell: boolean;
  readonly redirections: readonly Redirection[];
}
export interface Definition {
  readonly kind: 'function';
  readonly name: string;
  readonly body: Script;
}
/** Only its head; what it repeats follows as if it stood alone. */
export interface Loop {
  readonly kind: 'loop';
  readonly name: string;
  readonly words: readonly Word[];
}

export interface Assignment {
  readonly name: string;
  /** One word, or all of an array. */
  readonly values: readonly Word[];
  readonly append: boolean;
}
export interface Redirection {
  readonly operator: string;
  readonly target: Word;
  /** The text of a here-document. */
  readonly body?: Word;
}

export type Word = readonly Part[];
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tilde'; readonly user: string }
  | { readonly kind: 'variable'; readonly name: string; readonly operator: string; readonly operand: Word; readonly quoted: boolean }
  | { readonly kind: 'substitution'; readonly body: Script; readonly quoted: boolean }
  | { readonly kind: 'process'; readonly body: Script }
  | { readonly kind: 'number' };
