import { join } from 'node:path';
import type { ModelTurn } from '../../model/script.ts';
import { agentArgv, pinnedAgent } from '../agents.ts';
import type { AgentDriver, AgentTools } from '../driver.ts';
import { mcpServer } from '../mcp/server.ts';
import type { Workspace } from '../workspace.ts';

const pinned = pinnedAgent('gemini');

export const geminiSettings = (workspace: Workspace): string => join(workspace.home, '.gemini', 'settings.json');

const call = (name: string, input: Record<string, unknown>): ModelTurn => ({ calls: [{ name, input }] });

const tools: AgentTools = {
  shell: (command) => call('run_shell_command', { command, description: 'run' }),
  write: (path, content) => call('write_file', { file_path: path, content }),
  edit: (path, before, after) => call('replace', { file_path: path, instruction: 'change', old_string: before, new_string: after }),
  read: (path) => call('read_file', { file_path: path }),
  todo: (items) =>
    call('write_todos', { todos: items.map(({ text, done }) => ({ description: text, status: done ? 'completed' : 'pending' })) }),
  mcp: (text) => call('mcp_mock_echo', { text }),
  subagent: (prompt) => call('invoke_agent', { agent_name: 'helper', prompt }),
};

/** Gemini CLI, headless. A subagent must end with a call of `complete_task`. */
export const geminiDriver: AgentDriver = {
  pinned,
  tools,
  prepare(workspace) {
    workspace.write(geminiSettings(workspace), {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      // A script that calls forty tools is not a loop.
      model: { disableLoopDetection: true },
      mcpServers: { mock: { ...mcpServer(), trust: true } },
    });
    // Without it a headless run ends at once. A person would use `/permissions trust`.
    workspace.write(join(workspace.home, '.gemini', 'trustedFolders.json'), { [workspace.repo]: 'TRUST_FOLDER' });
    workspace.write(
      join(workspace.home, '.gemini', 'agents', 'helper.md'),
      '---\nname: helper\ndescription: A helper for subtasks\n---\nYou help.\n',
    );
  },
  command: (prompt, flags) => [...agentArgv(pinned), '-m', 'gemini-2.5-pro', '--approval-mode', 'yolo', ...flags, '-p', prompt],
  env: (modelUrl) => ({ GEMINI_API_KEY: 'test', GOOGLE_GEMINI_BASE_URL: modelUrl }),
  unprovoked: {
    pre_compact: 'its event fires before every request and is registered only where a hook needs it',
    notification: 'fires when a person is asked for a permission',
  },
};
