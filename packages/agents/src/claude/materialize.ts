import type { Materializer, ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { entriesMaterializer } from '../shared/materialize/entries.ts';
import { parentOf, rootBy } from '../shared/materialize/folder.ts';
import { toolsIn } from '../shared/materialize/tools.ts';
import { encode, noop } from './encode.ts';
import { registeredEvents } from './events.ts';
import { dialect, installer } from './install.ts';
import { TOOLS } from './tools.ts';

const file: Parameters<typeof entriesMaterializer>[0]['file'] = ({ scope, env }) => installer.configFiles(scope, env)[0];

/** The words with which a matcher can be compared. */
const SOURCES: AgentTable<
  readonly string[],
  ToolEvent | 'user_prompt_submit' | 'subagent_start' | 'subagent_stop' | 'stop' | 'stop_failure' | 'notification'
> = {
  session_start: ['startup', 'resume', 'clear', 'compact'],
  session_end: ['clear', 'resume', 'logout', 'prompt_input_exit', 'bypass_permissions_disabled', 'other'],
  pre_compact: ['manual', 'auto'],
  post_compact: ['manual', 'auto'],
};

export const materializer: Materializer = entriesMaterializer({
  facts: {
    agent: 'claude',
    title: 'Claude Code',
    events: registeredEvents([]),
    tools: {
      tools: toolsIn(TOOLS),
      mcp: (server, tool) => `mcp__${server}__${tool}`,
      open: true,
    },
    encode,
    noop,
    failures: 'apart',
    sources: SOURCES,
    portablePayload: true,
  },
  dialect,
  file,
  directory: (place) => parentOf(file(place)),
  root: rootBy('CLAUDE_PROJECT_DIR'),
  activation: () => null,
});
