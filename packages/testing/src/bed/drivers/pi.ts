import { join } from 'node:path';
import { type ModelTurn, talk } from '../../model/script.ts';
import { agentArgv, pinnedAgent } from '../agents.ts';
import type { AgentDriver, AgentTools } from '../driver.ts';
import { MODEL_URL } from '../job.ts';

const pinned = pinnedAgent('pi');
const call = (name: string, input: Record<string, unknown>): ModelTurn => ({ calls: [{ name, input }] });

/** No to-do list, no subagents, and no MCP without a third-party package. */
const tools: AgentTools = {
  shell: (command) => call('bash', { command }),
  write: (path, content) => call('write', { path, content }),
  edit: (path, before, after) => call('edit', { path, edits: [{ oldText: before, newText: after }] }),
  read: (path) => call('read', { path }),
};

export const piDriver: AgentDriver = {
  pinned,
  tools,
  inProcess: true,
  unprovoked: {
    pre_mcp_execution: 'MCP comes with a package of somebody else; 1.5.0 has it built in, and its calls were seen to be guarded',
    post_mcp_execution: 'MCP comes with a package of somebody else; 1.5.0 has it built in, and its calls were seen to be guarded',
  },
  compaction: {
    // By default it keeps more of the conversation than a scripted session has.
    prepare: (room) => room.write(join(room.home, '.pi', 'agent', 'settings.json'), { compaction: { keepRecentTokens: 1 } }),
    script: talk({ ...tools.shell('echo hi'), promptTokens: 5_000_000 }, { text: 'Finished.' }),
    summary: 'history before this point was compacted into',
    again: ['--continue'],
  },
  prepare(room) {
    room.write(join(room.home, '.pi', 'agent', 'models.json'), {
      providers: { mock: { baseUrl: `${MODEL_URL}/v1`, api: 'openai-completions', apiKey: 'test', models: [{ id: 'mock' }] } },
    });
  },
  command: (prompt, flags) => [...agentArgv(pinned), '--offline', '--provider', 'mock', '--model', 'mock', ...flags, '-p', prompt],
  env: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }),
};
