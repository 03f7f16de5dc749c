import { type EventName, type Importer, isToolEvent, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { type Carried, carriedFrom, eventOf, type RawHook, subagentMatcher, timeIn } from '../shared/import/hooks-import.ts';
import { type MatcherDialect, portableMatcher } from '../shared/import/matcher-import.ts';
import { textOf } from '../shared/json-fields.ts';
import { canonicalName, isKnown, type Unreported } from './events.ts';
import { userFile } from './install.ts';
import { hookTables, withoutTable, withTable } from './toml-hooks.ts';
import { TOOLS } from './tools.ts';

const TIMEOUT_MS = 30_000;

/** What a matcher is compared with, where it is no tool. On the rest Kimi Code compares it with nothing, so that it never fits. */
const MATCHED: AgentTable<'source' | 'subagent type' | 'prompt', Unreported | ToolEvent | 'stop'> = {
  session_start: 'source',
  session_end: 'source',
  user_prompt_submit: 'prompt',
  subagent_start: 'subagent type',
  subagent_stop: 'subagent type',
  stop_failure: 'source',
  pre_compact: 'source',
  post_compact: 'source',
  notification: 'source',
};

/** A matcher is a regular expression, wherever it fits. */
const DIALECT: MatcherDialect = {
  tools: TOOLS,
  names: 'part',
  mcp: (part) => (/^\^?mcp__[\w-]*(?:\.\*)?\$?$/.test(part) ? part.replace(/[\^$]/g, '').replace(/\.\*$/, '*') : undefined),
};

function carry({ handler, place }: RawHook): Carried {
  const named = eventOf(place.nativeEvent, (name) => (isKnown(name) ? canonicalName(name) : undefined));
  if ('why' in named) return named;
  const { event } = named;
  const command = textOf(handler, 'command');
  if (command === undefined) return { what: 'a hook without a command', why: 'there is nothing to run' };
  const matched = conditionOf(event, textOf(handler, 'matcher') ?? '');
  if ('why' in matched) return matched;
  return { event, ...matched, command, timeoutMs: timeIn(handler.timeout, 1000, TIMEOUT_MS), shape: 'native', notes: [] };
}

function conditionOf(event: EventName, matcher: string): { matcher?: string; source?: string } | { what: string; why: string } {
  if (matcher === '' || matcher === '.*') return {};
  if (isToolEvent(event)) return portableMatcher(matcher, DIALECT);
  const against = MATCHED[event];
  if (against === 'source') return { source: `/${matcher}/` };
  if (against === 'subagent type') return subagentMatcher(matcher);
  const why = against === 'prompt' ? 'it is compared with the prompt, and no condition of ours says that' : 'with it the hook never runs';
  return { what: `the matcher ${matcher}`, why };
}

function rawsOf(text: string): { ok: true; raws: readonly RawHook[] } | { ok: false; error: string } {
  const read = hookTables(text);
  if (!read.ok) return read;
  return {
    ok: true,
    raws: read.tables.map(({ fields, line }, at) => ({
      place: { nativeEvent: textOf(fields, 'event') ?? '', path: `hooks[${at}]`, line },
      group: {},
      handler: fields,
    })),
  };
}

const at = (path: string): number => Number(/^hooks\[(\d+)\]$/.exec(path)?.[1] ?? Number.NaN);

export const importer: Importer = {
  files: (scope, env) => (scope === 'project' ? [] : [userFile('config.toml', env)]),
  read(text) {
    const found = rawsOf(text);
    return found.ok ? carriedFrom(found.raws, carry, {}) : found;
  },
  remove(text, paths) {
    const read = hookTables(text);
    if (!read.ok) return text;
    const going = read.tables.filter((_, index) => paths.some((path) => at(path) === index));
    return going.reduceRight((rest, table) => withoutTable(rest, table) ?? '', text);
  },
  restore(text, original, paths) {
    const [now, before] = [hookTables(text ?? ''), hookTables(original)];
    if (!now.ok || !before.ok) return text ?? '';
    const known = new Set(now.tables.map(({ fields }) => JSON.stringify(fields)));
    const back = before.tables.filter(
      ({ fields }, index) => paths.some((path) => at(path) === index) && !known.has(JSON.stringify(fields)),
    );
    return back.reduce<string | null>((so, { fields }) => withTable(so, fields as Record<string, string | number>), text) ?? '';
  },
};
