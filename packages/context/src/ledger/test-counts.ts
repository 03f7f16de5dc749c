/** The line in which a test program says how many passed and failed, without colours. */
export function countsLine(output: string): string | null {
  const lines = output.replace(ESCAPES, '').split('\n');
  const found = lines.findLast((line) => COUNTS.some((pattern) => pattern.test(line)));
  return found === undefined ? null : found.trim().replace(/\s+/g, ' ');
}

/** What such a line says; null where it says neither. */
export function passedBy(line: string): boolean | null {
  const failed = /(\d+)[,;]? (?:failed|failures?|errors?)\b|\b(?:fail|failures|errors)[:=]? (\d+)/i.exec(line);
  if (/^(?:FAIL|not ok)\b|test result: FAILED/.test(line) || Number(failed?.[1] ?? failed?.[2] ?? 0) > 0) return false;
  // Node says on a line of its own that none has failed.
  return /^(?:#|ℹ) fail 0$|[1-9]\d* (?:passed|passing|ok|examples?|tests?)\b|\bpass[: ]+[1-9]|^ok\b|Tests run: [1-9]|test result: ok/i.test(
    line,
  )
    ? true
    : null;
}

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** One a program: vitest and jest, mocha, pytest, cargo, go, JUnit, RSpec, node. The last that fits counts. */
const COUNTS: readonly RegExp[] = [
  /^\s*Tests:?\s+.*\d+ (?:passed|failed)/,
  /^\s*\d+ (?:passing|failing)\b/,
  /\b\d+ (?:passed|failed)\b.* in [\d.]+s/,
  /^test result: \w+\. \d+ passed; \d+ failed/,
  /^(?:ok|FAIL)\s+\S+\s+[\d.]+s$/,
  /Tests run: \d+, Failures: \d+/,
  /\b\d+ examples?, \d+ failures?/,
  /^(?:#|ℹ) (?:fail|pass) \d+$/,
];
