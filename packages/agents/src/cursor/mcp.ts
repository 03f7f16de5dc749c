import { jsonServers } from '../shared/mcp/json-servers.ts';

export const mcp = jsonServers({
  key: 'mcpServers',
  configFile: () => ({ path: '.cursor/mcp.json', label: '~/.cursor/mcp.json' }),
  entry: ({ command, args }) => ({ command, args: [...args] }),
});
