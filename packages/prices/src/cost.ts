import type { TokenCounts } from '@piton/contracts';
import { type ModelPrice, type OwnPrices, type Prices, priceOf } from './price.ts';

export interface PricedRequest {
  readonly model: string | null;
  readonly tokens: TokenCounts;
  /** The tokens are a sum of an unknown number of requests. */
  readonly isSum?: boolean;
  /** Several requests that were added up: how many, and how much each of them read, as far as a limit of a price goes. */
  readonly several?: { readonly requests: number; readonly size: number };
}

export interface Cost {
  /** What the priced requests cost by list price; null if none has a price. */
  readonly usd: number | null;
  /** Requests without a price, and their models. A sum of several counts as one. */
  readonly unpriced: number;
  readonly unpricedModels: readonly (string | null)[];
}

/** List prices, not a bill: nobody tells discounts, plans or credits. What has no price is counted, never guessed. */
export function costOf(requests: readonly PricedRequest[], own: OwnPrices = {}, list?: string): Cost {
  let usd: number | null = null;
  let unpriced = 0;
  const unpricedModels = new Set<string | null>();
  for (const request of requests) {
    const dollars = dollarsOf(request, priceOf(request.model, own, list));
    if (dollars === null) {
      unpriced += request.several?.requests ?? 1;
      unpricedModels.add(request.model);
    } else usd = (usd ?? 0) + dollars;
  }
  return { usd, unpriced, unpricedModels: [...unpricedModels] };
}

function dollarsOf({ tokens, isSum, several }: PricedRequest, price: ModelPrice | undefined): number | null {
  const prices = price && tierOf(price, several?.size ?? sizeOf(tokens), isSum === true);
  if (!prices) return null;
  const { input, output, cacheRead, cacheWrite, cacheWrite1h } = tokens;
  const parts: readonly (readonly [number, number | undefined])[] = [
    [input, prices.input],
    [output, prices.output],
    [cacheRead, prices.cacheRead],
    [cacheWrite - cacheWrite1h, prices.cacheWrite],
    [cacheWrite1h, prices.cacheWrite1h],
  ];
  let dollars = 0;
  for (const [count, perMillion] of parts) {
    if (count === 0) continue;
    if (perMillion === undefined) return null;
    dollars += (count * perMillion) / 1_000_000;
  }
  return dollars;
}

const sizeOf = ({ input, cacheRead, cacheWrite }: TokenCounts): number => input + cacheRead + cacheWrite;

/** The prices of a request of this size. Of a sum that is over a limit nobody knows which requests were. */
function tierOf(price: ModelPrice, size: number, isSum: boolean): Prices | null {
  const tiers = price.tiers?.filter(({ above }) => size > above) ?? [];
  if (tiers.length > 0 && isSum) return null;
  return Object.assign({}, price, ...tiers);
}
