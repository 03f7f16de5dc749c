import type { Materializer, ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { entriesMaterializer } from '../shared/materialize/entries.ts';
import { parentOf, rootBy } from '../shared/materialize/folder.ts';
import { toolsIn } from '../shared/materialize/tools.ts';
import { encode, noop } from './encode.ts';
import { registeredEvents, type Unreported } from './events.ts';
import { dialect, installer } from './install.ts';
import { TOOLS } from './tools.ts';

const file: Parameters<typeof entriesMaterializer>[0]['file'] = ({ scope, env }) => installer.configFiles(scope, env)[0];

/** The words with which a matcher can be compared. */
const SOURCES: AgentTable<readonly string[], Unreported | ToolEvent | 'user_prompt_submit' | 'stop' | 'pre_compact' | 'notification'> = {
  session_start: ['startup', 'resume', 'clear'],
  session_end: ['exit', 'clear', 'logout', 'prompt_input_exit', 'other'],
};

export const materializer: Materializer = entriesMaterializer({
  facts: {
    agent: 'gemini',
    title: 'Gemini CLI',
    events: registeredEvents(['PreCompress']),
    tools: { tools: toolsIn(TOOLS), mcp: (server, tool) => `mcp_${server}_${tool}` },
    encode,
    noop,
    failures: 'same',
    sources: SOURCES,
    notes: {
      pre_compact: 'PreCompress fires before every request to the model, also where nothing is compressed',
      stop: 'nothing ends it after eight refusals: Gemini CLI goes on for as long as the hook says so',
    },
  },
  dialect,
  file,
  directory: (place) => parentOf(file(place)),
  root: rootBy('GEMINI_PROJECT_DIR'),
  oneSource: true,
  activation: () => 'Gemini CLI runs hooks in folders that it trusts: start gemini there and type /permissions trust',
});
