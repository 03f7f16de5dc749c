import { join } from 'node:path';
import type { ModelTurn } from '../../model/script.ts';
import { agentArgv, pinnedAgent } from '../agents.ts';
import type { AgentDriver, AgentTools } from '../driver.ts';
import { MODEL_URL } from '../job.ts';
import { mcpServer } from '../mcp/server.ts';

const pinned = pinnedAgent('auggie');
const call = (name: string, input: Record<string, unknown>): ModelTurn => ({ calls: [{ name, input }] });

/** No two subagents of a session may have one name. */
let started = 0;

const tools: AgentTools = {
  shell: (command) => call('launch-process', { command, wait: true, max_wait_seconds: 60, cwd: '.' }),
  write: (path, content) => call('save-file', { path, file_content: content, add_last_line_newline: false }),
  edit: (path, before, after) =>
    call('str-replace-editor', { command: 'str_replace', path, str_replace_entries: [{ old_str: before, new_str: after }] }),
  read: (path) => call('view', { path, type: 'file' }),
  todo: (items) =>
    call('add_tasks', {
      tasks: items.map(({ text, done }) => ({ name: text, description: text, state: done ? 'COMPLETE' : 'NOT_STARTED' })),
    }),
  subagent: (prompt) => call('sub-agent-general-purpose', { action: 'run', name: `sub-${++started}`, instruction: prompt }),
  mcp: (text) => call('echo_mock', { text }),
};

/** Auggie, headless, with a server on loopback in the place of Augment's. */
export const auggieDriver: AgentDriver = {
  pinned,
  tools,
  unawaited: 'PromptSubmit',
  prepare(workspace) {
    workspace.write(join(workspace.home, '.augment', 'settings.json'), { mcpServers: { mock: mcpServer() } });
  },
  command: (prompt, flags) => [...agentArgv(pinned), '--print', prompt, '--quiet', '--model', 'mock', ...flags],
  env: () => ({
    AUGMENT_SESSION_AUTH: JSON.stringify({ accessToken: 'test', tenantURL: `${MODEL_URL}/`, scopes: ['email'] }),
    AUGMENT_DISABLE_AUTO_UPDATE: '1',
  }),
};
