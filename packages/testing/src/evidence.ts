import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import { selectAll } from './database.ts';

const LAST_LINES = 40;

/** The state of a home when a test has failed, to explain a run that was red only once. */
export function evidenceOf(places: Places, servers: readonly number[]): string {
  return [
    `servers: ${servers.join(', ') || 'none'}`,
    `backoff: ${said(() => readFileSync(join(places.environment, 'backoff'), 'utf8').trim())}`,
    `journal: ${said(() => journalOf(places.journal))}`,
    `stored: ${said(() => storedIn(places.store))}`,
    ...said(() => readdirSync(places.logs).join('\n'))
      .split('\n')
      .map(
        (name) => `${name}:\n${said(() => readFileSync(join(places.logs, name), 'utf8').trim().split('\n').slice(-LAST_LINES).join('\n'))}`,
      ),
  ].join('\n');
}

const journalOf = (directory: string): string =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => `${name} (${statSync(join(directory, name)).size})`)
    .join(', ');

function storedIn(store: string): string {
  if (!existsSync(store)) return 'no store';
  const rows = selectAll(store, 'SELECT native_event AS event, late, count(*) AS n FROM events WHERE derived = 0 GROUP BY 1, 2');
  return rows.map(({ event, late, n }) => `${n} ${event}${late ? ', late' : ''}`).join('; ') || 'no event';
}

function said(look: () => string): string {
  try {
    return look();
  } catch (error) {
    return `(${(error as Error).message})`;
  }
}
