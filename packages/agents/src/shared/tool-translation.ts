import type { JsonObject, ToolKind } from '@piton/contracts';

/** A native tool in portable words: its name and kind, and how its input is written either way. */
export interface ToolTranslation {
  readonly name: string;
  readonly kind: ToolKind;
  /** Native field to portable field. What is not named here is called the same on both sides. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What a change of names alone cannot say; each undoes the other. They see the portable names. */
  readonly reshape?: { toPortable(input: JsonObject): JsonObject; toNative(input: JsonObject): JsonObject };
}

export type ToolTable = Readonly<Record<string, ToolTranslation>>;

/** A table is data from us, a tool's name is data from others: `constructor` is no tool. */
export const translationOf = (table: ToolTable, nativeName: string): ToolTranslation | undefined =>
  Object.hasOwn(table, nativeName) ? table[nativeName] : undefined;

export function portableInput(translation: ToolTranslation | undefined, input: JsonObject): JsonObject {
  const named = renamed(input, translation?.fields ?? {});
  return translation?.reshape?.toPortable(named) ?? named;
}

/** A portable input that a hook wrote, as the tool itself takes it. */
export function nativeInput(translation: ToolTranslation | undefined, input: JsonObject): JsonObject {
  const shaped = translation?.reshape?.toNative(input) ?? input;
  const back = Object.fromEntries(Object.entries(translation?.fields ?? {}).map(([native, portable]) => [portable, native]));
  return renamed(shaped, back);
}

function renamed(input: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [Object.hasOwn(names, key) ? names[key] : key, value]));
}

/** Some name the first and the last line, -1 for the end of the file; Claude Code the first and how many. */
export const VIEW_RANGE: NonNullable<ToolTranslation['reshape']> = {
  toPortable({ view_range: range, ...input }) {
    const [from, to]: readonly unknown[] = Array.isArray(range) ? range : [];
    if (typeof from !== 'number') return range === undefined ? input : { ...input, view_range: range };
    return { ...input, offset: from, ...(typeof to === 'number' && to >= from && { limit: to - from + 1 }) };
  },
  toNative({ offset, limit, ...input }) {
    if (typeof offset !== 'number' && typeof limit !== 'number') return input;
    const from = typeof offset === 'number' ? offset : 1;
    return { ...input, view_range: [from, typeof limit === 'number' ? from + limit - 1 : -1] };
  },
};
