import { createHmac } from 'node:crypto';

/** Stands where a secret stood. It holds no quote and no backslash, so JSON stays valid around it. */
export type Placeholder = (kind: string, secret: string) => string;

const KIND = '[a-z][a-z0-9-]{0,31}';
const SHAPE = new RegExp(`^\\[redacted:${KIND}:[0-9a-f]{8}\\]$`);
const HERE = new RegExp(`\\[redacted:${KIND}:[0-9a-f]{8}\\]`, 'y');
const WHOLE_KIND = new RegExp(`^${KIND}$`);

/** Keyed, so that equal secrets stay equal and nobody can try out guesses without the key. */
export function createPlaceholder(key: Uint8Array): Placeholder {
  return (kind, secret) => `[redacted:${kind}:${createHmac('sha256', key).update(secret).digest('hex').slice(0, 8)}]`;
}

export const isKind = (text: string): boolean => WHOLE_KIND.test(text);
export const isPlaceholder = (text: string): boolean => text.length < 64 && SHAPE.test(text);

/** Where the placeholder that begins here ends, or -1. */
export function placeholderEnd(text: string, at: number): number {
  HERE.lastIndex = at;
  return HERE.test(text) ? HERE.lastIndex : -1;
}

/** Stands for what lies too deep to be looked at; nothing unread may be kept. */
export const TOO_DEEP = '[redacted:depth:00000000]';
