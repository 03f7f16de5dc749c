import { availableParallelism } from 'node:os';

/** To set up and take down a sandbox is mostly waiting for the kernel: a core has time for two. */
const PER_CORE = 2;
const MOST = 16;

/** Several at once; `done` hears of each. What was not begun when the signal came is undefined. */
export async function runInParallel<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
  signal: AbortSignal,
  done: (count: number) => void = () => {},
): Promise<(Result | undefined)[]> {
  const results = new Array<Result | undefined>(items.length).fill(undefined);
  let next = 0;
  let count = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && !signal.aborted) {
      const at = next++;
      const result = await run(items[at] as Item);
      // What was cut short has said nothing that counts.
      if (signal.aborted) return;
      results[at] = result;
      done(++count);
    }
  };
  await Promise.all(Array.from({ length: Math.min(MOST, PER_CORE * availableParallelism()) }, worker));
  return results;
}
