import { join } from 'node:path';
import type { ModelTurn } from '../../model/script.ts';
import { agentCommand, pinnedAgent } from '../agents.ts';
import type { AgentDriver, AgentTools } from '../driver.ts';
import { mcpServer } from '../mcp/server.ts';
import type { Workspace } from '../workspace.ts';

const pinned = pinnedAgent('copilot');

const call = (name: string, input: Record<string, unknown>): ModelTurn => ({ calls: [{ name, input }] });
const inSql = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const tools: AgentTools = {
  shell: (command) => call('bash', { command, description: 'run', mode: 'sync' }),
  write: (path, content) => call('create', { path, file_text: content }),
  edit: (path, before, after) => call('edit', { path, old_str: before, new_str: after }),
  read: (path) => call('view', { path }),
  // Its to-do list is an SQL table.
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

/** Without the flag a headless run may only read. */
const commandWith =
  (...permission: readonly string[]): AgentDriver['command'] =>
  (prompt, flags) => [agentCommand(pinned), '-p', prompt, '--no-auto-update', '--no-color', ...permission, ...flags];

function prepare(workspace: Workspace): void {
  const mock = { type: 'local', ...mcpServer(), tools: ['*'] };
  workspace.write(join(workspace.home, '.copilot', 'mcp-config.json'), { mcpServers: { mock } });
}

const env: AgentDriver['env'] = (modelUrl) => ({
  COPILOT_OFFLINE: 'true',
  COPILOT_AUTO_UPDATE: 'false',
  COPILOT_MODEL: 'gpt-4.1',
  COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
  COPILOT_PROVIDER_API_KEY: 'test',
});

/** Copilot CLI, headless, with a custom model instead of GitHub's. */
export const copilotDriver: AgentDriver = {
  pinned,
  tools,
  prepare,
  command: commandWith('--allow-all-tools'),
  env,
  cautious: { prepare, command: commandWith(), env },
  compaction: {
    summary: 'TOKEN_SUMMARY',
    again: ['--continue'],
    // It continues while the summary is made, and the end of the run would cancel that.
    script: [
      { name: 'main', turns: [{ ...tools.shell('echo hi'), promptTokens: 5_000_000 }, tools.shell('sleep 1'), tools.shell('echo on')] },
      { name: 'summary', match: 'create a detailed summary of the conversation', turns: [{ text: 'TOKEN_SUMMARY' }] },
    ],
  },
  unprovoked: {
    stop_failure: 'every error that was seen says that it can be tried again',
  },
};
