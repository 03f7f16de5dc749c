import { join } from 'node:path';
import type { ModelTurn } from '../../model/script.ts';
import { agentCommand, pinnedAgent } from '../agents.ts';
import type { AgentDriver, AgentTools } from '../driver.ts';
import { MODEL_URL } from '../job.ts';
import { mcpServer } from '../mcp/server.ts';
import type { Workspace } from '../workspace.ts';

const pinned = pinnedAgent('droid');

const droidSettings = (workspace: Workspace): string => join(workspace.home, '.factory', 'settings.json');

const SETTINGS = {
  customModels: [
    {
      model: 'mock',
      displayName: 'mock',
      baseUrl: `${MODEL_URL}/v1`,
      apiKey: 'test',
      provider: 'generic-chat-completion-api',
      maxOutputTokens: 8000,
    },
  ],
  sessionDefaultSettings: { model: 'custom:mock-0', autonomyMode: 'auto-high', autonomyLevel: 'high' },
  cloudSessionSync: false,
  enableDroidShield: false,
};

const call = (name: string, input: Record<string, unknown>): ModelTurn => ({ calls: [{ name, input }] });

const tools: AgentTools = {
  shell: (command) => call('Execute', { command, summary: 'run', riskLevel: 'high', riskLevelReason: 'unknown', timeout: 60 }),
  write: (path, content) => call('Create', { file_path: path, content }),
  edit: (path, before, after) => call('Edit', { file_path: path, old_str: before, new_str: after }),
  read: (path) => call('Read', { file_path: path }),
  subagent: (prompt) => call('Task', { subagent_type: 'helper', description: 'subtask', prompt }),
  mcp: (text) => call('mock___echo', { text }),
};

function prepare(workspace: Workspace): void {
  workspace.write(droidSettings(workspace), SETTINGS);
  workspace.write(join(workspace.home, '.factory/mcp.json'), { mcpServers: { mock: { type: 'stdio', ...mcpServer() } } });
  const helper = '---\nname: helper\ndescription: Helps with subtasks\nmodel: inherit\n---\nYou help.\n';
  workspace.write(join(workspace.home, '.factory/droids/helper.md'), helper);
}
const command =
  (...permission: readonly string[]): AgentDriver['command'] =>
  (prompt, flags) => [agentCommand(pinned), 'exec', '-m', 'custom:mock-0', ...permission, ...flags, prompt];
const env = () => ({ FACTORY_AIRGAP_ENABLED: 'true', FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false', FACTORY_DISABLE_KEYRING: 'true' });

/** Droid, headless, without an account: offline it uses a custom model. */
export const droidDriver: AgentDriver = {
  pinned,
  tools,
  prepare,
  command: command('--skip-permissions-unsafe'),
  env,
  cautious: { prepare, command: command(), env },
  // Those before 0.215.0 have no offline mode: they ask for the account first, which the scripted model has.
  olderEnv: (modelUrl) => ({ FACTORY_API_KEY: 'test', FACTORY_API_BASE_URL: modelUrl, FACTORY_APP_BASE_URL: modelUrl }),
  terminal: {
    command: () => [agentCommand(pinned)],
    begin: [{ until: 'Trust this folder', keys: ['Enter'] }],
    ready: 'Auto \\(High\\)',
    // droid exec fires it for subagents alone.
    only: ['user_prompt_submit'],
  },
  unprovoked: {
    'pre_file_edit.allow': 'droid exec does not offer the tools that write where they are not permitted',
    todo_update: 'the tool is not offered to the scripted model',
    pre_compact: 'droid exec compacts without it',
    notification: 'nobody is notified by droid exec',
  },
};
