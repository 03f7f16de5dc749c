import type { Span } from '../span.ts';
import { isReference } from './references.ts';

/** `CREATE USER app WITH PASSWORD '…'`, `ALTER ROLE app PASSWORD '…'`: a value without any sign before it. */
const BEFORE_PASSWORD =
  /\b(?:with|encrypted|user|role|login|superuser|createdb|createrole|replication|[\w"]{1,64}[ \t]{1,4}set)[ \t]{1,4}$/i;
/** `IDENTIFIED BY '…'`, `IDENTIFIED WITH plugin BY '…'` of MySQL, `IDENTIFIED BY …` of Oracle. */
const AFTER_IDENTIFIED = /(?:[ \t]{1,4}with[ \t]{1,4}["'\w]{1,64})?[ \t]{1,4}by(?:[ \t]{1,4}password)?/iy;
const QUOTED = /[ \t]{1,4}\\{0,7}'([^'\\\r\n]{3,256})/y;
const LOOKED_BACK = 80;

/** The run from `start` to `end` is a word of SQL that a password follows. */
export function sqlPassword(text: string, start: number, end: number): Span | undefined {
  const from = valueFrom(text, start, end);
  if (from === undefined) return undefined;
  QUOTED.lastIndex = from;
  const match = QUOTED.exec(text);
  const secret = match?.[1];
  if (match === null || secret === undefined || isReference(secret, true) || secret.startsWith('[redacted:')) return undefined;
  const stop = from + match[0].length;
  return { start: stop - secret.length, end: stop, kind: 'password', secret };
}

function valueFrom(text: string, start: number, end: number): number | undefined {
  const word = end - start === 8 || end - start === 10 ? text.slice(start, end).toLowerCase() : '';
  if (word === 'password') return BEFORE_PASSWORD.test(text.slice(Math.max(0, start - LOOKED_BACK), start)) ? end : undefined;
  if (word !== 'identified') return undefined;
  AFTER_IDENTIFIED.lastIndex = end;
  return AFTER_IDENTIFIED.test(text) ? AFTER_IDENTIFIED.lastIndex : undefined;
}
