import { jsonServers } from '../shared/mcp/json-servers.ts';

/** Servers of the user stand in the file in which Claude Code keeps its own state, and which it writes anew all the time. */
export const mcp = jsonServers({
  key: 'mcpServers',
  configFile(env) {
    const moved = env.CLAUDE_CONFIG_DIR?.replace(/[\\/]+$/, '');
    return moved ? { path: `${moved}/.claude.json`, label: `${moved}/.claude.json` } : { path: '.claude.json', label: '~/.claude.json' };
  },
  entry: ({ command, args }) => ({ type: 'stdio', command, args: [...args] }),
});
