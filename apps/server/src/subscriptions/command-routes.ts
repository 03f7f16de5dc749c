import type { CheckpointSummary, HistoryReadReport, RelinkReport, RewindReport } from '@piton/contracts/server-api';

const TEXTS: readonly (keyof CheckpointSummary)[] = ['id', 'kind', 'name'];
const MAYBE: readonly (keyof CheckpointSummary)[] = ['base', 'branch', 'session', 'agent', 'linked'];

/** Validates the message of `piton rewind`. Null if it is not one of this version. */
export function readRewound(body: unknown): RewindReport | null {
  if (!isObject(body) || typeof body.root !== 'string' || !Array.isArray(body.made) || !body.made.every(isSummary)) return null;
  const { restored } = body;
  if (restored !== null && !(isObject(restored) && isSummary(restored.checkpoint) && typeof restored.undo === 'string')) return null;
  return body as unknown as RewindReport;
}

/** The same for `piton checkpoints repair`. */
export function readRelinked(body: unknown): RelinkReport | null {
  if (!isObject(body) || typeof body.root !== 'string' || !Array.isArray(body.links)) return null;
  const known = body.links.every(
    (link) =>
      isObject(link) && ['made', 'linked'].includes(String(link.kind)) && isSummary(link.checkpoint) && typeof link.commit === 'string',
  );
  return known ? (body as unknown as RelinkReport) : null;
}

/** The same for `piton mcp`. */
export function readHistoryRead(body: unknown): HistoryReadReport | null {
  if (!isObject(body) || !['root', 'tool', 'input'].every((key) => typeof body[key] === 'string')) return null;
  const isMaybe = ['agent', 'session', 'failed'].every((key) => body[key] === null || typeof body[key] === 'string');
  const isCount = ['results', 'characters'].every((key) => Number.isInteger(body[key]) && (body[key] as number) >= 0);
  return isMaybe && isCount ? (body as unknown as HistoryReadReport) : null;
}

/** The working tree whose checkpoints a command waits for. */
export const settledRoot = (body: unknown): string | null => (isObject(body) && typeof body.root === 'string' ? body.root : null);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isSummary = (value: unknown): value is CheckpointSummary =>
  isObject(value) &&
  TEXTS.every((key) => typeof value[key] === 'string') &&
  MAYBE.every((key) => value[key] === null || typeof value[key] === 'string');
