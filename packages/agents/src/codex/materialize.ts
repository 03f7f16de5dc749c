import type { Materializer, ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { entriesMaterializer } from '../shared/materialize/entries.ts';
import { parentOf, ROOT_BY_GIT } from '../shared/materialize/folder.ts';
import { toolsIn } from '../shared/materialize/tools.ts';
import { PARTIAL } from './capabilities.ts';
import { encode, noop } from './encode.ts';
import { registeredEvents, type Unreported } from './events.ts';
import { dialect, installer } from './install.ts';
import { TOOLS } from './tools.ts';

const file: Parameters<typeof entriesMaterializer>[0]['file'] = ({ scope, env }) => installer.configFiles(scope, env)[0];

/** The words with which a matcher can be compared. */
const SOURCES: AgentTable<
  readonly string[],
  Unreported | ToolEvent | 'session_end' | 'user_prompt_submit' | 'subagent_start' | 'subagent_stop' | 'stop'
> = {
  session_start: ['startup', 'resume', 'clear', 'compact'],
  pre_compact: ['manual', 'auto'],
  post_compact: ['manual', 'auto'],
};

export const materializer: Materializer = entriesMaterializer({
  facts: {
    agent: 'codex',
    title: 'Codex',
    events: registeredEvents([]),
    tools: { tools: toolsIn(TOOLS, { apply_patch: ['Write'] }), mcp: (server, tool) => `mcp__${server}__${tool}` },
    encode,
    noop,
    failures: 'same',
    sources: SOURCES,
    notes: {
      pre_file_edit: 'a patch of several files is one call: it runs once, with the whole patch',
      post_file_edit: 'a patch of several files is one call, and one that fails is not told of at all',
      ...PARTIAL,
      stop: 'nothing ends it after eight refusals: Codex goes on for as long as the hook says so',
    },
  },
  dialect,
  file,
  directory: (place) => parentOf(file(place)),
  // Codex gives a hook no path of its project.
  root: ROOT_BY_GIT,
  activation: (scope) =>
    `Codex skips a hook until you trust it: start codex${scope === 'project' ? ' in the project, trust the project' : ''}, type /hooks and trust it there; a run without a person takes --dangerously-bypass-hook-trust`,
});
