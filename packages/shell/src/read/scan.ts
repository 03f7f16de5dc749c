import type { Word } from './syntax.ts';

/** Where we are in a text. One is shared by all readers of a script, so that every character is read once. */
export interface Scan {
  readonly text: string;
  at: number;
  /** Where this text stands in the one that was given. */
  readonly from: number;
  /** How deep what is being read lies inside other things. */
  depth: number;
  /** Brace groups that are open. */
  braces: number;
  /** Here-documents whose text begins at the next line. */
  waiting: HereDocument[];
  readonly reading: { complete: boolean };
}

export interface HereDocument {
  readonly end: string;
  readonly tabs: boolean;
  /** Quoted: nothing in it is expanded. */
  readonly quoted: boolean;
  take(body: Word): void;
}

export const DEEPEST = 40;

export const scanOn = (text: string): Scan => scanAt(text, 0, 0, { complete: true });

/** On a text that stands inside another one, at `from`. */
export const scanInside = ({ from, depth, reading }: Scan, text: string, at: number): Scan => scanAt(text, from + at, depth + 1, reading);

const scanAt = (text: string, from: number, depth: number, reading: Scan['reading']): Scan => ({
  text,
  at: 0,
  from,
  depth,
  braces: 0,
  waiting: [],
  reading,
});

/** What a sticky pattern finds here; it is passed. */
export function take(scan: Scan, pattern: RegExp): string {
  pattern.lastIndex = scan.at;
  if (!pattern.test(scan.text)) return '';
  const start = scan.at;
  scan.at = pattern.lastIndex;
  return scan.text.slice(start, scan.at);
}

/** The same, left where it is. */
export function isAt(scan: Scan, pattern: RegExp): boolean {
  pattern.lastIndex = scan.at;
  return pattern.test(scan.text);
}

/** Blanks, and line ends that a backslash takes away. */
export function skipBlanks(scan: Scan): void {
  const { text } = scan;
  for (;;) {
    const char = text[scan.at];
    if (char === ' ' || char === '\t') scan.at++;
    else if (char === '\\' && text[scan.at + 1] === '\n') scan.at += 2;
    else return;
  }
}

export const LINES = /(?:[ \t\n]|\\\n)+/y;
