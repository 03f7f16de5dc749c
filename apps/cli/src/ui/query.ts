import { findAgent } from '@piton/agents';
import type { PageList } from '@piton/contracts/page';
import { badRequest } from './answer.ts';
import type { PageReader } from './reader.ts';

const MAX_LIMIT = 200;

export function numberIn(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name);
  if (given === null) return undefined;
  if (!/^\d{1,15}$/.test(given)) throw badRequest(`${name} has to be a number`);
  return Number(given);
}

export const limitIn = (query: URLSearchParams, usual = 50): number => Math.min(MAX_LIMIT, Math.max(1, numberIn(query, 'limit') ?? usual));

export function requiredIn(query: URLSearchParams, name: string): string {
  const given = query.get(name);
  if (!given) throw badRequest(`${name} is missing`);
  return given;
}

/** A part of a list: one more than asked for shows whether there is another. */
export function listOf<Item, Shown>(
  found: readonly Item[],
  limit: number,
  nextOf: (last: Item) => string,
  shown: readonly Shown[],
): PageList<Shown> {
  const last = found[limit - 1];
  return { items: shown.slice(0, limit), next: found.length > limit && last !== undefined ? nextOf(last) : null };
}

/** A position in a list is a list of values that only we read. */
export const positionOf = (...values: readonly (string | number)[]): string => Buffer.from(JSON.stringify(values)).toString('base64url');

export function positionIn(query: URLSearchParams): readonly (string | number)[] | undefined {
  const given = query.get('after');
  if (given === null || given === '') return undefined;
  try {
    const values = JSON.parse(Buffer.from(given, 'base64url').toString('utf8')) as unknown;
    if (Array.isArray(values) && values.every((one) => typeof one === 'string' || typeof one === 'number'))
      return values as (string | number)[];
  } catch {
    // told below
  }
  throw badRequest('after is not one of ours');
}

/** The filters that several lists have, as the store takes them. */
export async function filterIn(reader: PageReader, query: URLSearchParams): Promise<{ agent?: string; path?: string; since?: number }> {
  const agent = query.get('agent');
  const repository = query.get('repository');
  const since = numberIn(query, 'since');
  return {
    ...(agent && { agent: findAgent(agent)?.id ?? agent }),
    ...(repository && { path: await reader.root(repository) }),
    ...(since !== undefined && { since: since * 1000 }),
  };
}
