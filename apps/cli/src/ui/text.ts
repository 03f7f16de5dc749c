import type { PageText } from '@piton/contracts/page';

/** In a list. */
export const SHORT = 400;
/** Where it is what one looks at. */
export const LONG = 8000;
export const WHOLE = 4_000_000;

/** Does not cut a character in two. */
export function startOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit);
}

/** `of`: by which `/api/text` finds the whole. */
export function boundedText(text: string, limit: number, of: string): PageText {
  const start = startOf(text, limit);
  const cut = text.length - start.length;
  return { text: start, cut, whole: cut === 0 ? null : `/api/text?of=${encodeURIComponent(of)}` };
}

export const maybeText = (text: string | null | undefined, limit: number, of: string): PageText | null =>
  text === null || text === undefined || text === '' ? null : boundedText(text, limit, of);

export const ms = (us: number): number => Math.round(us / 1000);
export const maybeMs = (us: number | null): number | null => (us === null ? null : ms(us));
