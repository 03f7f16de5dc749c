import type { EventName } from '../events.ts';

/** How much context of hooks an agent takes at one event, and what becomes of a longer text. */
export interface ContextLimit {
  /** The longest text that arrives whole. */
  readonly size: number;
  readonly unit: 'characters' | 'bytes';
  /**
   * `cut`: Piton cuts it, since the agent would lose all of it, or fail. A text: what the agent itself does with a longer one,
   * which the model can still get at; it is sent whole.
   */
  readonly longer: 'cut' | { readonly shows: string };
}

/** Per event; `any` counts for those that are not named. None: whatever a hook may print arrives whole. */
export type ContextLimits = Readonly<Partial<Record<EventName | 'any', ContextLimit>>>;

export const contextLimitOf = (limits: ContextLimits, event: EventName): ContextLimit | undefined => limits[event] ?? limits.any;

/** No character takes more than three bytes: most texts need no count. */
export function isOverLimit(text: string, { size, unit }: ContextLimit): boolean {
  if (unit === 'characters') return text.length > size;
  return text.length > size || (text.length * 3 > size && Buffer.byteLength(text) > size);
}

/** The start of a text, no longer than `size`, without half a character at its end. */
export function startOf(text: string, { size, unit }: Pick<ContextLimit, 'size' | 'unit'>): string {
  if (unit === 'bytes') {
    const bytes = Buffer.from(text.slice(0, size));
    return bytes.length <= size ? wholePairs(text.slice(0, size)) : wholePairs(wholeCharacters(bytes, size));
  }
  return wholePairs(text.slice(0, size));
}

/** A byte that continues a character is `10xxxxxx`. */
function wholeCharacters(bytes: Buffer, size: number): string {
  let end = size;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

const wholePairs = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text);

/** What the person and the trace are told. */
export const limitNote = (title: string, event: EventName, length: number, { size, unit, longer }: ContextLimit): string =>
  longer === 'cut'
    ? `context of ${length} characters was cut: ${title} takes ${size} ${unit} at ${event}`
    : `context of ${length} characters is over ${size} ${unit}: ${title} shows the model ${longer.shows}`;
