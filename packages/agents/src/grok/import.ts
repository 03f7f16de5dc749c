import { type Importer, isToolEvent, type JsonObject, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import {
  type Carried,
  eventOf,
  importHooks,
  type RawHook,
  removeHooks,
  restoreHooks,
  subagentMatcher,
  timeIn,
  withVariables,
} from '../shared/import/hooks-import.ts';
import { type MatcherDialect, portableMatcher } from '../shared/import/matcher-import.ts';
import { postHook } from '../shared/import/post-hook.ts';
import { textOf } from '../shared/json-fields.ts';
import { canonicalName, isKnown, nativeEventName, type Unreported } from './events.ts';
import { userFile } from './install.ts';
import { TOOLS } from './tools.ts';

const TIMEOUT_MS = 5000;
/** What may take long by itself: builds and tests run there. Piton waits no longer than its own events last. */
const LONG_MS = 60_000;
const LONG: ReadonlySet<string> = new Set(['PostToolUse', 'Stop', 'SubagentStop']);

/** What a matcher is compared with, where it is no tool. On the rest Grok Build does not look at it. */
const MATCHED: AgentTable<'source' | 'subagent type', Unreported | ToolEvent | 'user_prompt_submit' | 'permission_denied' | 'stop'> = {
  session_start: 'source',
  session_end: 'source',
  subagent_start: 'subagent type',
  subagent_stop: 'subagent type',
  stop_failure: 'source',
  pre_compact: 'source',
  post_compact: 'source',
  notification: 'source',
};

/** It knows Claude Code's names beside its own, and `Edit` and `Write` stand for the same of its tools. */
const DIALECT: MatcherDialect = {
  tools: TOOLS,
  names: 'exact',
  aliases: { search_replace: ['Edit', 'Write', 'MultiEdit'], Edit: ['Edit', 'Write', 'MultiEdit'], Write: ['Edit', 'Write', 'MultiEdit'] },
  mcp(part) {
    const [, server, tool] = /^([A-Za-z0-9-]+)__(\*|\.\*|[\w-]+)$/.exec(part) ?? [];
    return server === undefined || server === 'mcp' ? undefined : `mcp__${server}__${tool === '.*' ? '*' : tool}`;
  },
};

function carry({ handler, group, place }: RawHook): Carried {
  const { type = 'command' } = handler;
  if (type !== 'command' && type !== 'http') return { what: `a hook of the type ${String(type)}`, why: 'it runs no command' };
  const named = eventOf(place.nativeEvent, (name) => (isKnown(nativeEventName(name)) ? canonicalName(nativeEventName(name)) : undefined));
  if ('why' in named) return named;
  const { event } = named;
  const timeoutMs = timeIn(handler.timeout, 1000, LONG.has(place.nativeEvent) ? LONG_MS : TIMEOUT_MS);
  const run = type === 'http' ? postHook(handler, timeoutMs) : commandOf(handler);
  if ('why' in run) return run;
  const matched = conditionOf(event, textOf(group, 'matcher') ?? '');
  if ('why' in matched) return matched;
  return { event, ...matched, ...run, timeoutMs, shape: 'native', notes: [] };
}

function commandOf(handler: JsonObject): { command: string } | { what: string; why: string } {
  const command = textOf(handler, 'command');
  if (command === undefined) return { what: 'a hook without a command', why: 'there is nothing to run' };
  if (/GROK_PLUGIN_(?:ROOT|DATA)/.test(command)) return { what: 'a command of a plugin', why: 'it lies in the plugin, and goes with it' };
  return { command: withVariables(handler.env, command) };
}

function conditionOf(
  event: Parameters<typeof isToolEvent>[0],
  matcher: string,
): { matcher?: string; source?: string } | { what: string; why: string } {
  if (matcher === '' || matcher === '*') return {};
  if (isToolEvent(event)) return portableMatcher(matcher, DIALECT);
  if (MATCHED[event] === 'source') return { source: `/${matcher.replace(/\bnew\b/g, 'startup')}/` };
  return MATCHED[event] === undefined ? {} : subagentMatcher(matcher);
}

export const importer: Importer = {
  files: (scope, env) =>
    scope === 'project'
      ? [{ path: '.grok/hooks', label: '.grok/hooks', ending: '.json' }]
      : [{ ...userFile('hooks', env), ending: '.json' }],
  read: (text) => importHooks(text, carry),
  remove: removeHooks,
  restore: restoreHooks,
};
