import type { Materializer, ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { entriesMaterializer } from '../shared/materialize/entries.ts';
import { rootBy } from '../shared/materialize/folder.ts';
import { toolsIn } from '../shared/materialize/tools.ts';
import { encode, noop } from './encode.ts';
import { registeredEvents, type Unreported } from './events.ts';
import { dialect, userFile } from './install.ts';
import { TOOLS } from './tools.ts';

/** Beside the file of `piton init`, which it must not change. */
const FILE = 'hooks/piton-hooks.json';

/** The words with which a matcher can be compared. */
const SOURCES: AgentTable<
  readonly string[],
  | Unreported
  | ToolEvent
  | 'user_prompt_submit'
  | 'permission_denied'
  | 'subagent_start'
  | 'subagent_stop'
  | 'stop'
  | 'stop_failure'
  | 'notification'
  | 'session_end'
  | 'session_start'
> = {
  pre_compact: ['manual', 'auto'],
  post_compact: ['manual', 'auto'],
};

export const materializer: Materializer = entriesMaterializer({
  facts: {
    agent: 'grok',
    title: 'Grok Build',
    events: registeredEvents([]),
    tools: { tools: toolsIn(TOOLS), mcp: (server, tool) => `${server}__${tool}` },
    encode,
    noop,
    failures: 'apart',
    sources: SOURCES,
    notes: {
      stop: 'it fires once more when the session ends',
      session_end: 'subagents are sessions of their own and fire it too',
      user_prompt_submit: 'it also fires for the task of a subagent, and when Grok Build wakes itself',
      post_shell_execution: 'a command that ends with an error counts as a success here',
    },
  },
  dialect,
  file: ({ scope, env }) => (scope === 'project' ? { path: `.grok/${FILE}`, label: `.grok/${FILE}` } : userFile(FILE, env)),
  directory: ({ scope, env }) => (scope === 'project' ? '.grok' : userFile(FILE, env).path.replace(`/${FILE}`, '')),
  root: rootBy('GROK_WORKSPACE_ROOT'),
  activation: (scope) =>
    scope === 'project' ? 'Grok Build runs hooks of a repository in trusted folders only: start grok there and type /hooks-trust' : null,
});
