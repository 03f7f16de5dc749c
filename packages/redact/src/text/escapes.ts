import { BACKSLASH, skipBackslashes } from './characters.ts';

const DOUBLE_QUOTE = 34;

/** How many backslashes may stand before a quote: none in plain text, one in JSON inside JSON, three inside that, and so on. */
export const isDepth = (count: number): boolean => count < 64 && (count & (count + 1)) === 0;

const closes = (backslashes: number, depth: number): boolean => backslashes % (2 * (depth + 1)) === depth;

/**
 * Where a double-quoted text ends that begins at `from`, `depth` backslashes deep. The quote that ends the text
 * around it, or the end of everything, ends it too: payloads get cut. -1 if the line or the limit ends first.
 */
export function quotedEnd(text: string, from: number, depth: number, limit: number): number {
  const most = Math.min(text.length, from + limit);
  for (let at = from; at < most; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return -1;
    if (code !== BACKSLASH && code !== DOUBLE_QUOTE) continue;
    const quote = skipBackslashes(text, at);
    if (text.charCodeAt(quote) === DOUBLE_QUOTE) {
      for (let outer = depth; ; outer >>= 1) {
        if (closes(quote - at, outer)) return quote - outer;
        if (outer === 0) break;
      }
    }
    // A quote of the text itself, or any other escape: its character closes nothing.
    at = quote;
  }
  return most === text.length ? most : -1;
}

/** Where a text in single quotes or backticks ends. It has no escapes that all languages share: a backslash ends it, and so does `"`. */
export function plainlyQuotedEnd(text: string, from: number, quote: number, limit: number): number {
  const most = Math.min(text.length, from + limit);
  for (let at = from; at < most; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return -1;
    if (code === quote || code === BACKSLASH || code === DOUBLE_QUOTE) return at;
  }
  return most === text.length ? most : -1;
}

/** The text that was meant, without the escapes of the JSON around it. */
export function unescaped(text: string, depth: number): string {
  let current = once(text);
  for (let levels = depth; levels > 0; levels >>= 1) current = once(current);
  return current;
}

function once(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
