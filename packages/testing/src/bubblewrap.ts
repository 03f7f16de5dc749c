import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, test } from 'vitest';

/** A PATH on which bubblewrap lies: this one, or with what `scripts/bubblewrap.mjs` unpacked. */
export function pathWithBubblewrap(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  const path = env.PATH ?? '';
  const unpacked = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'piton', 'bubblewrap', 'usr', 'bin');
  if (path.split(delimiter).some((place) => existsSync(join(place, 'bwrap')))) return path;
  return existsSync(join(unpacked, 'bwrap')) ? `${unpacked}${delimiter}${path}` : undefined;
}

/** A suite that needs bubblewrap: it runs, or it says by name that it does not. On CI it must. */
export function describeConfined(title: string, suite: (path: string) => void): void {
  const path = pathWithBubblewrap();
  if (path !== undefined) return void describe(title, () => suite(path));
  const line = `${title}: bubblewrap is not here, run node scripts/bubblewrap.mjs`;
  if (process.env.CI && process.env.CI !== 'false') throw new Error(line);
  console.warn(`SKIPPED ${line}`);
  test.skip(`SKIPPED ${line}`, () => {});
}
