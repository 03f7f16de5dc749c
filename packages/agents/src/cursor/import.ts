import { type EventName, type Importer, isToolEvent, type ToolEvent } from '@piton/contracts';
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
} from '../shared/import/hooks-import.ts';
import { type MatcherDialect, portableMatcher } from '../shared/import/matcher-import.ts';
import { textOf } from '../shared/json-fields.ts';
import { canonicalName, isKnown, type Unreported } from './events.ts';
import { installer } from './install.ts';
import { TOOLS } from './tools.ts';

const TIMEOUT_MS = 60_000;

const DIALECT: MatcherDialect = {
  tools: TOOLS,
  names: 'part',
  aliases: { Write: ['Edit', 'Write'] },
  mcp: (part) => (/^MCP:/.test(part) ? `mcp__*__${part.slice(4).replace(/^\.\*$/, '*')}` : undefined),
};

/** What a matcher is compared with, where it is no tool. */
const MATCHED: AgentTable<
  'subagent type',
  Unreported | ToolEvent | 'session_start' | 'session_end' | 'user_prompt_submit' | 'stop' | 'stop_failure' | 'pre_compact'
> = { subagent_start: 'subagent type', subagent_stop: 'subagent type' };

/** Events that Piton receives under another name, with other fields in their payloads. */
const OTHERWISE: Readonly<Record<string, EventName>> = {
  beforeShellExecution: 'pre_shell_execution',
  afterShellExecution: 'post_shell_execution',
  beforeMCPExecution: 'pre_mcp_execution',
  afterMCPExecution: 'post_mcp_execution',
  beforeReadFile: 'pre_read_file',
  afterFileEdit: 'post_file_edit',
};

function carry({ handler, place }: RawHook): Carried {
  const { type = 'command' } = handler;
  if (type !== 'command') return { what: `a hook of the type ${String(type)}`, why: 'it asks a model, which Piton does not' };
  const other = Object.hasOwn(OTHERWISE, place.nativeEvent) ? OTHERWISE[place.nativeEvent] : undefined;
  const named =
    other === undefined ? eventOf(place.nativeEvent, (name) => (isKnown(name) ? canonicalName(name) : undefined)) : { event: other };
  if ('why' in named) return named;
  const { event } = named;
  const command = textOf(handler, 'command');
  if (command === undefined) return { what: 'a hook without a command', why: 'there is nothing to run' };
  const matched = conditionOf(event, other !== undefined, textOf(handler, 'matcher') ?? '');
  if ('why' in matched) return matched;
  return {
    event,
    ...matched,
    command,
    timeoutMs: timeIn(handler.timeout, 1000, TIMEOUT_MS),
    shape: other === undefined ? 'native' : 'foreign',
    ...(handler.failClosed === true && { failClosed: true }),
    notes: [],
  };
}

function conditionOf(
  event: EventName,
  ofKind: boolean,
  matcher: string,
): { matcher?: string; shellCommand?: string } | { what: string; why: string } {
  if (matcher === '' || matcher === '*') return {};
  if (event.endsWith('_shell_execution')) return { shellCommand: `/${matcher}/` };
  if (ofKind && !event.endsWith('_mcp_execution')) return {}; // compared with a word that is always the same
  if (isToolEvent(event)) return portableMatcher(matcher, DIALECT);
  return MATCHED[event] === undefined ? {} : subagentMatcher(matcher);
}

export const importer: Importer = {
  files: (scope, env) => installer.configFiles(scope, env),
  read: (text) => importHooks(text, carry),
  remove: removeHooks,
  restore: restoreHooks,
};
