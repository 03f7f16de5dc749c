import { jsonServers } from '../shared/mcp/json-servers.ts';
import { agentFile } from './install.ts';

export const mcp = jsonServers({
  key: 'mcpServers',
  configFile: (env) => agentFile('mcp.json', env),
  entry: ({ command, args }) => ({ command, args: [...args] }),
});
