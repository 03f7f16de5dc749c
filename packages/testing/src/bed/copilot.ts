import { join } from 'node:path';
import type { Turn } from '../model/script.ts';
import { agentCommand, pinnedAgent } from './agents.ts';
import type { AgentDriver, AgentTools } from './driver.ts';
import { mcpServer } from './mcp.ts';

const pinned = pinnedAgent('copilot');

const call = (name: string, input: Record<string, unknown>): Turn => ({ calls: [{ name, input }] });
const inSql = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const tools: AgentTools = {
  shell: (command) => call('bash', { command, description: 'run', mode: 'sync' }),
  write: (path, content) => call('create', { path, file_text: content }),
  edit: (path, before, after) => call('edit', { path, old_str: before, new_str: after }),
  read: (path) => call('view', { path }),
  // Its to-do list is a table.
  todo(items) {
    const rows = items.map(({ text, done }, at) => `(${inSql(`t${at}`)}, ${inSql(text)}, ${inSql(done ? 'done' : 'pending')})`);
    return call('sql', {
      description: 'keep the list',
      query: `INSERT OR REPLACE INTO todos (id, title, status) VALUES ${rows.join(', ')}`,
    });
  },
  subagent: (prompt) => call('task', { description: 'subtask', prompt, agent_type: 'task', name: 'helper', mode: 'sync' }),
  mcp: (text) => call('mock-echo', { text }),
};

/** Copilot CLI, headless, with a model of its user's own instead of GitHub's. */
export const copilotDriver: AgentDriver = {
  pinned,
  tools,
  prepare(room) {
    const mock = { type: 'local', ...mcpServer(), tools: ['*'] };
    room.write(join(room.home, '.copilot', 'mcp-config.json'), { mcpServers: { mock } });
  },
  command: (prompt, flags) => [agentCommand(pinned), '-p', prompt, '--no-auto-update', '--no-color', '--allow-all-tools', ...flags],
  env: (modelUrl) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_MODEL: 'gpt-4.1',
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_API_KEY: 'test',
  }),
};
