import { describe, test } from 'vitest';

/**
 * A suite that needs something of the machine: it runs, or it is skipped by name. Whether a skipped test may pass is not decided
 * here: `npm test -- --require-all` and `npm run test:agents` count it as failed.
 */
export function describeWhere(obstacle: string | null, title: string, suite: () => void, timeout?: number): void {
  if (obstacle === null) return void describe(title, timeout === undefined ? {} : { timeout }, suite);
  const line = `SKIPPED ${title}: ${obstacle}`;
  console.warn(line);
  test.skip(line, () => {});
}
