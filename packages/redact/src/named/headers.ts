import { looksRandom } from '../rules/rule.ts';
import type { Span } from '../span.ts';
import { isReference } from './references.ts';

const QUOTES = '\\\\{0,31}["\']?';
const SCHEME = new RegExp(
  `${QUOTES}(bearer|basic|token|apikey|negotiate|splunk|key|ntlm|oauth|ssws) {1,4}([A-Za-z0-9._~+/:|-]{6,4096}={0,2})`,
  'iy',
);
const COOKIES = /[^\s"'\\=;,[\]]{1,256}=[^\s"'\\;[\]]{1,4096}(?:; {0,2}[^\s"'\\=;[\]]{1,256}=[^\s"'\\;[\]]{1,4096}){0,64}/y;
const AFTER_SCHEME = /[ \t]{1,4}([A-Za-z0-9._~+/|-]{6,4096}={0,2})/y;

/** `Authorization: Basic …`: the scheme stays. `at` is where the value begins, quote and all. */
export function credentialAt(text: string, at: number): Span | undefined {
  SCHEME.lastIndex = at;
  const match = SCHEME.exec(text);
  if (match === null) return undefined;
  const [whole, scheme = '', secret = ''] = match;
  if (isReference(secret, false) || !(looksRandom(secret) || isBasic(secret))) return undefined;
  const end = at + whole.length;
  return { start: end - secret.length, end, kind: kindOf(scheme), secret };
}

/** The word `Bearer` or `Basic` anywhere: what follows is a credential if it looks like one. */
export function credentialAfter(text: string, start: number, end: number): Span | undefined {
  const word = text.slice(start, end).toLowerCase();
  if (word !== 'bearer' && word !== 'basic') return undefined;
  AFTER_SCHEME.lastIndex = end;
  const match = AFTER_SCHEME.exec(text);
  const secret = match?.[1] ?? '';
  if (match === null || isReference(secret, false)) return undefined;
  if (word === 'bearer' ? !(looksRandom(secret) && secret.length >= 16) : !isBasic(secret)) return undefined;
  const stop = end + match[0].length;
  return { start: stop - secret.length, end: stop, kind: kindOf(word), secret };
}

const kindOf = (scheme: string): string => (/^(?:bearer|basic)$/i.test(scheme) ? scheme.toLowerCase() : 'authorization');

/** A name and a password in base64. */
function isBasic(secret: string): boolean {
  if (secret.length > 1024 || !/^[A-Za-z0-9+/]+={0,2}$/.test(secret)) return false;
  const decoded = Buffer.from(secret, 'base64').toString('latin1');
  return /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(decoded);
}

/** `Cookie: a=b; c=d`. Prose has no equals sign there. */
export function cookiesAt(text: string, at: number): Span | undefined {
  COOKIES.lastIndex = at;
  const secret = COOKIES.exec(text)?.[0];
  return secret === undefined ? undefined : { start: at, end: at + secret.length, kind: 'cookie', secret };
}
