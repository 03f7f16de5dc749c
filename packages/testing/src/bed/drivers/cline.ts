import { join } from 'node:path';
import type { ModelTurn } from '../../model/script.ts';
import { agentArgv, pinnedAgent } from '../agents.ts';
import type { AgentDriver, AgentTools } from '../driver.ts';
import { MODEL_URL } from '../job.ts';
import { mcpServer } from '../mcp/server.ts';

const pinned = pinnedAgent('cline');

const call = (name: string, input: Record<string, unknown>): ModelTurn => ({ calls: [{ name, input }] });

const tools: AgentTools = {
  shell: (command) => call('run_commands', { commands: [command] }),
  write: (path, content) => call('editor', { path, new_text: content }),
  edit: (path, before, after) => call('editor', { path, old_text: before, new_text: after }),
  read: (path) => call('read_files', { files: [{ path }] }),
  mcp: (text) => call('mock__echo', { text }),
  subagent: (prompt) => call('spawn_agent', { systemPrompt: 'You help.', task: prompt }),
};

/** Cline CLI. It leaves a daemon behind after each run, which ends with the namespace. */
export const clineDriver: AgentDriver = {
  pinned,
  tools,
  prepare(room) {
    const settings = join(room.home, '.cline', 'data', 'settings');
    // What `cline auth` writes: there is no variable for the address of a model.
    room.write(join(settings, 'providers.json'), {
      version: 1,
      lastUsedProvider: 'openai-compatible',
      modes: {},
      providers: {
        'openai-compatible': {
          settings: { provider: 'openai-compatible', apiKey: 'test', model: 'mock', baseUrl: `${MODEL_URL}/v1` },
          updatedAt: '2026-01-01T00:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    });
    room.write(join(settings, 'cline_mcp_settings.json'), {
      mcpServers: { mock: { ...mcpServer(), type: 'stdio', autoApprove: ['echo'] } },
    });
  },
  command: (prompt, flags) => [...agentArgv(pinned), ...flags, prompt],
  unprovoked: {
    user_prompt_submit: 'its event did not fire for the prompt of a run',
    session_end: 'fires only after an abort',
  },
  env: () => ({ CLINE_TELEMETRY_DISABLED: '1', CLINE_NO_AUTO_UPDATE: '1', DO_NOT_TRACK: '1' }),
};
