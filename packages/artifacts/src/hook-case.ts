import { DECISION_NAMES, type DecisionName, type EventName, type JsonObject, parseEventName, type Reduced } from '@piton/contracts';

/** A test case of a hook: the payload of an agent, and the expected decision. A JSON file under `tests/` holds one or a list. */
export interface HookCase {
  readonly name: string;
  /** The agent whose payload it is. */
  readonly agent: string;
  readonly event: EventName;
  readonly native_event: string;
  readonly payload: unknown;
  /** Default: a temporary directory. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly expect: HookExpectation;
}

export interface HookExpectation {
  readonly decision: DecisionName;
  /** Regular expressions that the text for the model must match. */
  readonly reason_matches?: string;
  readonly content_matches?: string;
}

export type HookCasesResult =
  | { readonly ok: true; readonly cases: readonly HookCase[] }
  | { readonly ok: false; readonly problems: readonly string[] };

const KEYS = ['name', 'agent', 'event', 'native_event', 'payload', 'cwd', 'env', 'expect'];
const EXPECT_KEYS = ['decision', 'reason_matches', 'content_matches'];

export function readHookCases(text: string): HookCasesResult {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { ok: false, problems: [`is not JSON: ${(error as Error).message}`] };
  }
  const many = Array.isArray(value);
  const entries: readonly unknown[] = many ? (value as unknown[]) : [value];
  if (entries.length === 0) return { ok: false, problems: ['contains no test case'] };
  const problems = entries.flatMap((entry, at) => problemsOf(entry).map((problem) => (many ? `test case ${at + 1}: ${problem}` : problem)));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, cases: entries.map((entry) => normalized(entry as HookCase)) };
}

export const hookCaseText = (one: HookCase): string => `${JSON.stringify(one, null, 2)}\n`;

/** How a decision differs from the expected one, or undefined. */
export function caseDifference(
  expected: HookExpectation,
  { decision, reason, content, continue: continuation }: Reduced,
): string | undefined {
  if (decision !== expected.decision) return `expected ${expected.decision}, got ${decision}${reason ? `: ${reason}` : ''}`;
  const message = reason ?? continuation ?? '';
  if (expected.reason_matches !== undefined && !new RegExp(expected.reason_matches).test(message))
    return `the reason does not match /${expected.reason_matches}/: ${message === '' ? 'none' : message}`;
  if (expected.content_matches !== undefined && !new RegExp(expected.content_matches).test(content ?? ''))
    return `the content does not match /${expected.content_matches}/: ${content ? content : 'none'}`;
  return undefined;
}

/** The event may be in any accepted spelling. */
const normalized = (one: HookCase): HookCase => ({ ...one, event: parseEventName(one.event) as EventName });

function problemsOf(entry: unknown): string[] {
  if (!isObject(entry)) return ['is not an object'];
  const problems = unknownKeys(entry, KEYS);
  for (const key of ['name', 'agent', 'event', 'native_event'])
    if (typeof entry[key] !== 'string' || entry[key] === '') problems.push(`"${key}" is missing or not a string`);
  if (typeof entry.event === 'string' && entry.event !== '' && parseEventName(entry.event) === undefined)
    problems.push(`"event": no event is named ${JSON.stringify(entry.event)}`);
  if (!('payload' in entry)) problems.push('"payload" is missing');
  if (entry.cwd !== undefined && typeof entry.cwd !== 'string') problems.push('"cwd" is not a string');
  if (entry.env !== undefined && !(isObject(entry.env) && Object.values(entry.env).every((value) => typeof value === 'string')))
    problems.push('"env" is not an object of strings');
  return [...problems, ...expectationProblems(entry.expect)];
}

function expectationProblems(expected: unknown): string[] {
  if (!isObject(expected)) return ['"expect" is missing or not an object'];
  const problems = unknownKeys(expected, EXPECT_KEYS).map((problem) => `"expect": ${problem}`);
  if (!DECISION_NAMES.some((name) => name === expected.decision))
    problems.push(`"expect.decision" is not one of ${DECISION_NAMES.join(', ')}`);
  for (const key of ['reason_matches', 'content_matches'])
    if (expected[key] !== undefined && !isPattern(expected[key])) problems.push(`"expect.${key}" is not a regular expression`);
  return problems;
}

const unknownKeys = (entry: JsonObject, keys: readonly string[]): string[] =>
  Object.keys(entry)
    .filter((key) => !keys.includes(key))
    .map((key) => `unknown field "${key}". Known: ${keys.join(', ')}`);

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value) instanceof RegExp;
  } catch {
    return false;
  }
}
