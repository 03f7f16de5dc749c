import { join } from 'node:path';
import { type ModelTurn, talk } from '../../model/script.ts';
import { agentCommand, pinnedAgent } from '../agents.ts';
import type { AgentDriver, AgentTools } from '../driver.ts';
import { MODEL_URL } from '../job.ts';
import { mcpServer } from '../mcp/server.ts';
import type { Workspace } from '../workspace.ts';

const pinned = pinnedAgent('codex');

export const codexConfig = (workspace: Workspace): string => join(workspace.home, '.codex', 'config.toml');

/** Codex runs a hook only after a person has trusted it. This option of Codex for CI runs them all. */
export const CODEX_ANY_HOOK = '--dangerously-bypass-hook-trust';

/** `gpt-5.5` has plain tools; the newer models call theirs from inside a script. */
const config = (workspace: Workspace): string => `model = "gpt-5.5"
model_provider = "mock"
check_for_update_on_startup = false
web_search = "disabled"

[model_providers.mock]
name = "mock"
base_url = "${MODEL_URL}/v1"
env_key = "MOCK_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[projects.${JSON.stringify(workspace.repo)}]
trust_level = "trusted"

[mcp_servers.mock]
command = ${JSON.stringify(mcpServer().command)}
args = ${JSON.stringify(mcpServer().args)}

[tools.update_plan]
enabled = true

[features]
multi_agent = true
# It would wait for a list of plugins that cannot come.
plugins = false
`;

const call = (name: string, input: Record<string, unknown>, namespace?: string): ModelTurn => ({
  calls: [{ name, input, ...(namespace !== undefined && { namespace }) }],
});

/** A turn that sends a patch; the tool takes bare text. */
export const codexPatch = (...sections: readonly string[]): ModelTurn => ({
  calls: [{ name: 'apply_patch', freeform: ['*** Begin Patch', ...sections, '*** End Patch'].join('\n') }],
});

const marked = (mark: string, text: string): string =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => mark + line)
    .join('\n');

const WAIT: ModelTurn = {
  calls: [
    {
      name: 'wait_agent',
      namespace: 'multi_agent_v1',
      input: { targets: [], timeout_ms: 20_000 },
      found: { targets: '"agent_id":"([\\w-]+)"' },
    },
  ],
};

const tools: AgentTools = {
  shell: (command) => call('exec_command', { cmd: command }),
  write: (path, content) => codexPatch(`*** Add File: ${path}`, marked('+', content)),
  edit: (path, before, after) => codexPatch(`*** Update File: ${path}`, '@@', marked('-', before), marked('+', after)),
  todo: (items) => call('update_plan', { plan: items.map(({ text, done }) => ({ step: text, status: done ? 'completed' : 'pending' })) }),
  // A subagent runs in the background: the main agent waits for it with the id that it got at the start.
  subagent: (prompt) => ({ ...call('spawn_agent', { message: prompt }, 'multi_agent_v1'), followed: [WAIT] }),
  mcp: (text) => call('echo', { text }, 'mcp__mock'),
};

/** Codex, headless. */
export const codexDriver: AgentDriver = {
  pinned,
  tools,
  prepare: (workspace) => workspace.write(codexConfig(workspace), config(workspace)),
  command: (prompt, flags) => [
    agentCommand(pinned),
    'exec',
    '--dangerously-bypass-approvals-and-sandbox',
    ...(flags.includes(CODEX_ANY_HOOK) ? [] : [CODEX_ANY_HOOK]),
    ...flags,
    prompt,
  ],
  env: () => ({ MOCK_API_KEY: 'test' }),
  trustsHooks: true,
  compaction: {
    script: talk({ ...tools.shell('echo hi'), promptTokens: 5_000_000 }, { text: 'Finished.' }),
    // It requests the summary without tools, so the answer is not scripted. This is how Codex passes it on.
    summary: 'Another language model started to solve this problem',
  },
  unprovoked: {
    permission_request: 'codex exec never asks',
    pre_read_file: 'Codex reads files in its shell; the one tool that reads is for pictures',
  },
};
