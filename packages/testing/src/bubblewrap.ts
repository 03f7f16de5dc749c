import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describeWhere } from './requirement.ts';

/** A PATH with bubblewrap: the current one, or one with what `scripts/bubblewrap.mjs` unpacked. */
export function pathWithBubblewrap(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  const path = env.PATH ?? '';
  const unpacked = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'piton', 'bubblewrap', 'usr', 'bin');
  if (path.split(delimiter).some((place) => existsSync(join(place, 'bwrap')))) return path;
  return existsSync(join(unpacked, 'bwrap')) ? `${unpacked}${delimiter}${path}` : undefined;
}

/** A suite that needs bubblewrap. */
export function describeConfined(title: string, suite: (path: string) => void): void {
  const path = pathWithBubblewrap();
  describeWhere(path === undefined ? 'bubblewrap is not here, run node scripts/bubblewrap.mjs' : null, title, () => suite(path ?? ''));
}
