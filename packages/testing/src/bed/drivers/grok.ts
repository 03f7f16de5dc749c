import { join } from 'node:path';
import { type ModelTurn, talk } from '../../model/script.ts';
import { agentCommand, pinnedAgent } from '../agents.ts';
import type { AgentDriver, AgentTools } from '../driver.ts';
import { MODEL_URL } from '../job.ts';
import { mcpServer } from '../mcp/server.ts';
import type { Workspace } from '../workspace.ts';

const pinned = pinnedAgent('grok');

const call = (name: string, input: Record<string, unknown>): ModelTurn => ({ calls: [{ name, input }] });

const tools: AgentTools = {
  shell: (command) => call('run_terminal_command', { command, description: 'run' }),
  write: (path, content) => call('write', { file_path: path, content }),
  edit: (path, before, after) => call('search_replace', { file_path: path, old_string: before, new_string: after }),
  read: (path) => call('read_file', { target_file: path }),
  todo: (items) =>
    call('todo_write', {
      merge: false,
      todos: items.map(({ text, done }, at) => ({ id: String(at + 1), content: text, status: done ? 'completed' : 'pending' })),
    }),
  subagent: (prompt) => call('spawn_subagent', { description: 'subtask', prompt, subagent_type: 'general-purpose', background: false }),
  mcp: (text) => call('use_tool', { tool_name: 'mock__echo', tool_input: { text } }),
};

function prepare(workspace: Workspace): void {
  const { command, args } = mcpServer();
  const config = [
    '[cli]\nauto_update = false',
    '[models]\ndefault = "mock"',
    `[model.mock]\nmodel = "mock"\nbase_url = "${MODEL_URL}/v1"\nname = "mock"\nenv_key = "MOCK_KEY"\ncontext_window = 200000`,
    '[features]\nremote_fetch = false',
    `[mcp_servers.mock]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}`,
  ];
  workspace.write(join(workspace.home, '.grok', 'config.toml'), `${config.join('\n\n')}\n`);
}

const commandWith =
  (...permission: readonly string[]): AgentDriver['command'] =>
  (prompt, flags) => [
    agentCommand(pinned),
    ...['-p', prompt, '-m', 'mock', '--output-format', 'plain', '--sandbox', 'off'],
    ...permission,
    ...flags,
  ];

const env = () => ({
  MOCK_KEY: 'test',
  XAI_API_KEY: 'test',
  GROK_DISABLE_TELEMETRY: '1',
  // Requests of its own, which would take turns of the script.
  GROK_SESSION_RECAP: '0',
  GROK_TURN_SUMMARY: '0',
  GROK_TITLE_REFRESH: '0',
  GROK_TWO_PASS_COMPACTION: '0',
});

/** A summary that is much shorter than what it stands for is thrown away. */
const SUMMARY = 'TOKEN_SUMMARY The person asked for scripted work, and one command was run, which said hi. ';

/** Grok Build, headless, with a custom model instead of xAI's. */
export const grokDriver: AgentDriver = {
  pinned,
  tools,
  prepare,
  command: commandWith('--always-approve'),
  env,
  cautious: { prepare, command: commandWith(), env },
  compaction: {
    summary: 'TOKEN_SUMMARY',
    noDoor: 'it compacts between two tools, and takes context beside the result of one: only that of the next comes after it',
    script: talk({ ...tools.shell('echo hi'), promptTokens: 190_000 }, { text: SUMMARY.repeat(40) }, tools.shell('echo on'), {
      text: 'Finished.',
    }),
  },
  untold: { 'post_tool_use_failure.is_interrupt': 'nobody interrupts a headless run' },
  unprovoked: {
    permission_denied: 'only its own rules for permissions deny so, and none are set here',
  },
};
