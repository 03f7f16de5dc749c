import { join } from 'node:path';
import { type ModelTurn, talk } from '../../model/script.ts';
import { agentCommand, pinnedAgent } from '../agents.ts';
import type { AgentDriver, AgentTools } from '../driver.ts';
import { mcpServer } from '../mcp/server.ts';
import type { Workspace } from '../workspace.ts';

const pinned = pinnedAgent('claude');

export const claudeSettings = (workspace: Workspace): string => join(workspace.home, '.claude', 'settings.json');

const call = (name: string, input: Record<string, unknown>): ModelTurn => ({ calls: [{ name, input }] });

const tools: AgentTools = {
  shell: (command) => call('Bash', { command, description: 'run' }),
  write: (path, content) => call('Write', { file_path: path, content }),
  edit: (path, before, after) => call('Edit', { file_path: path, old_string: before, new_string: after }),
  read: (path) => call('Read', { file_path: path }),
  todo: (items) => ({
    calls: items.map(({ text }) => ({ name: 'TaskCreate', input: { subject: text, description: text, activeForm: text } })),
  }),
  mcp: (text) => call('mcp__mock__echo', { text }),
  subagent: (prompt) => call('Agent', { description: 'subtask', prompt, subagent_type: 'general-purpose', run_in_background: false }),
};

function prepare(workspace: Workspace, allow: readonly string[]): void {
  workspace.write(claudeSettings(workspace), { permissions: { allow } });
  workspace.write(join(workspace.home, '.claude.json'), {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['test'], rejected: [] },
  });
}

const MCP = JSON.stringify({ mcpServers: { mock: mcpServer() } });
const command: AgentDriver['command'] = (prompt, flags) => [
  agentCommand(pinned),
  ...['-p', prompt, '--model', 'claude-sonnet-4-5', '--strict-mcp-config', '--mcp-config', MCP],
  ...flags,
];

const env: AgentDriver['env'] = (modelUrl) => ({
  ANTHROPIC_BASE_URL: modelUrl,
  ANTHROPIC_API_KEY: 'test',
  IS_SANDBOX: '1', // it refuses some flags to root elsewhere
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
});

/** Claude Code, headless. */
export const claudeDriver: AgentDriver = {
  pinned,
  tools,
  prepare(workspace) {
    // With `-p` nobody can be asked, so permissions are configured beforehand.
    prepare(workspace, ['Bash', 'Write', 'Edit', 'Read', 'Agent', 'TaskCreate', 'mcp__mock__echo']);
  },
  command,
  env,
  cautious: { prepare: (workspace) => prepare(workspace, []), command, env },
  compaction: {
    flags: ['--autocompact', '100000'],
    summary: 'TOKEN_SUMMARY',
    again: ['--continue'],
    script: talk({ ...tools.shell('echo hi'), promptTokens: 190_000 }, { text: '<summary>TOKEN_SUMMARY</summary>' }, { text: 'Finished.' }),
  },
  untold: {
    'pre_compact.custom_instructions': 'only a person who asks for a compaction gives any',
    'stop_failure.error_details': 'the refusal of the scripted model has none',
  },
  unprovoked: {
    notification: 'it tells a person that it waits, and nobody is there',
    permission_denied: 'only the classifier of its auto mode denies so',
  },
};

/** Adds native hooks of Claude Code to its settings. */
export function addClaudeHooks(workspace: Workspace, hooks: Readonly<Record<string, readonly ClaudeHook[]>>): void {
  const settings = JSON.parse(workspace.read(claudeSettings(workspace)) ?? '{}') as { hooks?: Record<string, unknown[]> };
  const merged = { ...settings.hooks };
  for (const [event, list] of Object.entries(hooks)) merged[event] = [...(merged[event] ?? []), { hooks: list }];
  workspace.write(claudeSettings(workspace), { ...settings, hooks: merged });
}

export interface ClaudeHook {
  readonly type: 'command';
  readonly command: string;
  /** With it the command is executed without a shell. */
  readonly args?: readonly string[];
  /** Seconds. */
  readonly timeout?: number;
}
