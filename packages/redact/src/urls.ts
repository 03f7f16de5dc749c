import type { Span } from './span.ts';

/** Bounded on both sides of the colon, so that a text full of `://` costs no more than its length times a constant. */
const USER = /[^\s/:@"'\\<>[\]]{0,128}:/y;
const PASSWORD = /[^\s/"'\\<>]{1,256}@/y;
const REFERENCE = /^(?:\$|\{|<|%[A-Z]*%$|\*+$|x+$|\.+$|\[redacted:)/i;
/** What documentation writes: `user:pass@`. */
const EXAMPLE = /^(?:pass|password|pwd|secret|passwd|token)$/i;

/** `at` is behind `://`. The password ends at the last `@` before the path. */
export function urlPassword(text: string, at: number): Span | undefined {
  USER.lastIndex = at;
  if (!USER.test(text)) return undefined;
  const start = USER.lastIndex;
  PASSWORD.lastIndex = start;
  const whole = PASSWORD.exec(text)?.[0];
  if (whole === undefined) return undefined;
  const raw = whole.slice(0, -1);
  if (REFERENCE.test(raw) || EXAMPLE.test(raw) || raw.includes('[redacted:')) return undefined;
  return { start, end: start + raw.length, kind: 'url-password', secret: decoded(raw) };
}

/** Written without `//`: `me:…@tcp(db:3306)/app` of Go's drivers, `jdbc:oracle:thin:scott/…@db`. `at` is behind the colon. */
const DRIVER_PASSWORD = /([^\s/:@"'\\<>()[\]]{3,256})@(?:tcp|unix|tcp6)\(/y;
const THIN_PASSWORD = /[^\s/:@"'\\<>[\]]{1,128}\/([^\s/@"'\\<>]{1,256})@/y;

export function driverPassword(text: string, at: number): Span | undefined {
  const isThin = text.startsWith(':thin:', at - 6);
  const pattern = isThin ? THIN_PASSWORD : DRIVER_PASSWORD;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  const secret = match?.[1] ?? '';
  if (match === null || REFERENCE.test(secret) || EXAMPLE.test(secret)) return undefined;
  const start = at + match[0].indexOf(`${secret}@`);
  return { start, end: start + secret.length, kind: 'url-password', secret };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
