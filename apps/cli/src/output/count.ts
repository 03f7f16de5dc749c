import { Failure } from '../failure.ts';

export function parseCount(option: string, text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new Failure(`${option} must be a whole number of at least 1, not ${JSON.stringify(text)}`, { usage: true });
}
