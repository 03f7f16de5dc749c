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
  ToolEvent | 'session_end' | 'user_prompt_submit' | 'subagent_start' | 'subagent_stop' | 'stop' | 'stop_failure' | 'notification'
> = {
  session_start: ['startup', 'resume', 'clear', 'compact'],
  pre_compact: ['manual', 'auto'],
  post_compact: ['manual', 'auto'],
};

export const materializer: Materializer = entriesMaterializer({
  facts: {
    agent: 'qwen',
    title: 'Qwen Code',
    events: registeredEvents([]),
    tools: { tools: toolsIn(TOOLS), mcp: (server, tool) => `mcp__${server}__${tool}` },
    encode,
    noop,
    failures: 'apart',
    sources: SOURCES,
    notes: {
      user_prompt_submit: 'Qwen Code also fires it after every tool, with an empty prompt',
      session_end: 'Qwen Code does not fire it in a headless run',
    },
  },
  dialect,
  file,
  directory: (place) => parentOf(file(place)),
  root: rootBy('QWEN_PROJECT_DIR'),
  activation: () => 'where folder trust is switched on, Qwen Code runs hooks in trusted folders only: /trust in qwen',
});
