import { EVENTS, isPitonEvent, PITON_EVENTS, parseEventName, parsePitonEventName, spellingsOf } from '@piton/contracts';
import { DEFAULT_TIMEOUT_MS, type HookEvent } from '../definition.ts';
import { matcherProblem } from '../matcher.ts';
import { moduleKindProblem } from '../module/module-file.ts';
import { type When, whenProblem } from '../when.ts';
import { booleanField, type Entry, oneOf, text, timeout } from './field-readers.ts';
import { MOST_HINTS, nearestName } from './nearest-name.ts';
import { type AgentNames, readSurroundings, SURROUNDING_KEYS, type Surroundings } from './surroundings.ts';

/** A hook as it was declared, in a settings file or as an artifact. */
export interface DeclaredHook extends Surroundings {
  readonly name: string;
  readonly event: HookEvent;
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
  readonly shadow?: boolean;
  readonly group?: string;
  readonly failClosed: boolean;
  /** It stays in the list, and cannot run. */
  readonly broken?: string;
}

export interface EntryResult {
  readonly hook: DeclaredHook | null;
  readonly problems: readonly string[];
  /** The same in parts, each with the field that it is about. */
  readonly wrong: readonly FieldProblem[];
  readonly unknown: readonly FieldProblem[];
}
export interface FieldProblem {
  readonly field: string;
  readonly what: string;
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
  ...SURROUNDING_KEYS,
];

/** What decides, or looks at a tool: nothing of that happens on one of Piton's own events. */
const FOR_AGENTS = ['matcher', 'when', 'inject_output', 'mode', 'observe', 'group', 'fail_closed', 'wants'] as const;

/** The entry without what makes no sense on its event, and a word about each. */
function fitting(entry: Entry, event: HookEvent): { entry: Entry; without: readonly string[] } {
  const idle = isPitonEvent(event) ? FOR_AGENTS.filter((key) => entry[key] !== undefined) : [];
  if (idle.length === 0) return { entry, without: [] };
  const kept = Object.entries(entry).filter(([key]) => !idle.some((each) => each === key));
  return { entry: Object.fromEntries(kept), without: idle.map((key) => `"${key}" has no effect on ${event}, an event that Piton emits`) };
}

/** `where` names the place of the entry, for people; `fallback` names the hook if it has no name of its own. */
export function readEntry(
  value: unknown,
  where: string,
  agents: AgentNames | undefined,
  fallback: (event: HookEvent) => string,
): EntryResult {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return none(`${where} is not an object`);
  const written = value as Entry;
  const event = typeof written.event === 'string' ? (parseEventName(written.event) ?? parsePitonEventName(written.event)) : undefined;
  if (event === undefined) return none(eventProblem(where, written.event));
  const { entry, without } = fitting(written, event);
  const wrong: string[] = [];
  const name = text(entry, 'name', wrong) || fallback(event);
  const command = text(entry, 'command', wrong) ?? '';
  const module = text(entry, 'module', wrong);
  if (module === undefined && command.trim() === '') wrong.push('"command" is missing');
  if (module !== undefined && command !== '') wrong.push('"command" and "module" cannot be combined');
  const moduleWrong = module === undefined ? undefined : moduleKindProblem(module);
  if (moduleWrong !== undefined) wrong.push(moduleWrong);
  const conditionWrong = whenProblem(entry.when);
  if (conditionWrong !== undefined) wrong.push(conditionWrong);
  const matcher = text(entry, 'matcher', wrong) ?? '';
  const matcherWrong = matcherProblem(matcher);
  if (matcherWrong !== undefined) wrong.push(matcherWrong);
  // What was meant by another word is unknown: on trial it can do no harm.
  const shadow = entry.mode !== undefined && oneOf(entry, 'mode', ['enforce', 'shadow'], wrong) !== 'enforce';
  const hook: DeclaredHook = {
    name,
    event,
    matcher,
    ...(entry.when !== undefined && conditionWrong === undefined && { when: entry.when as When }),
    command,
    ...(module !== undefined && { module }),
    timeoutMs: timeout(entry.timeout, DEFAULT_TIMEOUT_MS, wrong),
    injectOutput: booleanField(entry, 'inject_output', wrong),
    enabled: booleanField(entry, 'enabled', wrong) ?? true,
    observe: (booleanField(entry, 'observe', wrong) ?? false) || shadow,
    ...(shadow && { shadow }),
    ...group(entry, wrong),
    failClosed: booleanField(entry, 'fail_closed', wrong) ?? false,
    ...readSurroundings(entry, agents, wrong),
  };
  const named = `${where} (${name})`;
  const unknown = Object.keys(entry)
    .filter((key) => !KEYS.includes(key))
    .map((key, at) => ({ field: key, what: unknownKey(key, at < MOST_HINTS ? KEYS : []) }));
  return {
    hook: wrong.length > 0 ? { ...hook, broken: wrong.join('; ') } : hook,
    problems: [...wrong, ...without, ...unknown.map(({ what }) => what)].map((problem) => `${named}: ${problem}`),
    wrong: wrong.map((what) => ({ field: fieldIn(what), what })),
    unknown: [...without.map((what) => ({ field: fieldIn(what), what })), ...unknown],
  };
}

const none = (problem: string): EntryResult => ({ hook: null, problems: [problem], wrong: [], unknown: [] });

/** Every problem begins with the name of its field. */
const fieldIn = (problem: string): string => /^"?([a-z_]+)/.exec(problem)?.[1] ?? '';

export function unknownKey(key: string, known: readonly string[]): string {
  const near = nearestName(key, known);
  return `"${key}" is unknown to this version and has no effect${near === undefined ? '' : `: did you mean "${near}"?`}`;
}

function eventProblem(where: string, event: unknown): string {
  if (typeof event !== 'string') return `${where} has no event: "event" is missing or not a string`;
  const near = nearestName(event, [...EVENTS.flatMap(spellingsOf), ...PITON_EVENTS]);
  return `${where}: no event is named ${event}${near === undefined ? '' : `: did you mean ${near}?`}`;
}

function group(entry: Entry, wrong: string[]): { group?: string } {
  const name = text(entry, 'group', wrong);
  return name === undefined ? {} : { group: name };
}
