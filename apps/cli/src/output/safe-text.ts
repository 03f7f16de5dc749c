import { PAINT_CODES } from './paint.ts';

/**
 * Everything a user reads passes through here, last of all. It may contain names, paths and messages of others, which must not
 * control the terminal. Our own colours and line breaks stay; other control characters are replaced.
 */
export function safeText(text: string, colours: boolean): string {
  return text.replace(/\r\n|\u001b\[\d+m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (found) => {
    if (found === '\r\n' || (colours && PAINT_CODES.has(found))) return found;
    return `�${found.slice(1)}`;
  });
}

/** The same for JSON, where nothing may be lost: escapes what JSON.stringify leaves as it is. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
