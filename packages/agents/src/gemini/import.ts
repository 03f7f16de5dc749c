import { type Importer, isToolEvent, type JsonObject, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import {
  type Carried,
  eventOf,
  importHooks,
  type RawHook,
  removeHooks,
  restoreHooks,
  timeIn,
  withVariables,
} from '../shared/import/hooks-import.ts';
import { type MatcherDialect, portableMatcher } from '../shared/import/matcher-import.ts';
import { fieldsOf, textOf } from '../shared/json-fields.ts';
import { canonicalName, isKnown, type Unreported } from './events.ts';
import { installer } from './install.ts';
import { TOOLS } from './tools.ts';

const TIMEOUT_MS = 60_000;
/** What a matcher is compared with, where it is no tool. */
const MATCHED: AgentTable<'source', Unreported | ToolEvent | 'user_prompt_submit' | 'stop' | 'notification'> = {
  session_start: 'source',
  session_end: 'source',
  pre_compact: 'source',
};

const DIALECT: MatcherDialect = {
  tools: TOOLS,
  names: 'part',
  // `mcp_server_tool` is ours with doubled underscores; where the server's name ends is ambiguous, so only whole servers are taken.
  mcp(part) {
    const [, server] = /^mcp_(?:([A-Za-z0-9-]+)_)?\.\*$/.exec(part) ?? [];
    if (!/^mcp_/.test(part)) return undefined;
    return server === undefined ? (/^mcp_+\.\*$/.test(part) ? 'mcp__*' : undefined) : `mcp__${server}__*`;
  },
};

function carry({ handler, group, place }: RawHook, file: JsonObject): Carried {
  if (handler.type !== 'command') return { what: `a hook of the type ${String(handler.type)}`, why: 'it runs no command' };
  const named = eventOf(place.nativeEvent, (name) => (isKnown(name) ? canonicalName(name) : undefined));
  if ('why' in named) return named;
  const { event } = named;
  const command = textOf(handler, 'command');
  if (command === undefined) return { what: 'a hook without a command', why: 'there is nothing to run' };
  const matcher = textOf(group, 'matcher') ?? '';
  const matched = isToolEvent(event) ? portableMatcher(matcher, DIALECT) : {};
  if ('why' in matched) return matched;
  const name = textOf(handler, 'name');
  const description = textOf(handler, 'description');
  return {
    event,
    ...matched,
    ...(MATCHED[event] === 'source' && matcher !== '' && matcher !== '*' && { source: matcher }),
    command: withVariables(handler.env, command),
    timeoutMs: timeIn(handler.timeout, 1, TIMEOUT_MS),
    shape: 'native',
    ...(isOff(file, name ?? command) && { disabled: true }),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    notes: [],
  };
}

function isOff(file: JsonObject, name: string): boolean {
  const { enabled, disabled } = fieldsOf(file.hooksConfig);
  return enabled === false || (Array.isArray(disabled) && disabled.includes(name));
}

export const importer: Importer = {
  files: (scope, env) => installer.configFiles(scope, env),
  read: (text) => importHooks(text, carry),
  remove: removeHooks,
  restore: restoreHooks,
};
