import { type SeededRandom, seededRandom } from '@piton/testing';

export type { SeededRandom };
export { seededRandom };

const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SMALL = CAPITALS.toLowerCase();
const DIGITS = '0123456789';

export const ALPHABETS = {
  alnum: CAPITALS + SMALL + DIGITS,
  word: `${CAPITALS}${SMALL}${DIGITS}_-`,
  lower: SMALL + DIGITS,
  letters: CAPITALS + SMALL,
  upper: CAPITALS + DIGITS,
  hex: '0123456789abcdef',
  digits: DIGITS,
  base64: `${CAPITALS}${SMALL}${DIGITS}+/`,
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  password: `${CAPITALS}${SMALL}${DIGITS}!@#%^*_+-.~`,
} as const;

/** Random text; of a mixed alphabet it always has each kind of character, as every generator of keys sees to by its length. */
export function randomText(random: SeededRandom, alphabet: keyof typeof ALPHABETS, length: number): string {
  const characters = ALPHABETS[alphabet];
  for (;;) {
    let text = '';
    while (text.length < length) text += characters[random.below(characters.length)];
    const mixed = characters.length < 50 || length < 12 || (/[0-9]/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text));
    const bounded = /^[A-Za-z0-9]/.test(text) && /[A-Za-z0-9]$/.test(text);
    if ((mixed || alphabet === 'letters') && bounded) return text;
  }
}

export function uuid(random: SeededRandom): string {
  const hex = randomText(random, 'hex', 32);
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}
