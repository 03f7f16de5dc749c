import { EVENTS, type EventName, parseEventName, spellingsOf } from '@piton/contracts';
import { DEFAULT_TIMEOUT_MS } from '../definition.ts';
import { matcherProblem } from '../matcher.ts';
import { moduleKindProblem } from '../module/module-file.ts';
import { type When, whenProblem } from '../when.ts';
import { nearestName } from './nearest-name.ts';

/** One entry of `hooks` in a settings file, read. */
export interface SettingHook {
  readonly name: string;
  readonly event: EventName;
  readonly matcher: string;
  readonly when?: When;
  /** Empty for a module. */
  readonly command: string;
  /** As written: from the directory of the settings file. */
  readonly module?: string;
  readonly timeoutMs: number;
  readonly injectOutput: boolean | undefined;
  readonly enabled: boolean;
  readonly observe: boolean;
  readonly group?: string;
  readonly failClosed: boolean;
  /** It stays in the list, and cannot run. */
  readonly broken?: string;
}

export interface EntryResult {
  readonly hook: SettingHook | null;
  readonly problems: readonly string[];
}

const KEYS = [
  'name',
  'event',
  'matcher',
  'when',
  'command',
  'module',
  'timeout',
  'inject_output',
  'enabled',
  'mode',
  'observe',
  'group',
  'fail_closed',
  'description',
];
const LONGEST_TIMEOUT_MS = 600_000;

export function readEntry(value: unknown, position: number): EntryResult {
  const where = `hooks[${position}]`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { hook: null, problems: [`${where} is no object`] };
  const entry = value as Record<string, unknown>;
  const event = typeof entry.event === 'string' ? parseEventName(entry.event) : undefined;
  if (event === undefined) return { hook: null, problems: [eventProblem(where, entry.event)] };
  const wrong: string[] = [];
  const name = text(entry, 'name', wrong) || `${event.replaceAll('_', '-')}-${position + 1}`;
  const command = text(entry, 'command', wrong) ?? '';
  const module = text(entry, 'module', wrong);
  if (module === undefined && command.trim() === '') wrong.push('"command" is missing');
  if (module !== undefined && command !== '') wrong.push('"command" and "module" stand beside each other: it can be only one');
  const moduleWrong = module === undefined ? undefined : moduleKindProblem(module);
  if (moduleWrong !== undefined) wrong.push(moduleWrong);
  const conditionWrong = whenProblem(entry.when);
  if (conditionWrong !== undefined) wrong.push(conditionWrong);
  const matcher = text(entry, 'matcher', wrong) ?? '';
  const matcherWrong = matcherProblem(matcher);
  if (matcherWrong !== undefined) wrong.push(matcherWrong);
  const hook: SettingHook = {
    name,
    event,
    matcher,
    ...(entry.when !== undefined && conditionWrong === undefined && { when: entry.when as When }),
    command,
    ...(module !== undefined && { module }),
    timeoutMs: timeout(entry.timeout, wrong),
    injectOutput: truth(entry, 'inject_output', wrong),
    enabled: truth(entry, 'enabled', wrong) ?? true,
    observe: (truth(entry, 'observe', wrong) ?? false) || mode(entry.mode, wrong) === 'shadow',
    ...group(entry, wrong),
    failClosed: truth(entry, 'fail_closed', wrong) ?? false,
  };
  const named = `${where} (${name})`;
  const unknown = Object.keys(entry).filter((key) => !KEYS.includes(key));
  const problems = [...wrong.map((problem) => `${named}: ${problem}`), ...unknown.map((key) => `${named}: ${unknownKey(key, KEYS)}`)];
  return { hook: wrong.length > 0 ? { ...hook, broken: wrong.join('; ') } : hook, problems };
}

export function unknownKey(key: string, known: readonly string[]): string {
  const near = nearestName(key, known);
  return `"${key}" is not known to this version and has no effect${near === undefined ? '' : `: did you mean "${near}"?`}`;
}

function eventProblem(where: string, event: unknown): string {
  if (typeof event !== 'string') return `${where} names no event: "event" is missing or no text`;
  const near = nearestName(event, EVENTS.flatMap(spellingsOf));
  return `${where}: there is no event named ${event}${near === undefined ? '' : `: did you mean ${near}?`}`;
}

function text(entry: Record<string, unknown>, key: string, wrong: string[]): string | undefined {
  const value = entry[key];
  if (value === undefined || typeof value === 'string') return value;
  wrong.push(`"${key}" is no text`);
  return undefined;
}

function truth(entry: Record<string, unknown>, key: string, wrong: string[]): boolean | undefined {
  const value = entry[key];
  if (value === undefined || typeof value === 'boolean') return value;
  wrong.push(`"${key}" is neither true nor false`);
  // What was meant is unknown; where it was meant to be a policy, it is one.
  return key === 'fail_closed' ? true : undefined;
}

function group(entry: Record<string, unknown>, wrong: string[]): { group?: string } {
  const name = text(entry, 'group', wrong);
  return name === undefined ? {} : { group: name };
}

function mode(value: unknown, wrong: string[]): 'enforce' | 'shadow' {
  if (value === undefined || value === 'enforce') return 'enforce';
  if (value !== 'shadow') wrong.push('"mode" is neither "enforce" nor "shadow"');
  return 'shadow';
}

/** A number is seconds; text carries its unit. */
function timeout(value: unknown, wrong: string[]): number {
  if (value === undefined) return DEFAULT_TIMEOUT_MS;
  const parts = typeof value === 'string' ? /^(\d+(?:\.\d+)?)\s*(ms|s|m)$/.exec(value.trim()) : null;
  const ms =
    typeof value === 'number'
      ? value * 1000
      : parts
        ? Number(parts[1]) * { ms: 1, s: 1000, m: 60_000 }[parts[2] as 'ms' | 's' | 'm']
        : Number.NaN;
  if (ms >= 1 && ms <= LONGEST_TIMEOUT_MS) return Math.round(ms);
  wrong.push('"timeout" is neither a number of seconds nor like "500ms" or "5s", from 1 ms to 10 minutes');
  return DEFAULT_TIMEOUT_MS;
}
