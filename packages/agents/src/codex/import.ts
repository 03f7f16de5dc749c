import { type EventName, type Importer, isToolEvent, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import {
  type Carried,
  carriedFrom,
  eventOf,
  importHooks,
  type RawHook,
  removeHooks,
  restoreHooks,
  subagentMatcher,
  timeIn,
} from '../shared/import/hooks-import.ts';
import { type MatcherDialect, portableMatcher, portablePattern } from '../shared/import/matcher-import.ts';
import { textOf } from '../shared/json-fields.ts';
import { canonicalName, type Unreported } from './events.ts';
import { userFile } from './install.ts';
import { tomlHooks } from './toml-hooks.ts';
import { TOOLS } from './tools.ts';

const TIMEOUT_MS = 60_000;
const NAMES = /^[\w|]*$/;
/** What a matcher is compared with, where it is no tool. */
const MATCHED: AgentTable<'source' | 'subagent type', Unreported | ToolEvent | 'user_prompt_submit' | 'stop'> = {
  session_start: 'source',
  session_end: 'source',
  subagent_start: 'subagent type',
  subagent_stop: 'subagent type',
  pre_compact: 'source',
  post_compact: 'source',
};
/** A patch is an `Edit` or a `Write` for hooks, and either name selects it here too. */
const PATCH = ['Edit', 'Write'] as const;

const dialect = (matcher: string): MatcherDialect => ({
  tools: TOOLS,
  names: NAMES.test(matcher) ? 'exact' : 'part',
  aliases: { apply_patch: PATCH, Edit: PATCH, Write: PATCH },
  mcp: (part) => (/^mcp__[\w-]*(?:\.\*)?$/.test(part) ? part.replace(/\.\*$/, '*') : undefined),
});

function carry({ handler, group, place }: RawHook): Carried {
  if (handler.type !== 'command') return { what: `a hook of the type ${String(handler.type)}`, why: 'it runs no command' };
  const named = eventOf(place.nativeEvent, canonicalName);
  if ('why' in named) return named;
  const { event } = named;
  const command = textOf(handler, 'command');
  if (command === undefined) return { what: 'a hook without a command', why: 'there is nothing to run on this system' };
  const matched = conditionOf(event, textOf(group, 'matcher') ?? '');
  if ('why' in matched) return matched;
  return {
    event,
    ...matched,
    command,
    timeoutMs: timeIn(handler.timeout, 1000, TIMEOUT_MS),
    shape: 'native',
    ...(handler.async === true && { observe: true }),
    notes: handler.async === true ? ['async: it now runs after the answer, and what it tells the model is lost'] : [],
  };
}

function conditionOf(event: EventName, matcher: string): { matcher?: string; source?: string } | { what: string; why: string } {
  if (matcher === '' || matcher === '*') return {};
  if (isToolEvent(event)) return portableMatcher(matcher, dialect(matcher));
  if (MATCHED[event] === 'source') return { source: portablePattern(matcher, NAMES) };
  return MATCHED[event] === undefined ? {} : subagentMatcher(matcher);
}

export const importer: Importer = {
  files: (scope, env) =>
    ['hooks.json', 'config.toml'].map((name) =>
      scope === 'project' ? { path: `.codex/${name}`, label: `.codex/${name}` } : userFile(name, env),
    ),
  read(text, file) {
    if (!file.path.endsWith('.toml')) return importHooks(text, carry);
    const found = tomlHooks(text);
    return found.ok ? carriedFrom(found.raws, carry, {}) : found;
  },
  // In TOML a person has to: taking out a table would leave its comments to another.
  remove: (text, paths) => (text.trimStart().startsWith('{') ? removeHooks(text, paths) : text),
  // Only JSON was ever taken out.
  restore: restoreHooks,
};
