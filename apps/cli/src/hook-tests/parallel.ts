import { availableParallelism } from 'node:os';

/** Setting up a sandbox is mostly waiting for the kernel: two fit on one core. */
const PER_CORE = 2;
const MAX_WORKERS = 16;

/** Runs several at once and calls `done` after each. Items not started when the signal came are undefined. */
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
      // The result of an interrupted run does not count.
      if (signal.aborted) return;
      results[at] = result;
      done(++count);
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_WORKERS, PER_CORE * availableParallelism()) }, worker));
  return results;
}
