import type { SeededRandom } from './random.ts';

/** Values that a decoder does not expect. Each was once a bug in some decoder. */
const ODD: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  0.1,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '$HOME`id`$(id)',
  '../../../etc/passwd',
  '{"a":',
  '🙂'.repeat(50),
  'x'.repeat(20_000),
  '\n'.repeat(2_000),
  [],
  {},
  [[]],
  [null],
  { '': '' },
  ['a', 1, null, { b: [] }],
];
const ODD_KEYS = ['__proto__', 'constructor', 'toString', 'length', '', '0', 'hasOwnProperty', 'then', '\u0000'];
const DEEP = 300;

/** A place in a JSON value: `holder[key]`. */
interface Spot {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
}

function spotsOf(value: unknown, found: Spot[] = []): Spot[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    found.push({ holder: value as Spot['holder'], key });
    spotsOf(inner, found);
  }
  return found;
}

const at = ({ holder, key }: Spot): unknown => (holder as Record<string, unknown>)[key];

/** Defined, not assigned: `__proto__` must become an ordinary key. */
const put = ({ holder, key }: Spot, value: unknown): void =>
  void Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });

const nested = (random: SeededRandom): unknown => {
  let value: unknown = 'deep';
  const depth = random.below(DEEP);
  for (let i = 0; i < depth; i++) value = random.below(2) === 0 ? [value] : { a: value };
  return value;
};

type Change = (spot: Spot, random: SeededRandom, pool: readonly unknown[]) => void;

const CHANGES: readonly Change[] = [
  (spot, random) => put(spot, structuredClone(random.pick(ODD))),
  ({ holder, key }) => (Array.isArray(holder) ? void holder.splice(Number(key), 1) : void delete holder[key]),
  (spot) => put(spot, [at(spot)]),
  (spot) => put(spot, { value: at(spot) }),
  (spot) => put(spot, JSON.stringify(at(spot))),
  (spot, random) => put(spot, nested(random)),
  ({ holder }, random) => {
    if (!Array.isArray(holder)) put({ holder, key: random.pick(ODD_KEYS) }, structuredClone(random.pick(ODD)));
  },
  ({ holder, key }, random) => {
    if (Array.isArray(holder)) return;
    const value = holder[key];
    delete holder[key];
    put({ holder, key: `${key}${random.pick(['', '_', 'X', ' '])}` }, value);
  },
  // A part of another payload, possibly of another agent.
  (spot, random, pool) => {
    const other = spotsOf(random.pick(pool));
    if (other.length > 0) put(spot, structuredClone(at(random.pick(other))));
  },
  ({ holder }, random) => {
    if (Array.isArray(holder)) for (let i = random.below(20); i > 0; i--) holder.push(structuredClone(random.pick(ODD)));
  },
];

/** A payload with one to four changes. Parts of other payloads come from `pool`. */
export function mutate(payload: unknown, random: SeededRandom, pool: readonly unknown[]): unknown {
  if (random.below(200) === 0) return structuredClone(random.pick(ODD));
  const copy = structuredClone(payload);
  for (let left = 1 + random.below(4); left > 0; left--) {
    const spots = spotsOf(copy);
    if (spots.length === 0) return copy;
    random.pick(CHANGES)(random.pick(spots), random, pool);
  }
  return copy;
}

/** The same for text: nearly JSON. */
export function mutateText(text: string, random: SeededRandom): string {
  const place = random.below(text.length + 1);
  const length = random.below(8);
  const inserted = random.pick(['', '"', '}', '{', '\\', '\u0000', ',', ']', '\\u12', '\ufffd', 'null', text.slice(0, random.below(200))]);
  return text.slice(0, place) + inserted + text.slice(place + length);
}
