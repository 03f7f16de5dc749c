import { PAINT_CODES } from './paint.ts';

/**
 * All that a person reads passes here, last of all: it quotes names, paths and messages that others wrote, and those
 * must not steer the terminal. Our own colours stay, and line ends; whatever else would steer is shown as a sign.
 */
export function safeText(text: string, colours: boolean): string {
  return text.replace(/\r\n|\u001b\[\d+m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (found) => {
    if (found === '\r\n' || (colours && PAINT_CODES.has(found))) return found;
    return `�${found.slice(1)}`;
  });
}

/** The same for JSON, where nothing may be lost: escaped, as JSON.stringify does it with the rest of them. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
