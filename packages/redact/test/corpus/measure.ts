import { createRedactor } from '../../src/index.ts';
import {
  type ContextRow,
  encoded,
  fill,
  type InnocentRow,
  type NameRow,
  type PhraseRow,
  type RowSet,
  readRows,
  type TokenRow,
} from './data-rows.ts';
import { type SeededRandom, seededRandom } from './random.ts';

export interface Sample {
  readonly group: string;
  readonly what: string;
  readonly set: RowSet;
  readonly text: string;
  readonly secrets: readonly string[];
}
export interface Count {
  readonly group: string;
  readonly set: RowSet;
  samples: number;
  caught: number;
}
export interface Measured {
  readonly counts: readonly Count[];
  readonly missed: readonly Sample[];
  readonly kinds: number;
  readonly innocents: number;
  readonly changed: readonly { readonly group: string; readonly text: string; readonly clean: string }[];
}

const SEED = 20_261_118;
const FRAGMENT = 12;

const setOf = (...rows: readonly { readonly set: RowSet }[]): RowSet => (rows.some(({ set }) => set === 'later') ? 'later' : 'first');
/** In a page or a request everything but letters and digits is encoded. */
const urlEncoded = (text: string): string => encodeURIComponent(text).replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);

function inContext(context: ContextRow, secret: string, names: Readonly<Record<string, string>> = {}): string {
  const written = context.encodeSecret === 'url' ? urlEncoded(secret) : secret;
  const half = written.length >> 1;
  const parts: Readonly<Record<string, string>> = { ...names, it: written, head: written.slice(0, half), tail: written.slice(half) };
  return encoded(
    context.text.replace(/\{(\w+)\}/g, (all, part: string) => parts[part] ?? all),
    context.encode,
  );
}

function casesOf(name: string): Record<string, string> {
  const words = name.toLowerCase().split('_');
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const pascal = words.map(capital).join('');
  return {
    NAME: name,
    name: words.join('_'),
    kebab: words.join('-'),
    Pascal: pascal,
    camel: (words[0] ?? '') + words.slice(1).map(capital).join(''),
  };
}

function samples(root: string, random: SeededRandom): Sample[] {
  const contexts = readRows<ContextRow>(root, 'contexts');
  const tokens = readRows<TokenRow>(root, 'tokens').flatMap((row) =>
    contexts.map((context): Sample => {
      const secret = fill(row.shape, random).text;
      return { group: context.group, what: row.kind, set: setOf(row, context), text: inContext(context, secret), secrets: [secret] };
    }),
  );
  const naming = readRows<ContextRow>(root, 'naming-contexts');
  const named = readRows<NameRow>(root, 'names').flatMap((row) =>
    naming
      .filter(({ value }) => value === undefined || !row.value.startsWith('letters'))
      .map((context): Sample => {
        const secret = fill(row.value === 'uuid' ? '{uuid}' : `{${row.value}}`, random).text;
        const text = inContext(context, secret, casesOf(row.name));
        return { group: context.group, what: row.name, set: setOf(row, context), text, secrets: [secret] };
      }),
  );
  const phrases = readRows<PhraseRow>(root, 'phrases').map(
    (row): Sample => ({ group: row.group, what: row.text.slice(0, 40), set: row.set, ...fill(row.text, random) }),
  );
  return [...tokens, ...named, ...phrases];
}

const UNCOLOURED =
  /(?:\u001b|\\+(?:u001b|x1b|033|e)|\^\[)?\[[0-9;?]*[A-Za-z]|(?:\u001b|\\+u001b)(?:\][^\u0007\u001b\\]*|\(B|\\+)|\\+u0007|\u0007/gi;

/** Line ends, colours, escapes and all: what a person could still put together. */
function flat(text: string): string {
  const plain = text
    .replace(UNCOLOURED, '')
    .replace(/\\+[nrt]/g, '')
    .replace(/[\\\s]/g, '');
  return plain.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Any piece of the secret that is long enough to be worth something. */
function leaks(clean: string, secret: string): boolean {
  const [whole, text] = [flat(secret), flat(clean)];
  if (whole.length <= FRAGMENT) return text.includes(whole);
  for (let at = 0; at + FRAGMENT <= whole.length; at++) if (text.includes(whole.slice(at, at + FRAGMENT))) return true;
  return false;
}

/** Runs the corpora of `packages/redact/corpus` through the rules. */
export function measure(root: string): Measured {
  const redactor = createRedactor({ key: Buffer.alloc(32, 3) });
  const random = seededRandom(SEED);
  const counts = new Map<string, Count>();
  const missed: Sample[] = [];
  const all = samples(root, random);
  for (const sample of all) {
    const key = `${sample.set} ${sample.group}`;
    const count = counts.get(key) ?? { group: sample.group, set: sample.set, samples: 0, caught: 0 };
    counts.set(key, count);
    count.samples += 1;
    const clean = redactor.text(sample.text);
    if (sample.secrets.some((secret) => leaks(clean, secret))) missed.push(sample);
    else count.caught += 1;
  }
  const innocents = readRows<InnocentRow>(root, 'innocents').map(({ group, text, encode }) => ({
    group,
    text: encoded(fill(text, random).text, encode),
  }));
  const changed = innocents
    .map(({ group, text }) => ({ group, text, clean: String(redactor.text(text)) }))
    .filter(({ text, clean }) => text !== clean);
  return { counts: [...counts.values()], missed, kinds: new Set(all.map(({ what }) => what)).size, innocents: innocents.length, changed };
}
