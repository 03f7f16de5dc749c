import { join } from 'node:path';
import { type ModelTurn, talk } from '../../model/script.ts';
import { agentArgv, type PinnedAgent, pinnedAgent } from '../agents.ts';
import type { AgentDriver, AgentTools } from '../driver.ts';
import { MODEL_URL } from '../job.ts';
import { mcpServer } from '../mcp/server.ts';

const call = (name: string, input: Record<string, unknown>): ModelTurn => ({ calls: [{ name, input }] });

const tools: AgentTools = {
  shell: (command) => call('bash', { command, description: 'run' }),
  write: (path, content) => call('write', { filePath: path, content }),
  edit: (path, before, after) => call('edit', { filePath: path, oldString: before, newString: after }),
  read: (path) => call('read', { filePath: path }),
  todo: (items) =>
    call('todowrite', {
      todos: items.map(({ text, done }, at) => ({
        id: String(at + 1),
        content: text,
        status: done ? 'completed' : 'in_progress',
        priority: 'high',
      })),
    }),
  subagent: (prompt) => call('task', { description: 'subtask', prompt, subagent_type: 'general' }),
  mcp: (text) => call('mock_echo', { text }),
};

/** What both want to fetch or send. Offline they would only wait for it. */
const DISABLED = [
  'AUTOUPDATE',
  'MODELS_FETCH',
  'LSP_DOWNLOAD',
  'DEFAULT_PLUGINS',
  'SHARE',
  'SESSION_INGEST',
  'PRESENCE',
  'CODEBASE_INDEXING',
];

const UNPROVOKED = {
  permission_request: 'with every permission nothing is asked',
  permission_denied: 'with every permission nothing is refused',
  'stop.continue': 'a headless run ends as soon as it is idle, before a hook has said anything',
};

/** OpenCode and its fork Kilo: one program with different names. */
function familyDriver(pinned: PinnedAgent, prefix: string): AgentDriver {
  return {
    pinned,
    tools,
    inProcess: true,
    unprovoked: UNPROVOKED,
    prepare(room) {
      const mcp = mcpServer();
      room.write(join(room.home, '.config', pinned.id, `${pinned.id}.json`), {
        autoupdate: false,
        share: 'disabled',
        model: 'mock/mock',
        small_model: 'mock/mock',
        provider: {
          mock: {
            npm: '@ai-sdk/openai-compatible',
            name: 'mock',
            options: { baseURL: `${MODEL_URL}/v1`, apiKey: 'test' },
            models: { mock: { name: 'mock', limit: { context: 200_000, output: 8_000 } } },
          },
        },
        mcp: { mock: { type: 'local', command: [mcp.command, ...mcp.args], enabled: true } },
      });
      // It tries to install a package before it loads plugins: offline, one try is enough.
      room.write(join(room.home, '.npmrc'), 'fetch-retries=0\nfetch-timeout=1000\n');
    },
    command: (prompt, flags) => [...agentArgv(pinned), 'run', ...flags, prompt],
    compaction: {
      script: talk({ ...tools.shell('echo hi'), promptTokens: 5_000_000 }, { text: 'Finished.' }),
      summary: 'What did we do so far?',
      again: ['--continue'],
    },
    env: () => ({
      NPM_CONFIG_FETCH_RETRIES: '0',
      [`${prefix}_TELEMETRY_LEVEL`]: 'off',
      ...Object.fromEntries(DISABLED.map((name) => [`${prefix}_DISABLE_${name}`, '1'])),
    }),
  };
}

export const opencodeDriver = familyDriver(pinnedAgent('opencode'), 'OPENCODE');
export const kiloDriver = familyDriver(pinnedAgent('kilo'), 'KILO');
