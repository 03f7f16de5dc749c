import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ALPHABETS, randomText, type SeededRandom, uuid } from './random.ts';

/** `first` rows were there when the rules were written; `later` rows were written after them, from the services' pages. */
export type RowSet = 'first' | 'later';

export interface TokenRow {
  readonly kind: string;
  readonly set: RowSet;
  readonly shape: string;
}
export interface ContextRow {
  readonly group: string;
  readonly set: RowSet;
  readonly text: string;
  /** How the whole text is written down in the end. */
  readonly encode?: readonly 'json'[];
  readonly encodeSecret?: 'url';
  /** Only for values that look random: a bare word there is prose. */
  readonly value?: 'random';
}
export interface NameRow {
  readonly name: string;
  readonly set: RowSet;
  readonly value: string;
}
export interface PhraseRow {
  readonly group: string;
  readonly set: RowSet;
  readonly text: string;
}
export interface InnocentRow {
  readonly group: string;
  readonly text: string;
  readonly encode?: readonly 'json'[];
}

export function readRows<Row>(root: string, name: string): Row[] {
  const lines = readFileSync(join(root, 'packages/redact/corpus', `${name}.jsonl`), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
}

const PIECE = /\{(!?)(?:(basic|uuid)|=([^}]*)|([a-z0-9]+):([0-9]+))\}/g;

/** Fills in a shape: `{alnum:36}` is that many random characters, `{!alnum:36}` those that are the secret, `{=x}` is x. */
export function fill(shape: string, random: SeededRandom): { readonly text: string; readonly secrets: readonly string[] } {
  const secrets: string[] = [];
  const text = shape.replace(PIECE, (_all, marked: string, word?: string, literal?: string, alphabet?: string, length?: string) => {
    if (literal !== undefined) return literal;
    const piece = made(random, word, alphabet, Number(length));
    if (marked === '!') secrets.push(piece);
    return piece;
  });
  return { text, secrets };
}

function made(random: SeededRandom, word: string | undefined, alphabet: string | undefined, length: number): string {
  if (word === 'uuid') return uuid(random);
  if (word === 'basic') return Buffer.from(`app:${randomText(random, 'alnum', 12)}`).toString('base64');
  return randomText(random, alphabet as keyof typeof ALPHABETS, length);
}

/** As it stands between the quotes of a JSON string, as often as asked. */
export const encoded = (text: string, how: readonly 'json'[] = []): string => how.reduce((inner) => JSON.stringify(inner), text);
