/** Each reads one field of an entry, and adds to `wrong` what it cannot make sense of. */
export type Entry = Readonly<Record<string, unknown>>;

export function text(entry: Entry, key: string, wrong: string[]): string | undefined {
  const value = entry[key];
  if (value === undefined || typeof value === 'string') return value;
  wrong.push(`"${key}" is not a string`);
  return undefined;
}

export function booleanField(entry: Entry, key: string, wrong: string[]): boolean | undefined {
  const value = entry[key];
  if (value === undefined || typeof value === 'boolean') return value;
  wrong.push(`"${key}" is not true or false`);
  // What was meant is unknown; where it was meant to be a policy, it is one.
  return key === 'fail_closed' ? true : undefined;
}

export function oneOf<T extends string>(entry: Entry, key: string, known: readonly T[], wrong: string[]): T | undefined {
  const value = entry[key];
  if (value === undefined) return undefined;
  const found = known.find((each) => each === value);
  if (found === undefined) wrong.push(`"${key}" is not one of ${known.map((each) => `"${each}"`).join(', ')}`);
  return found;
}

/** A list of texts, or one text that stands for a list of one. */
export function texts(entry: Entry, key: string, wrong: string[]): readonly string[] | undefined {
  const value = entry[key];
  if (value === undefined) return undefined;
  const list = typeof value === 'string' ? [value] : value;
  if (Array.isArray(list) && list.every((each) => typeof each === 'string' && each !== '')) return list as string[];
  wrong.push(`"${key}" is not a list of strings`);
  return undefined;
}

const LONGEST_TIMEOUT_MS = 600_000;

/** A number is seconds; text carries its unit. */
export function timeout(value: unknown, otherwise: number, wrong: string[]): number {
  if (value === undefined) return otherwise;
  const parts = typeof value === 'string' ? /^(\d+(?:\.\d+)?)\s*(ms|s|m)$/.exec(value.trim()) : null;
  const ms =
    typeof value === 'number'
      ? value * 1000
      : parts
        ? Number(parts[1]) * { ms: 1, s: 1000, m: 60_000 }[parts[2] as 'ms' | 's' | 'm']
        : Number.NaN;
  if (ms >= 1 && ms <= LONGEST_TIMEOUT_MS) return Math.round(ms);
  wrong.push('"timeout" is not a number of seconds, or like "500ms" or "5s", from 1 ms to 10 minutes');
  return otherwise;
}
