export type Json = Record<string, unknown>;

/** Requests come from other programs: an unexpected shape reads as empty. */
export const fieldsOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));

/** The texts of a message's content, which is either a string or a list of parts. */
export function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return listOf(content).flatMap((part) => {
    const { text } = fieldsOf(part);
    return typeof text === 'string' ? [text] : [];
  });
}
