import { type EventName, isToolEvent, parseEventName, type ToolKind } from '@piton/contracts';
import { type Found, type LintContext, type Rule, textIn } from '../context.ts';
import { kindEvent, kindsOf, portableNamesOf, portableTools } from '../tool-names.ts';

const MCP = 'mcp__';
const isPattern = (matcher: string): boolean => matcher.startsWith('/');
const isPlain = (part: string): boolean => !/[*?]/.test(part);
const partsOf = (matcher: string): string[] => matcher.split('|').map((part) => part.trim());

/** A matcher that matches no tool is a guard that never runs. */
export const deadMatcherRule: Rule = ({ entry, event, reading, file, lineOf }, context) => {
  const matcher = textIn(entry, 'matcher');
  if (matcher === undefined || event === undefined || !isToolEvent(event) || reading.wrong.some(({ field }) => field === 'matcher'))
    return [];
  const at = { rule: 'matcher.never', file, line: lineOf('matcher') };
  if (isPattern(matcher)) return patternIsDead(matcher, event, context) ? [{ ...at, ...wrongKind(matcher, event) }] : [];
  const dead = partsOf(matcher).map((part) => whyDead(part, event, context));
  const [first] = dead;
  return dead.every((each) => each !== undefined) && first !== undefined ? [{ ...at, ...first }] : [];
};

/** The same for one of several alternatives. The others still work. */
export const deadAlternativeRule: Rule = ({ entry, event, file, lineOf }, context) => {
  const matcher = textIn(entry, 'matcher');
  if (matcher === undefined || event === undefined || !isToolEvent(event) || isPattern(matcher)) return [];
  const dead = partsOf(matcher).map((part) => whyDead(part, event, context));
  if (dead.every((each) => each !== undefined)) return [];
  return dead.flatMap((each): Found[] => (each === undefined ? [] : [{ rule: 'matcher.part', file, line: lineOf('matcher'), ...each }]));
};

type Why = Pick<Found, 'what' | 'remedy'>;

function whyDead(part: string, event: EventName, context: LintContext): Why | undefined {
  const tools = portableTools(context);
  const kinds = kindsOf(event);
  const fitting = tools.filter(({ name }) => context.matcherFits(part, name));
  if (fitting.length > 0)
    return kinds === undefined || fitting.some(({ kind }) => kinds.includes(kind)) ? undefined : wrongKind(part, event);
  if (mayBeMcp(part)) return kinds === undefined || kinds.includes('mcp') ? undefined : wrongKind(part, event);
  if (!isPlain(part)) return kinds === undefined ? undefined : wrongKind(part, event);
  if (parseEventName(part) !== undefined) return { what: `${part} is an event, not a tool`, remedy: `write hook_event: ${part}` };
  const portable = portableNamesOf(part, context);
  const meant =
    portable.length > 0 ? portable : tools.filter(({ name }) => name.toLowerCase() === part.toLowerCase()).map(({ name }) => name);
  if (meant.length > 0)
    return { what: `no tool is named ${part}: hooks see the same tool names in every agent`, remedy: `write ${meant.join('|')}` };
  // It may be a custom tool.
  return kinds === undefined || kinds.length === 0 ? undefined : wrongKind(part, event);
}

/** Could it match a tool of an MCP server? */
const mayBeMcp = (part: string): boolean =>
  isPlain(part) ? part.startsWith(MCP) : part.startsWith('*') || part.startsWith('?') || part.startsWith('mcp');

function patternIsDead(matcher: string, event: EventName, context: LintContext): boolean {
  const kinds = kindsOf(event);
  // The names of MCP tools and custom tools are unknown.
  if (kinds === undefined || kinds.includes('mcp')) return false;
  return !portableTools(context).some(({ name, kind }) => kinds.includes(kind) && context.matcherFits(matcher, name));
}

const wrongKind = (matcher: string, event: EventName): Why => ({
  what: `${event} fires for tools of the kind ${kindsOf(event)?.join(', ')} only, and ${matcher} matches none of them`,
  remedy: 'remove the matcher, or use the event of that kind',
});

/** On other events a matcher has no effect. */
export const ignoredMatcherRule: Rule = ({ entry, event, file, lineOf }) => {
  if (textIn(entry, 'matcher') === undefined || event === undefined || isToolEvent(event)) return [];
  const what = `a matcher works on tool events only. On ${event} it has no effect`;
  return [{ rule: 'matcher.ignored', file, line: lineOf('matcher'), what, remedy: 'remove it, or use when: { source: … }' }];
};

/** The event of a kind is the same in every agent, whatever its tools are called. */
export const kindMatcherRule: Rule = ({ entry, event, file, lineOf, nameOf }, context) => {
  const matcher = textIn(entry, 'matcher');
  if (matcher === undefined || event !== 'pre_tool_use' || isPattern(matcher)) return [];
  const kinds = new Set(partsOf(matcher).map((part) => kindOfPart(part, context)));
  const [kind] = kinds;
  const better = kinds.size === 1 && kind !== undefined ? kindEvent(event, kind) : undefined;
  if (better === undefined) return [];
  const what = `${event} with the matcher ${matcher} is the same as ${better}`;
  return [
    { rule: 'matcher.kind', file, line: lineOf('matcher'), what, remedy: `write ${nameOf('event')}: ${better}, without the matcher` },
  ];
};

function kindOfPart(part: string, context: LintContext): ToolKind | undefined {
  if (part.startsWith(MCP)) return /^mcp__\*$/.test(part) ? 'mcp' : undefined;
  return portableTools(context).find(({ name }) => name === part)?.kind;
}
