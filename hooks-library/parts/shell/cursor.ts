/** Where we are in a text. One is shared by all readers of a script, so that every character is read once. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** How deep what is being read lies inside other things. */
  depth: number;
  /** Here-documents whose text begins at the next line. */
  readonly waiting: { readonly end: string; readonly tabs: boolean; readonly quoted: boolean; take(text: string): void }[];
  /** It was too deep to be read to its end. */
  lost: boolean;
}

export const DEEPEST = 40;

export const cursorOn = (text: string, depth = 0): Cursor => ({ text, at: 0, depth, waiting: [], lost: depth > DEEPEST });
export const peek = (cursor: Cursor, ahead = 0): string => cursor.text[cursor.at + ahead] ?? '';
export const looksAt = (cursor: Cursor, text: string): boolean => cursor.text.startsWith(text, cursor.at);
export const atEnd = (cursor: Cursor): boolean => cursor.at >= cursor.text.length;

/** Takes characters as long as they fit. */
export function takeWhile(cursor: Cursor, fits: (char: string) => boolean): string {
  const start = cursor.at;
  while (cursor.at < cursor.text.length && fits(peek(cursor))) cursor.at++;
  return cursor.text.slice(start, cursor.at);
}
