import table from './table.json' with { type: 'json' };

/** Dollars for a million tokens. A class without a price has none: it is not free. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly cacheWrite1h?: number;
}

export interface ModelPrice extends Prices {
  /** For requests with more input than `above`, in rising order. */
  readonly tiers?: readonly (Partial<Prices> & { readonly above: number })[];
}

/** Prices of the person's own, by the name of the model. They go before the table. */
export type OwnPrices = Readonly<Record<string, Prices>>;

export const PRICE_DATE: string = table.date;
export const PRICE_SOURCE: string = table.source;

const MODELS: Readonly<Record<string, ModelPrice>> = table.models;

/** A prefix that only says whose model it is. Others, such as a cloud's, have prices of their own. */
const MAKERS = /^(?:anthropic|openai|google|gemini|xai|x-ai|moonshot|moonshotai|deepseek|zai|mistral|mistralai|qwen|dashscope)\//;

/** By its exact name: a price is never guessed from that of a similar one. `list` is the price list of a seller. */
export function priceOf(model: string | null, own: OwnPrices, list?: string): ModelPrice | undefined {
  if (model === null) return undefined;
  const name = model.replace(MAKERS, '');
  const names = list === undefined ? [model, name] : [`${list}/${name}`];
  return find(own, [model, name]) ?? find(MODELS, names);
}

const find = <Price>(prices: Readonly<Record<string, Price>>, names: readonly string[]): Price | undefined => {
  const found = names.find((name) => Object.hasOwn(prices, name));
  return found === undefined ? undefined : prices[found];
};

const CLASSES = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWrite1h'] as const satisfies readonly (keyof Prices)[];

/** The setting `prices`, and what is wrong with it. A price that cannot be read does not count. */
export function readOwnPrices(value: unknown): { readonly prices: OwnPrices; readonly problems: readonly string[] } {
  if (value === undefined) return { prices: {}, problems: [] };
  if (!isRecord(value)) return { prices: {}, problems: ['prices is not an object'] };
  const problems: string[] = [];
  const prices = Object.entries(value).flatMap(([model, price]) => {
    const wrong = problemOf(price);
    if (wrong === undefined) return [[model, price as Prices] as const];
    problems.push(`prices.${model} ${wrong}`);
    return [];
  });
  return { prices: Object.fromEntries(prices), problems };
}

function problemOf(price: unknown): string | undefined {
  if (!isRecord(price)) return 'is not an object';
  const unknown = Object.keys(price).find((name) => !(CLASSES as readonly string[]).includes(name));
  if (unknown !== undefined) return `has ${unknown}, which is none of ${CLASSES.join(', ')}`;
  const wrong = CLASSES.find((name) => price[name] !== undefined && !(typeof price[name] === 'number' && price[name] >= 0));
  if (wrong !== undefined) return `has no number of dollars as ${wrong}`;
  return price.input === undefined || price.output === undefined ? 'needs input and output' : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
