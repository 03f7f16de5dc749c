import { join } from 'node:path';
import { type ModelTurn, talk } from '../../model/script.ts';
import { agentArgv, pinnedAgent } from '../agents.ts';
import type { AgentDriver, AgentTools } from '../driver.ts';
import { MODEL_URL } from '../job.ts';
import { mcpServer } from '../mcp/server.ts';

const pinned = pinnedAgent('kimi');

const call = (name: string, input: Record<string, unknown>): ModelTurn => ({ calls: [{ name, input }] });

const tools: AgentTools = {
  shell: (command) => call('Bash', { command }),
  write: (path, content) => call('Write', { path, content }),
  edit: (path, before, after) => call('Edit', { path, old_string: before, new_string: after }),
  read: (path) => call('Read', { path }),
  todo: (items) => call('TodoList', { todos: items.map(({ text, done }) => ({ title: text, status: done ? 'done' : 'pending' })) }),
  subagent: (prompt) => call('Agent', { description: 'subtask', prompt, subagent_type: 'coder' }),
  mcp: (text) => call('mcp__mock__echo', { text }),
};

const CONFIG = [
  'default_model = "mock"',
  'telemetry = false',
  `[providers.mock]\ntype = "openai"\nbase_url = "${MODEL_URL}/v1"\napi_key = "test"`,
  '[models.mock]\nprovider = "mock"\nmodel = "mock"\nmax_context_size = 200000\ncapabilities = ["tool_use"]',
];

const SUMMARY = 'TOKEN_SUMMARY The person asked for scripted work, and one command was run, which said hi.';

/** Kimi Code, headless, with a custom model. It needs a newer Node than ours may be. */
export const kimiDriver: AgentDriver = {
  pinned,
  tools,
  prepare(workspace) {
    workspace.write(join(workspace.home, '.kimi-code', 'config.toml'), `${CONFIG.join('\n\n')}\n`);
    workspace.write(join(workspace.home, '.kimi-code', 'mcp.json'), { mcpServers: { mock: mcpServer() } });
  },
  command: (prompt, flags) => [...agentArgv(pinned), '-p', prompt, ...flags],
  env: () => ({ KIMI_DISABLE_TELEMETRY: '1', KIMI_CODE_NO_AUTO_UPDATE: '1', KIMI_DISABLE_CRON: '1' }),
  ownStops: 1,
  goesOn: true,
  compaction: {
    summary: 'TOKEN_SUMMARY',
    script: talk({ ...tools.shell('echo hi'), promptTokens: 190_000 }, { text: SUMMARY }, { text: 'Finished.' }),
    noDoor: 'it takes context at a prompt alone: what is said at a compaction comes with the next one',
    again: ['--continue'],
  },
  unprovoked: {
    permission_request: 'a headless run decides by itself and asks nobody',
    session_end: 'does not fire in a headless run',
    notification: 'it tells of background tasks alone, and these scripts start none',
  },
};
