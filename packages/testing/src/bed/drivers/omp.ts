import { join } from 'node:path';
import { type ModelTurn, talk } from '../../model/script.ts';
import { agentArgv, pinnedAgent } from '../agents.ts';
import type { AgentDriver, AgentTools } from '../driver.ts';
import { MODEL_URL } from '../job.ts';
import { mcpServer } from '../mcp/server.ts';

const pinned = pinnedAgent('omp');
const call = (name: string, input: Record<string, unknown>): ModelTurn => ({ calls: [{ name, input }] });

const tools: AgentTools = {
  shell: (command) => call('bash', { command }),
  write: (path, content) => call('write', { path, content }),
  edit: (path, before, after) => call('edit', { path, old_string: before, new_string: after }),
  read: (path) => call('read', { path }),
  // It has no way to say that an item is done when the list is made.
  todo: (items) => call('todo', { op: 'init', list: [{ phase: 'Work', items: items.map(({ text }) => text) }] }),
  subagent: (prompt) => call('task', { agent: 'task', task: prompt }),
  // The tools of servers are not listed: this is how its model is told to call them.
  mcp: (text) => call('write', { path: 'xd://mcp__mock_echo', content: JSON.stringify({ text }) }),
};

/** Settings of oh-my-pi, as YAML, which JSON is. */
const CONFIG = {
  // The default is a patch whose lines name a snapshot, which a script cannot know.
  edit: { mode: 'replace' },
  // A subagent is waited for, and a turn that failed is not tried again.
  async: { enabled: false },
  task: { batch: false },
  retry: { enabled: false },
  // Requests of its own, which would take turns of the script.
  todo: { reminders: false },
};

/** By default it keeps more of the conversation than a scripted session has. */
const COMPACTING = { compaction: { keepRecentTokens: 1, asyncEnabled: false } };

/** It asks its model before its servers have started, and lists their tools later: an extension of the bed holds the prompt until then. */
const WAIT_FOR_SERVERS = `import { readFileSync } from "node:fs";
export default (host) =>
  host.on("before_agent_start", async () => {
    const { mcpServers } = JSON.parse(readFileSync(process.env.HOME + "/.omp/agent/mcp.json", "utf8"));
    const isThere = (name) => host.getAllTools().some((tool) => tool.name.startsWith("mcp__" + name + "_"));
    for (let n = 0; n < 250 && !Object.keys(mcpServers).every(isThere); n++) await new Promise((done) => setTimeout(done, 100));
  });
`;

/** oh-my-pi, headless, in Bun. */
export const ompDriver: AgentDriver = {
  pinned,
  tools,
  inProcess: true,
  prepare(workspace) {
    const at = (name: string) => join(workspace.home, '.omp', 'agent', name);
    const models = [{ id: 'mock', contextWindow: 200_000 }];
    workspace.write(at('models.yml'), {
      providers: { mock: { baseUrl: `${MODEL_URL}/v1`, api: 'openai-completions', apiKey: 'test', models } },
    });
    workspace.write(at('config.yml'), { ...CONFIG, ...COMPACTING });
    workspace.write(at('extensions/wait-for-servers.js'), WAIT_FOR_SERVERS);
    workspace.write(at('mcp.json'), { mcpServers: { mock: mcpServer() } });
  },
  command: (prompt, flags) => [...agentArgv(pinned), '--model', 'mock/mock', '--no-title', '--no-lsp', ...flags, '-p', prompt],
  env: () => ({ PI_SKIP_VERSION_CHECK: '1' }),
  compaction: {
    script: talk({ ...tools.shell('echo hi'), promptTokens: 190_000 }, { text: 'TOKEN_SUMMARY of the work.' }, { text: 'Finished.' }),
    summary: 'a handoff document a prior instance of you wrote',
    again: ['--continue'],
  },
  unprovoked: {
    permission_request: 'it asks only in a stricter mode than that of these runs; in that one it was seen',
    permission_denied: 'it asks only in a stricter mode than that of these runs; in that one it was seen',
  },
};
