import { jsonServers } from '../shared/mcp/json-servers.ts';

const FILE = 'data/settings/cline_mcp_settings.json';

export const mcp = jsonServers({
  key: 'mcpServers',
  configFile(env) {
    const moved = env.CLINE_DIR?.trim().replace(/[\\/]+$/, '');
    return moved ? { path: `${moved}/${FILE}`, label: `${moved}/${FILE}` } : { path: `.cline/${FILE}`, label: `~/.cline/${FILE}` };
  },
  entry: ({ command, args }) => ({ type: 'stdio', command, args: [...args] }),
});
