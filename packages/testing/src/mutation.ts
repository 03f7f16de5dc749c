import type { Dice } from './dice.ts';

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

const nested = (dice: Dice): unknown => {
  let value: unknown = 'deep';
  const depth = dice.below(DEEP);
  for (let i = 0; i < depth; i++) value = dice.below(2) === 0 ? [value] : { a: value };
  return value;
};

type Change = (spot: Spot, dice: Dice, pool: readonly unknown[]) => void;

const CHANGES: readonly Change[] = [
  (spot, dice) => put(spot, structuredClone(dice.pick(ODD))),
  ({ holder, key }) => (Array.isArray(holder) ? void holder.splice(Number(key), 1) : void delete holder[key]),
  (spot) => put(spot, [at(spot)]),
  (spot) => put(spot, { value: at(spot) }),
  (spot) => put(spot, JSON.stringify(at(spot))),
  (spot, dice) => put(spot, nested(dice)),
  ({ holder }, dice) => {
    if (!Array.isArray(holder)) put({ holder, key: dice.pick(ODD_KEYS) }, structuredClone(dice.pick(ODD)));
  },
  ({ holder, key }, dice) => {
    if (Array.isArray(holder)) return;
    const value = holder[key];
    delete holder[key];
    put({ holder, key: `${key}${dice.pick(['', '_', 'X', ' '])}` }, value);
  },
  // A part of another payload, possibly of another agent.
  (spot, dice, pool) => {
    const other = spotsOf(dice.pick(pool));
    if (other.length > 0) put(spot, structuredClone(at(dice.pick(other))));
  },
  ({ holder }, dice) => {
    if (Array.isArray(holder)) for (let i = dice.below(20); i > 0; i--) holder.push(structuredClone(dice.pick(ODD)));
  },
];

/** A payload with one to four changes. Parts of other payloads come from `pool`. */
export function mutate(payload: unknown, dice: Dice, pool: readonly unknown[]): unknown {
  if (dice.below(200) === 0) return structuredClone(dice.pick(ODD));
  const copy = structuredClone(payload);
  for (let left = 1 + dice.below(4); left > 0; left--) {
    const spots = spotsOf(copy);
    if (spots.length === 0) return copy;
    dice.pick(CHANGES)(dice.pick(spots), dice, pool);
  }
  return copy;
}

/** The same for text: nearly JSON. */
export function mutateText(text: string, dice: Dice): string {
  const place = dice.below(text.length + 1);
  const length = dice.below(8);
  const inserted = dice.pick(['', '"', '}', '{', '\\', '\u0000', ',', ']', '\\u12', '\ufffd', 'null', text.slice(0, dice.below(200))]);
  return text.slice(0, place) + inserted + text.slice(place + length);
}
