import { availableParallelism } from 'node:os';

const MOST = 8;

/** As many at once as there are cores; `done` hears of each. What was not begun when the signal came is undefined. */
export async function sideBySide<Item, Result>(
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
  await Promise.all(Array.from({ length: Math.min(MOST, Math.max(2, availableParallelism())) }, worker));
  return results;
}
