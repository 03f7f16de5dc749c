import type { JsonObject } from '@piton/contracts';

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field that is a text with something in it. */
export function textOf(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An object, or an empty one where there is none. */
export const fieldsOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** A list of names, written as running text. */
export const wordsIn = (text: string): string[] => text.trim().split(/\s+/);
