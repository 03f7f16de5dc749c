import { badRequest } from '../answer.ts';

const HOUR_MS = 3_600_000;
/** Days of every zone begin with one of them. */
const QUARTER_MS = 900_000;

export interface Day {
  /** Such as `2026-11-18`. */
  readonly day: string;
  readonly from: number;
}

/** The last days by the calendar of a time zone, or of this machine; also where a day has 23 or 25 hours, or no midnight. */
export function lastDays(count: number, now: number, zone: string | null): Day[] {
  const dayAt = calendarOf(zone);
  const [year = 0, month = 1, date = 1] = dayAt(now).split('-').map(Number);
  return Array.from({ length: count }, (_, at) => {
    const noon = Date.UTC(year, month - 1, date - (count - 1 - at), 12);
    const day = new Date(noon).toISOString().slice(0, 10);
    return { day, from: firstOf(day, noon, dayAt) };
  });
}

/** No zone is further from Greenwich than fourteen hours. */
function firstOf(day: string, noon: number, dayAt: (at: number) => string): number {
  let [before, from] = [noon - 27 * HOUR_MS, noon + 3 * HOUR_MS];
  while (from - before > QUARTER_MS) {
    const middle = before + Math.floor((from - before) / 2 / QUARTER_MS) * QUARTER_MS;
    if (dayAt(middle) < day) before = middle;
    else from = middle;
  }
  return from;
}

function calendarOf(zone: string | null): (at: number) => string {
  let format: Intl.DateTimeFormat;
  try {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en-CA', { calendar: 'iso8601', ...parts, ...(zone !== null && { timeZone: zone }) });
  } catch {
    throw badRequest('zone is no time zone');
  }
  return (at) => format.format(at);
}
