import { AGENTS, findAgent } from '@piton/agents';
import type { ExportCost } from '@piton/contracts';
import { type Cost, costOf, type OwnPrices, PRICE_DATE, type PricedRequest, readOwnPrices } from '@piton/prices';
import type { UsageSum } from '@piton/store';
import type { Context } from '../context.ts';
import { plural } from '../output/text.ts';
import { readSettings, settingsFile } from '../settings/files.ts';

/** Formats that tell the tokens of a session in one sum. */
const SUMS: ReadonlySet<string> = new Set(
  AGENTS.flatMap(({ transcript }) => [transcript, transcript?.beside?.format]).flatMap((format) => (format?.sums ? [format.name] : [])),
);

export interface Usage extends PricedRequest {
  /** Of the transcript that tells it. */
  readonly format: string;
}

/** What the requests of one session cost by list price. Null if its agent told no tokens. */
export function sessionCost(agent: string, usage: readonly Usage[], own: OwnPrices): ExportCost | null {
  if (usage.length === 0) return null;
  const requests = usage.map(({ format, ...request }) => ({ ...request, isSum: SUMS.has(format) }));
  return exportCost(costOf(requests, own, findAgent(agent)?.priceList));
}

/** The same of sums of requests. */
export function summedCost(agent: string, sums: readonly UsageSum[], own: OwnPrices): ExportCost | null {
  if (sums.length === 0) return null;
  const requests = sums.map(({ format, model, tokens, requests, size }) => ({
    model,
    tokens,
    isSum: SUMS.has(format),
    several: { requests, size },
  }));
  return exportCost(costOf(requests, own, findAgent(agent)?.priceList));
}

const exportCost = ({ usd, unpriced, unpricedModels }: Cost): ExportCost => ({ usd, unpriced, unpricedModels, listPricesOf: PRICE_DATE });

/** Null if no session told any. */
export function sumCosts(costs: readonly (ExportCost | null)[]): ExportCost | null {
  const told = costs.filter((cost) => cost !== null);
  if (told.length === 0) return null;
  const priced = told.flatMap(({ usd }) => usd ?? []);
  return {
    usd: priced.length === 0 ? null : priced.reduce((sum, usd) => sum + usd, 0),
    unpriced: told.reduce((sum, { unpriced }) => sum + unpriced, 0),
    unpricedModels: [...new Set(told.flatMap(({ unpricedModels }) => unpricedModels))],
    listPricesOf: PRICE_DATE,
  };
}

/** Prices of the person's own. What is wrong with them `piton doctor` says. */
export const ownPrices = (context: Context): OwnPrices => readOwnPrices(readSettings(settingsFile(context, 'user')).values.prices).prices;

/** Less than a cent is not nothing. */
export const formatDollars = (usd: number): string => (usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`);

/** For a table: `$1.20+` has requests without a price. */
export function costCell(cost: ExportCost | null): string {
  if (cost === null) return '';
  if (cost.usd === null) return 'unpriced';
  return `${formatDollars(cost.usd)}${cost.unpriced > 0 ? '+' : ''}`;
}

/** In one sentence, always with what it is not. */
export function costWords({ usd, unpriced, unpricedModels, listPricesOf }: ExportCost): string {
  const models = unpricedModels.map((model) => model ?? 'model unknown').join(', ');
  const without = unpriced === 0 ? '' : `${plural(unpriced, 'request')} unpriced (${models})`;
  if (usd === null) return without;
  return `${formatDollars(usd)} by list prices of ${listPricesOf}, not your bill${without && `; ${without}`}`;
}
