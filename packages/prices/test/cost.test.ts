import { addTokens, NO_TOKENS, SIZE_LIMITS, type TokenCounts } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { costOf, PRICE_DATE, PRICE_SOURCE, readOwnPrices } from '../src/index.ts';
import table from '../src/table.json' with { type: 'json' };

const tokens = (some: Partial<TokenCounts>): TokenCounts => ({ ...NO_TOKENS, ...some });
const MILLION = 1_000_000;
/** Easy to add up by hand. */
const own = { mine: { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 2, cacheWrite1h: 4 } };

describe('the cost of a request', () => {
  it('is every class at its own price, and no token twice', () => {
    const all = tokens({
      input: MILLION,
      output: MILLION,
      reasoning: 400_000,
      cacheRead: MILLION,
      cacheWrite: MILLION,
      cacheWrite1h: 500_000,
    });
    // 1 + 10 + 0.1 + half at 2 + half at 4
    expect(costOf([{ model: 'mine', tokens: all }], own).usd).toBeCloseTo(14.1, 10);
  });

  it('of Claude Sonnet 4.5 is what its page says: 3, 15, 0.30, 3.75 and 6 dollars for a million', () => {
    const one = (some: Partial<TokenCounts>) => costOf([{ model: 'claude-sonnet-4-5', tokens: tokens(some) }]).usd;
    expect(one({ input: MILLION })).toBeCloseTo(3, 10);
    expect(one({ output: MILLION })).toBeCloseTo(15, 10);
    expect(one({ cacheRead: MILLION })).toBeCloseTo(0.3, 10);
    expect(one({ cacheWrite: MILLION })).toBeCloseTo(3.75, 10);
    expect(one({ cacheWrite: MILLION, cacheWrite1h: MILLION })).toBeCloseTo(6, 10);
  });

  it('goes by the size of its own input where a model has tiers: Gemini 2.5 Pro costs 1.25 up to 200,000, and 2.50 above', () => {
    const usd = (input: number) => costOf([{ model: 'gemini-2.5-pro', tokens: tokens({ input }) }]).usd;
    expect(usd(200_000)).toBeCloseTo(0.25, 10);
    expect(usd(400_000)).toBeCloseTo(1, 10);
    const cached = costOf([{ model: 'gemini-2.5-pro', tokens: tokens({ input: 100_000, cacheRead: 200_000 }) }]).usd;
    expect(cached).toBeCloseTo(0.1 * 2.5 + 0.2 * 0.25, 10);
  });
});

describe('what has no price is counted, never guessed', () => {
  const unpriced = (model: string | null, some: Partial<TokenCounts> = { input: 1 }, isSum = false) =>
    costOf([{ model, tokens: tokens(some), isSum }], own);

  it.each(['claude-sonnet-4-5-mine', 'Claude-Sonnet-4-5', 'bedrock/claude-sonnet-4-5', 'mock', '', 'constructor', '__proto__'])(
    'a model called %j',
    (model) => {
      expect(unpriced(model)).toEqual({ usd: null, unpriced: 1, unpricedModels: [model] });
    },
  );

  it('a model that nobody named', () => {
    expect(unpriced(null)).toEqual({ usd: null, unpriced: 1, unpricedModels: [null] });
  });

  it('a class that has no price', () => {
    expect(unpriced('gpt-5', { cacheWrite: 5 })).toMatchObject({ usd: null, unpriced: 1 });
    expect(unpriced('gpt-5', { input: 5 })).toMatchObject({ unpriced: 0 });
  });

  it('a sum of requests over the limit of a tier, of which nobody knows how many were', () => {
    expect(unpriced('gemini-2.5-pro', { input: 300_000 }, true)).toMatchObject({ usd: null, unpriced: 1 });
    expect(unpriced('gemini-2.5-pro', { input: 100_000 }, true)).toMatchObject({ unpriced: 0 });
    expect(unpriced('mine', { input: 300_000 }, true)).toMatchObject({ unpriced: 0 });
  });

  it('beside priced ones, whose sum stays', () => {
    const cost = costOf(
      [
        { model: 'mine', tokens: tokens({ input: MILLION }) },
        { model: 'mock', tokens: tokens({ input: 1 }) },
      ],
      own,
    );
    expect(cost).toEqual({ usd: 1, unpriced: 1, unpricedModels: ['mock'] });
  });
});

it('the name of whoever makes a model may stand before it', () => {
  expect(costOf([{ model: 'anthropic/claude-sonnet-4-5', tokens: tokens({ input: MILLION }) }]).usd).toBeCloseTo(3, 10);
});

it('a seller has prices of its own, and none for what it does not sell', () => {
  const copilot = (model: string) => costOf([{ model, tokens: tokens({ input: MILLION }) }], {}, 'github_copilot').usd;
  expect(copilot('claude-sonnet-5')).toBe(table.models['github_copilot/claude-sonnet-5'].input);
  expect(copilot('claude-sonnet-4-5')).toBeNull();
});

it('prices of your own go before the list', () => {
  const { prices, problems } = readOwnPrices({ 'claude-sonnet-4-5': { input: 7, output: 8 } });
  expect(problems).toEqual([]);
  expect(costOf([{ model: 'claude-sonnet-4-5', tokens: tokens({ input: MILLION }) }], prices).usd).toBe(7);
});

it.each([
  [7, 'prices is not an object'],
  [{ a: 1 }, 'prices.a is not an object'],
  [{ a: { input: 1 } }, 'prices.a needs input and output'],
  [{ a: { input: -1, output: 1 } }, 'prices.a has no number of dollars as input'],
  [{ a: { input: Number.NaN, output: 1 } }, 'prices.a has no number of dollars as input'],
  [{ a: { input: 1, output: 1, tokens: 2 } }, 'prices.a has tokens, which is none of input, output, cacheRead, cacheWrite, cacheWrite1h'],
])('a price that cannot be read does not count, and is named: %j', (value, problem) => {
  expect(readOwnPrices(value)).toEqual({ prices: {}, problems: [problem] });
});

it('the table says whence and when it is, has no price below zero, and its tiers rise', () => {
  expect(PRICE_DATE).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(PRICE_SOURCE).toMatch(/LiteLLM \d+\.\d+/);
  for (const [model, { tiers = [], ...price }] of Object.entries(table.models as Record<string, { tiers?: { above: number }[] }>)) {
    expect(
      Object.values(price).every((cost) => typeof cost === 'number' && cost >= 0),
      model,
    ).toBe(true);
    const limits = tiers.map(({ above }) => above);
    expect(limits, model).toEqual([...limits].sort((a, b) => a - b));
  }
});

it('sums of requests cost what the requests cost, in every model of the table and on either side of every limit', () => {
  const models = Object.entries(table.models as Readonly<Record<string, { tiers?: readonly { above: number }[] }>>);
  const limits = new Set(models.flatMap(([, { tiers = [] }]) => tiers.map(({ above }) => above)));
  expect([...limits].filter((limit) => !(SIZE_LIMITS as readonly number[]).includes(limit))).toEqual([]);
  for (const [model] of models) {
    for (const limit of [0, ...SIZE_LIMITS]) {
      const tokens = { ...NO_TOKENS, input: limit + 1, output: 3 };
      const request = { model, tokens };
      const sum = { model, tokens: addTokens(tokens, tokens), several: { requests: 2, size: limit + 1 } };
      const [one, both] = [costOf([request]), costOf([sum])];
      if (one.usd === null) expect(both).toMatchObject({ usd: null, unpriced: 2 });
      else expect(both.usd).toBeCloseTo(one.usd * 2, 9);
    }
  }
});
