import type { RuleTable } from './rules/index.ts';
import { LONGEST_TOKEN, type Rule } from './rules/rule.ts';
import type { Span } from './span.ts';
import { unwrapped } from './text/wrapped.ts';

interface Prepared {
  readonly rule: Rule;
  readonly prefix: string;
  /** Made when it is needed: most are never. */
  readonly rest: () => RegExp;
}
interface PreparedShape {
  readonly kind: string;
  readonly next: number;
  readonly lengths: readonly [number, number];
  readonly whole: () => RegExp;
  readonly test: ((secret: string) => boolean) | undefined;
}

/** Finds tokens at the beginning of a run, and shapes at the end of one. */
export interface TokenFinder {
  /** 1 where a rule's prefix begins with these two characters. */
  readonly maybe: Uint8Array;
  /** 1 where a shape may end its first run: by the run's length, times 128, and the character behind it. */
  readonly mayEnd: Uint8Array;
  readonly at: (text: string, start: number) => Span | undefined;
  readonly endingAt: (text: string, start: number, end: number) => Span | undefined;
}

/** Two characters as one number. */
export const pairOf = (first: number, second: number): number => ((first & 127) << 7) | (second & 127);
/** Longer runs are never the beginning of a shape. */
export const LONGEST_SHAPE = 127;

export function createTokenFinder({ rules, shapes }: RuleTable): TokenFinder {
  // Two characters choose the few rules that are worth a look: almost no word of a clean text begins like one.
  const byPair = new Map<number, Prepared[]>();
  const maybe = new Uint8Array(1 << 14);
  for (const rule of rules) {
    const rest = lazy(rule.rest);
    for (const prefix of rule.prefixes) {
      const key = pairOf(prefix.charCodeAt(0), prefix.charCodeAt(1));
      const bucket = byPair.get(key) ?? [];
      byPair.set(key, bucket);
      bucket.push({ rule, prefix, rest });
      maybe[key] = 1;
    }
  }
  const prepared = shapes.map(
    ({ kind, next, lengths, whole, test }): PreparedShape => ({
      kind,
      next: next === '' ? -1 : next.charCodeAt(0),
      lengths,
      whole: lazy(whole),
      test,
    }),
  );
  const [shortest, longest] = [
    Math.min(...prepared.map(({ lengths }) => lengths[0])),
    Math.max(...prepared.map(({ lengths }) => lengths[1])),
  ];
  const mayEnd = new Uint8Array((LONGEST_SHAPE + 1) * 128);
  for (const { next, lengths } of prepared)
    for (let length = lengths[0]; length <= lengths[1]; length++)
      mayEnd.fill(1, length * 128 + Math.max(next, 0), next === -1 ? (length + 1) * 128 : length * 128 + next + 1);
  return {
    maybe,
    mayEnd,
    at(text, start) {
      const first = text.charCodeAt(start);
      const second = text.charCodeAt(start + 1);
      // Past the end it is NaN, which no comparison holds for.
      if (!(first < 128 && second < 128)) return undefined;
      const bucket = byPair.get(pairOf(first, second));
      return bucket === undefined ? undefined : tryAll(bucket, text, start);
    },
    endingAt(text, start, end) {
      const length = end - start;
      if (length < shortest || length > longest) return undefined;
      const next = text.charCodeAt(end);
      for (const shape of prepared) {
        if ((shape.next !== -1 && shape.next !== next) || length < shape.lengths[0] || length > shape.lengths[1]) continue;
        const whole = shape.whole();
        whole.lastIndex = start;
        const secret = whole.exec(text)?.[0];
        if (secret !== undefined && (shape.test === undefined || shape.test(secret)))
          return { start, end: start + secret.length, kind: shape.kind, secret };
      }
      return undefined;
    },
  };
}

function lazy(source: string): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= new RegExp(source, 'y');
    return made;
  };
}

function tryAll(bucket: readonly Prepared[], text: string, start: number): Span | undefined {
  for (const candidate of bucket) {
    if (!text.startsWith(candidate.prefix, start)) continue;
    const span = tryOne(candidate, text, start);
    if (span !== undefined) return span;
  }
  return undefined;
}

function tryOne({ rule, prefix, rest: restOf }: Prepared, text: string, start: number): Span | undefined {
  const rest = restOf();
  const body = start + prefix.length;
  const from = rule.keep ? body : start;
  const accept = (secret: string, end: number): Span | undefined =>
    rule.test === undefined || rule.test(secret.slice(rule.keep ? 0 : prefix.length))
      ? { start: from, end, kind: rule.kind, secret }
      : undefined;
  rest.lastIndex = body;
  const plain = rest.exec(text)?.[0];
  const plainEnd = plain === undefined ? -1 : body + plain.length;
  const joined = unwrapped(text, start, prefix, plainEnd, LONGEST_TOKEN);
  if (joined !== undefined) {
    rest.lastIndex = prefix.length;
    const more = rest.exec(joined.text)?.[0];
    if (more !== undefined && more.length > (plain?.length ?? -1)) {
      const secret = joined.text.slice(rule.keep ? prefix.length : 0, prefix.length + more.length);
      const span = accept(secret, joined.sourceEnd(prefix.length + more.length));
      if (span !== undefined) return span;
    }
  }
  return plain === undefined ? undefined : accept(text.slice(from, plainEnd), plainEnd);
}
