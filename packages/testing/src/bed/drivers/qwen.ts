import { join } from 'node:path';
import { type ModelTurn, talk } from '../../model/script.ts';
import { agentArgv, pinnedAgent } from '../agents.ts';
import type { AgentDriver, AgentTools } from '../driver.ts';
import { mcpServer } from '../mcp/server.ts';
import type { Workspace } from '../workspace.ts';

const pinned = pinnedAgent('qwen');

export const qwenSettings = (workspace: Workspace): string => join(workspace.home, '.qwen', 'settings.json');

const call = (name: string, input: Record<string, unknown>): ModelTurn => ({ calls: [{ name, input }] });

const tools: AgentTools = {
  shell: (command) => call('run_shell_command', { command, description: 'run', is_background: false }),
  write: (path, content) => call('write_file', { file_path: path, content }),
  edit: (path, before, after) => call('edit', { file_path: path, old_string: before, new_string: after }),
  read: (path) => call('read_file', { file_path: path }),
  todo: (items) =>
    call('todo_write', {
      todos: items.map(({ text, done }, i) => ({ id: String(i + 1), content: text, status: done ? 'completed' : 'pending' })),
    }),
  mcp: (text) => call('mcp__mock__echo', { text }),
  subagent: (prompt) => call('agent', { description: 'subtask', prompt, subagent_type: 'general-purpose', run_in_background: false }),
};

const SUMMARY = 'What was done so far: a command.';

/** Qwen Code, headless. It may need a newer Node than ours. */
export const qwenDriver: AgentDriver = {
  pinned,
  tools,
  prepare(workspace) {
    workspace.write(qwenSettings(workspace), {
      $version: 4, // else it writes the file anew
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false },
      tools: { todoWrite: { enabled: true } },
      mcpServers: { mock: { ...mcpServer(), trust: true } },
    });
  },
  command: (prompt, flags) => [...agentArgv(pinned), '--auth-type', 'openai', '-m', 'mock', '--yolo', ...flags, '-p', prompt],
  compaction: {
    // It computes the gain from the reported size of the summary.
    script: talk(
      { ...tools.shell('echo hi'), promptTokens: 170_000 },
      { text: `<analysis>Short.</analysis><state_snapshot>${SUMMARY}</state_snapshot>`, promptTokens: 165_000 },
      { text: 'Finished.' },
    ),
    summary: SUMMARY,
    noDoor: 'it compacts between its last hook and the request: only the end of the next tool, or the next prompt, comes after it',
    again: ['--continue'],
  },
  terminal: {
    command: () => [...agentArgv(pinned), '--auth-type', 'openai', '-m', 'mock', '--yolo'],
    begin: [],
    ready: 'Type your message',
    // A headless run ends without it.
    only: ['session_end'],
  },
  unprovoked: {
    permission_request: 'a headless run refuses a tool before it asks',
    permission_denied: 'only the classifier of its auto mode denies',
    stop_failure: 'does not fire in a headless run',
  },
  env: (modelUrl) => ({
    OPENAI_API_KEY: 'test',
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_MODEL: 'mock',
    QWEN_CODE_STOP_HOOK_BLOCK_CAP: '20', // its own limit would hide ours
  }),
};
