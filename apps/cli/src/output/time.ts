/** A duration, in the unit a person would choose. */
export function formatDuration(ms: number): string {
  if (ms < 1) return `${(ms * 1000).toFixed(0)} µs`;
  if (ms < 10) return `${ms.toFixed(2)} ms`;
  if (ms < 1000) return `${ms.toFixed(0)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return formatAge(ms);
}

/** A duration in coarse units. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
}

/** Local time, with the date unless it is today. */
export function formatTime(at: string | number, now = Date.now()): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  const today = new Date(now).toDateString() === date.toDateString();
  return today ? time : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}

/** The same for narrow columns: the date, or the time of today. */
export function formatShortTime(at: string | number, now = Date.now()): string {
  const long = formatTime(at, now);
  return long.includes(' ') ? long.slice(5, 16) : long;
}

const two = (value: number): string => String(value).padStart(2, '0');

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Parses `--since`: a time span (`90m`, `2h`, `7d`) or a date. */
export function parseSince(text: string, now = Date.now()): Date | undefined {
  const span = /^(\d+(?:\.\d+)?)\s*(s|min|m|h|d|w)$/.exec(text.trim());
  // A span that leads before the first valid date is invalid: otherwise everything would count as older.
  const date = span ? new Date(now - Number(span[1]) * (UNITS[span[2] as string] as number)) : new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
