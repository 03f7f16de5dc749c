import { jsonServers } from '../shared/mcp/json-servers.ts';

export const mcp = jsonServers({
  key: 'mcpServers',
  configFile: () => ({ path: '.factory/mcp.json', label: '~/.factory/mcp.json' }),
  entry: ({ command, args }) => ({ type: 'stdio', command, args: [...args] }),
});
