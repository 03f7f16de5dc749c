import { type Importer, isToolEvent, type JsonObject, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { quoted } from '../shared/command-line.ts';
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
import { postHook } from '../shared/import/post-hook.ts';
import { textOf } from '../shared/json-fields.ts';
import { canonicalName, isKnown, isPascal, type Unreported } from './events.ts';
import { userFile } from './install.ts';
import { TOOLS } from './tools.ts';

const TIMEOUT_MS = 30_000;
/** What a matcher is compared with, where it is no tool. */
const MATCHED: AgentTable<
  'source',
  | Unreported
  | ToolEvent
  | 'session_start'
  | 'session_end'
  | 'user_prompt_submit'
  | 'subagent_start'
  | 'subagent_stop'
  | 'stop'
  | 'stop_failure'
> = { pre_compact: 'source', notification: 'source' };

const DIALECT: MatcherDialect = {
  tools: TOOLS,
  names: 'exact',
  mcp: (part) => (part.startsWith('mcp__') ? part.replace(/\.\*$/, '*') : undefined),
};

function carry({ handler, group, place }: RawHook, file: JsonObject): Carried {
  const { type = 'command' } = handler;
  if (type !== 'command' && type !== 'http') return { what: `a hook of the type ${String(type)}`, why: 'it runs no command' };
  const named = eventOf(place.nativeEvent, (name) => (isKnown(name) ? canonicalName(name) : undefined));
  if ('why' in named) return named;
  const { event } = named;
  const timeoutMs = timeIn(handler.timeoutSec ?? handler.timeout, 1000, TIMEOUT_MS);
  const run = type === 'http' ? postHook(handler, timeoutMs) : commandOf(handler);
  if ('why' in run) return run;
  const matcher = textOf(handler, 'matcher') ?? textOf(group, 'matcher') ?? '';
  const matched = isToolEvent(event) ? portableMatcher(matcher, DIALECT) : {};
  if ('why' in matched) return matched;
  return {
    event,
    ...matched,
    ...(MATCHED[event] === 'source' && matcher !== '' && matcher !== '*' && { source: `/^(?:${matcher})$/` }),
    ...run,
    timeoutMs,
    // Under the spelling of Claude Code's names it is sent Claude Code's fields.
    ...(isPascal(place.nativeEvent) ? { shape: 'portable', bound: true } : { shape: 'native' }),
    ...(file.disableAllHooks === true && { disabled: true }),
    notes: [],
  };
}

function commandOf(handler: JsonObject): { command: string } | { what: string; why: string } {
  const line = textOf(handler, 'bash') ?? textOf(handler, 'linux') ?? textOf(handler, 'command');
  if (line === undefined) return { what: 'a command for Windows or macOS only', why: 'Piton runs commands by a POSIX shell' };
  return { command: withVariables(handler.env, inDirectory(textOf(handler, 'cwd'), line)) };
}

function inDirectory(cwd: string | undefined, line: string): string {
  if (cwd === undefined || cwd === '.') return line;
  return `cd ${cwd.startsWith('/') ? quoted(cwd) : `"$CLAUDE_PROJECT_DIR"/${quoted(cwd)}`} || exit 1\n${line}`;
}

export const importer: Importer = {
  files: (scope, env) =>
    scope === 'project'
      ? [
          { path: '.github/hooks', label: '.github/hooks', ending: '.json' },
          ...['settings.json', 'settings.local.json'].map((name) => ({
            path: `.github/copilot/${name}`,
            label: `.github/copilot/${name}`,
            ...(name === 'settings.local.json' && { personal: true as const }),
          })),
        ]
      : [{ ...userFile('hooks', env), ending: '.json' }, userFile('settings.json', env)],
  read: (text) => importHooks(text, carry),
  remove: removeHooks,
  restore: restoreHooks,
};
