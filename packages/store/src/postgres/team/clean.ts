/** PostgreSQL takes neither NUL nor halves of surrogate pairs, and a record must not be lost for one. */
export const cleanText = (text: string): string => wellFormed(text).replaceAll('\0', '\ufffd');

// `toWellFormed` is in Node 20 and not yet in the library of our target.
const wellFormed = (text: string): string => (text as string & { toWellFormed(): string }).toWellFormed();

const DIRTY = /\\u(0000|d[89a-f])/i;

export function cleanJson(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null';
  return DIRTY.test(json) ? JSON.stringify(cleanValue(value)) : json;
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [cleanText(name), cleanValue(inner)]));
}
