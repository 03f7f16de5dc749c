import { resolve } from 'node:path';
import { fill, readRows, type TokenRow } from './data-rows.ts';
import type { SeededRandom } from './random.ts';

type Make = (random: SeededRandom) => string;

/** Secrets with a shape of their own, by kind. */
export const TOKENS: Readonly<Record<string, readonly Make[]>> = byKind(
  readRows<TokenRow>(resolve(import.meta.dirname, '../../../..'), 'tokens'),
);

function byKind(rows: readonly TokenRow[]): Record<string, Make[]> {
  const kinds: Record<string, Make[]> = {};
  for (const { kind, shape } of rows) {
    const makers = kinds[kind] ?? [];
    kinds[kind] = makers;
    makers.push((random) => fill(shape, random).text);
  }
  return kinds;
}
