import { type EventName, type Importer, isToolEvent, type JsonObject, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { quoted } from '../shared/command-line.ts';
import {
  type Carried,
  type Carry,
  eventOf,
  importHooks,
  type RawHook,
  removeHooks,
  restoreHooks,
  subagentMatcher,
  timeIn,
} from '../shared/import/hooks-import.ts';
import { portablePattern } from '../shared/import/matcher-import.ts';
import { postHook } from '../shared/import/post-hook.ts';
import { textOf } from '../shared/json-fields.ts';
import { canonicalName, isKnown } from './events.ts';
import { conditionOfRule } from './if-rule.ts';
import { pluginImporter } from './plugins.ts';

/** Claude Code itself waits ten minutes; no event of ours lasts that long. */
const TIMEOUT_MS = 60_000;
/** Made of these alone, a matcher is a choice of whole names; with anything else it is a regular expression. */
const NAMES = /^[\w\-,| ]*$/;
/** What a matcher is compared with, where it is no tool. On the rest Claude Code does not look at it. */
const MATCHED: AgentTable<'source' | 'subagent type', ToolEvent | 'user_prompt_submit' | 'stop'> = {
  session_start: 'source',
  session_end: 'source',
  subagent_start: 'subagent type',
  subagent_stop: 'subagent type',
  stop_failure: 'source',
  pre_compact: 'source',
  post_compact: 'source',
  notification: 'source',
};

const KINDS: Readonly<Record<string, string>> = {
  prompt: 'it asks a model, which Piton does not',
  agent: 'it starts an agent, which Piton does not',
  mcp_tool: 'it calls a tool of an MCP server of that session, which only Claude Code can reach',
};

const carryIn =
  (place: 'settings' | 'plugin'): Carry =>
  (raw, file) =>
    carry(raw, file, place);

function carry(raw: RawHook, file: JsonObject, where: 'settings' | 'plugin'): Carried {
  const { handler, group, place } = raw;
  const { type = 'command' } = handler;
  if (type !== 'command' && type !== 'http')
    return { what: `a hook of the type ${String(type)}`, why: KINDS[String(type)] ?? 'its type is not known' };
  const named = eventOf(place.nativeEvent, (name) => (isKnown(name) ? canonicalName(name) : undefined));
  if ('why' in named) return named;
  const { event } = named;
  if (handler.shell === 'powershell') return { what: 'a command for PowerShell', why: 'Piton runs commands by a POSIX shell' };
  if (handler.asyncRewake === true)
    return { what: 'a hook with asyncRewake', why: 'it wakes the model later, which only Claude Code can do' };
  const timeoutMs = timeIn(handler.timeout, 1000, TIMEOUT_MS);
  const run = type === 'http' ? postHook(handler, timeoutMs) : commandOf(handler, where);
  if ('why' in run) return run;
  const matched = conditionOf(event, textOf(group, 'matcher') ?? '');
  if ('why' in matched) return matched;
  const rule = textOf(handler, 'if');
  const ruled = rule === undefined ? { notes: [] } : conditionOfRule(event, rule, matched.matcher);
  if ('why' in ruled) return ruled;
  const { notes, ...narrowed } = ruled;
  return {
    event,
    ...matched,
    ...narrowed,
    ...run,
    timeoutMs,
    shape: 'portable',
    ...(handler.async === true && { observe: true }),
    ...(handler.onFailure === 'block' && { failClosed: true }),
    ...(file.disableAllHooks === true && { disabled: true }),
    notes: [...notes, ...(handler.async === true ? ['async: it now runs after the answer, and what it tells the model is lost'] : [])],
  };
}

function commandOf(handler: JsonObject, where: 'settings' | 'plugin'): { command: string } | { what: string; why: string } {
  const command = commandIn(handler);
  if (command === undefined) return { what: 'a hook without a command', why: 'there is nothing to run' };
  if (where === 'settings' && command.includes('CLAUDE_PLUGIN_ROOT'))
    return { what: 'a command of a plugin', why: 'it lies in the plugin, and goes with it' };
  if (command.includes('${user_config.'))
    return { what: 'a command with options of its plugin', why: 'only Claude Code knows what was set for them' };
  return { command };
}

/** Where it names arguments there is no shell in between, and a placeholder is filled in by Claude Code. */
function commandIn(handler: JsonObject): string | undefined {
  const command = textOf(handler, 'command');
  if (command === undefined || !Array.isArray(handler.args)) return command;
  return [command, ...handler.args.map(String)].map(word).join(' ');
}
const word = (text: string): string =>
  text
    .split(/(\$\{CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT|PLUGIN_DATA)\})/)
    .map((part, at) => (at % 2 === 1 ? `"${part}"` : part === '' ? '' : quoted(part)))
    .join('') || "''";

function conditionOf(event: EventName, matcher: string): { matcher?: string; source?: string } | { what: string; why: string } {
  if (matcher === '' || matcher === '*') return {};
  if (isToolEvent(event)) return { matcher: toolMatcher(matcher) };
  if (MATCHED[event] === 'source') return { source: portablePattern(matcher, NAMES) };
  return MATCHED[event] === undefined ? {} : subagentMatcher(matcher);
}

/** Claude Code still takes the old name of its tool for subagents. */
const toolMatcher = (matcher: string): string =>
  portablePattern(matcher, NAMES)
    .split('|')
    .flatMap((name) => (name === 'Task' && NAMES.test(matcher) ? ['Task', 'Agent'] : [name]))
    .join('|');

export const importer: Importer = {
  files(scope, env) {
    if (scope === 'project')
      return [
        at('.claude/settings.json', '.claude/settings.json'),
        { ...at('.claude/settings.local.json', '.claude/settings.local.json'), personal: true },
      ];
    const moved = env.CLAUDE_CONFIG_DIR?.replace(/[\\/]+$/, '');
    return ['settings.json', 'settings.local.json'].map((name) =>
      moved ? at(`${moved}/${name}`, `${moved}/${name}`) : at(`.claude/${name}`, `~/.claude/${name}`),
    );
  },
  read: (text) => importHooks(text, carryIn('settings')),
  plugins: pluginImporter(carryIn('plugin')),
  remove: removeHooks,
  restore: restoreHooks,
};
const at = (path: string, label: string) => ({ path, label });
