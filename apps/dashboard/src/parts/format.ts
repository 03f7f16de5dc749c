import type { ExportCost, TokenCounts } from '../api/words.ts';

// Texts for people, in their own time zone and way of writing numbers.

const whole = new Intl.NumberFormat();
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const timeOnly = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dayAndTime = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

export const formatCount = (count: number): string => (count < 10_000 ? whole.format(count) : compact.format(count));
export const formatWhole = (count: number): string => whole.format(count);
export const formatFullTime = (at: number): string => full.format(at);

/** Today the time; before that the day too. */
export const formatTime = (at: number, now = Date.now()): string =>
  new Date(at).toDateString() === new Date(now).toDateString() ? timeOnly.format(at) : dayAndTime.format(at);

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** How long ago, in whole seconds: it is read while it changes. */
export const formatSeconds = (ms: number): string => (ms < 60_000 ? `${Math.floor(ms / 1_000)} s` : formatDuration(ms));

/** Two units at most: `1 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const first = UNITS.findIndex(([, size]) => ms >= size);
  const [unit, size] = UNITS[first] ?? UNITS[3];
  const rest = UNITS[first + 1];
  const count = Math.floor(ms / size);
  const remainder = rest ? Math.floor((ms - count * size) / rest[1]) : 0;
  return rest && remainder > 0 && count < 100 ? `${count} ${unit} ${remainder} ${rest[0]}` : `${count} ${unit}`;
}

export const formatAgo = (at: number, now = Date.now()): string => (now - at < 10_000 ? 'just now' : `${formatSeconds(now - at)} ago`);

const dollars = (usd: number): string => (usd > 0 && usd < 0.01 ? '< $0.01' : `$${usd.toFixed(2)}`);

export function formatCost(cost: ExportCost | null): string {
  if (cost === null) return '–';
  if (cost.usd === null) return 'unpriced';
  return cost.unpriced > 0 ? `${dollars(cost.usd)} +` : dollars(cost.usd);
}

/** What a cost is, and is not. */
export function describeCost(cost: ExportCost): string {
  const models = cost.unpricedModels.map((model) => model ?? 'a model without a name').join(', ');
  const missing = cost.unpriced > 0 ? ` ${formatWhole(cost.unpriced)} requests are unpriced (${models}).` : '';
  return `List price of ${cost.listPricesOf}, not your bill.${missing}`;
}

export const sumTokens = ({ input, output, cacheRead, cacheWrite }: TokenCounts): number => input + output + cacheRead + cacheWrite;

const BYTES = ['B', 'KB', 'MB', 'GB'] as const;
export function formatBytes(bytes: number): string {
  const at = Math.min(BYTES.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${at === 0 ? bytes : (bytes / 1000 ** at).toFixed(1)} ${BYTES[at]}`;
}

export const countOf = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`;

/** The last part of a path. */
export const nameOfPath = (path: string): string => path.split('/').filter(Boolean).at(-1) ?? path;
