import { randomBytes } from 'node:crypto';
import { createRedactor, installKey, type Redactor, readOwnRules } from '@piton/redact';
import type { Context } from './context.ts';
import { existingPlaces } from './locations.ts';
import { showWarning } from './output/show-failure.ts';
import { readSettings, settingsFile } from './settings/files.ts';

/** The redactor that the server uses: the same key, and the user's rules. If Piton is not set up, a key for this run. */
export function redactorHere(context: Context): Redactor {
  const places = existingPlaces(context);
  const { own, problems } = readOwnRules(readSettings(settingsFile(context, 'user')).values.redact);
  for (const problem of problems) showWarning(context, `${problem}. Ignored`);
  return createRedactor({ key: places ? installKey(places.home) : randomBytes(32), own });
}

/** Counts by kind, most frequent first. */
export class Tally {
  readonly #counts = new Map<string, number>();

  readonly add = (kind: string): void => {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  };

  get all(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  list(): { readonly kind: string; readonly count: number }[] {
    return [...this.#counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count || a.kind.localeCompare(b.kind));
  }
}
