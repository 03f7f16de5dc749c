import { Failure } from '../failure.ts';
import { parseSince } from '../output/time.ts';

/** In µs since 1970. */
export function parseSinceOption(text: string): number {
  const since = parseSince(text);
  if (since !== undefined) return since.getTime() * 1000;
  throw new Failure(`--since ${JSON.stringify(text)} is not a time`, { remedy: 'use for example 90m, 2h, 7d or 2026-01-31', usage: true });
}
