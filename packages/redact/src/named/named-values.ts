import { isHighEntropy, looksLikePassword } from '../entropy.ts';
import { isPlaceholder, placeholderEnd } from '../placeholder.ts';
import { looksRandom } from '../rules/rule.ts';
import type { Span } from '../span.ts';
import { isWord } from '../text/characters.ts';
import { unescaped } from '../text/escapes.ts';
import type { TokenFinder } from '../tokens.ts';
import { cookiesAt, credentialAt } from './headers.ts';
import { nested, type SecretName, secretName } from './names.ts';
import { type Place, placeAfter, type Value, valueAt, wholeEnd } from './place.ts';
import { isIdentifier, isLabel, isReference } from './references.ts';
import { sqlPassword } from './sql.ts';

const LONGEST_NAME = 64;
const LEAST_GUESSED = 6;
const LEAST_LISTED = 8;
const DOT = 46;
/** `type Credentials = 'omit' | 'include'`. */
const UNION = /^["'`] {0,2}\| {0,2}["'`]/;

/** The last three letters of secret words: nearly every other word is put away by them. */
const ENDINGS = new Set('ord swd pwd ase ode ret ken key ial als ion kie uth ass sig ure alt eed pat sas rer jwt sid ook ied'.split(' '));
const ENDING_CODES = new Uint8Array(1 << 15);
const letters = (a: number, b: number, c: number): number => ((a & 31) << 10) | ((b & 31) << 5) | (c & 31);
/** `DB_PW`, `bindpw`: what stands before these two may be anything. */
for (let before = 0; before < 32; before++) ENDING_CODES[letters(before, 112, 119)] = 1;
for (const ending of ENDINGS) ENDING_CODES[letters(ending.charCodeAt(0), ending.charCodeAt(1), ending.charCodeAt(2))] = 1;

/** May a run that ends here be a secret name? Digits count as their last letter would: `password2`. */
export function mayNameSecret(text: string, start: number, end: number): boolean {
  let last = end;
  while (last > start && end - last < 2 && isDigit(text.charCodeAt(last - 1))) last--;
  if (last - start < 3) return false;
  return ENDING_CODES[letters(text.charCodeAt(last - 3), text.charCodeAt(last - 2), text.charCodeAt(last - 1))] === 1;
}
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** The value of the name that stands from `start` to `end`, if it is a secret one and the value a secret. */
export function namedValue(text: string, start: number, end: number, tokens: TokenFinder): Span | undefined {
  const inSql = sqlPassword(text, start, end);
  if (inSql !== undefined) return inSql;
  const place = placeAfter(text, start, end);
  if (place === undefined || placeholderEnd(text, place.at) !== -1) return undefined;
  const name = nameOf(text, start, end);
  const named = secretName(name);
  if (named === undefined) return undefined;
  const found = place.nested ? nested(named) : named;
  if (found.kind === 'cookie' && place.colon && !found.weak) {
    const cookies = cookiesAt(text, place.at);
    if (cookies !== undefined) return cookies;
  }
  if (found.kind === 'authorization') {
    const credential = credentialAt(text, place.at);
    if (credential !== undefined) return credential;
  }
  const value = valueAt(text, place);
  if (value === undefined) return undefined;
  const raw = text.slice(value.start, value.end);
  if (isPlaceholder(raw) || isReference(raw, value.quoted)) return undefined;
  // Behind its scheme the credential is gone already.
  if (found.kind === 'authorization' && raw.includes('[redacted:')) return undefined;
  const sure = !found.weak || (found.likely === true && PASS_OPTION.test(text.slice(Math.max(0, start - 16), start)));
  const taken = sure ? isTaken(text, name, place, value, raw) : looksSecret(found, raw);
  if (!taken) return undefined;
  // A secret that a rule knows by its shape gets that rule's name, here as anywhere else.
  const token = tokens.at(text, value.start);
  const last = wholeEnd(text, value);
  if (token !== undefined && token.start === value.start && token.end >= last) return token;
  const all = text.slice(value.start, last);
  const stop = text.startsWith('%3', place.at - 3) ? all.search(/%26|$/) : all.length;
  const secret = value.quoted ? unescaped(all, value.depth) : all.slice(0, stop);
  return { start: value.start, end: value.start + stop, kind: found.kind, secret };
}

/** `openssl … -passin pass:…`. */
const PASS_OPTION = /-pass(?:in|out)?[ =]["']?$/;

const looksSecret = ({ likely }: SecretName, raw: string): boolean => isHighEntropy(raw) || (likely === true && looksLikePassword(raw));

/** With what stands before it, dot by dot: `spring.datasource.password`. */
function nameOf(text: string, start: number, end: number): string {
  const least = Math.max(0, end - LONGEST_NAME);
  let from = Math.max(start, least);
  while (from > least && (text.charCodeAt(from - 1) === DOT || (from < start && isWord(text.charCodeAt(from - 1))))) from--;
  return text.slice(from, end);
}

/** The name is telling: is what stands beside it a value, or prose and code? */
function isTaken(text: string, name: string, place: Place, value: Value, raw: string): boolean {
  if (isLabel(name, raw)) return false;
  if (/^\s/.test(raw)) return looksRandom(raw); // a piece of a sentence
  if (place.form === 'listed') return value.quoted && raw.length >= LEAST_LISTED && looksRandom(raw) && !/\s/.test(raw);
  if (value.quoted) return !(place.form === 'assigned' && UNION.test(text.slice(value.end, value.end + 8)));
  if (place.form === 'option') return !raw.startsWith('-');
  const next = text[value.end];
  if (next === '(' || next === '[') return false; // a call or an element of a list
  if ((next === ',' || next === ')') && isIdentifier(raw)) return false; // handed on by name
  if (/^\d{1,3}$/.test(raw)) return false; // a count, or the number of an enum
  if (place.tight && !place.colon) return true;
  if (looksRandom(raw) && raw.length >= LEAST_GUESSED) return true;
  return place.colon && isSettingLine(text, name, value, raw);
}

/** `password: correcthorse` alone on its line is a setting; with a semicolon, a comma or a capital it is a type or a label. */
function isSettingLine(text: string, name: string, { start, end }: Value, raw: string): boolean {
  if (/cookie$/i.test(name)) return false;
  if (raw.length < LEAST_GUESSED || !/^[a-z][a-z0-9!@#$%^*+=_-]*$/.test(raw)) return false;
  if (!/^(?:[ \t]{0,8}(?:#[^\r\n]{0,200})?(?:\r?\n|$))/.test(text.slice(end, end + 220))) return false;
  const before = text.slice(Math.max(0, start - 120), start);
  return /(?:^|\n)[ \t]*(?:- )?["']?[A-Za-z0-9_.-]+["']?: {1,4}$/.test(before);
}
