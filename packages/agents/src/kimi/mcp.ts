import { jsonServers } from '../shared/mcp/json-servers.ts';
import { userFile } from './install.ts';

export const mcp = jsonServers({
  key: 'mcpServers',
  configFile: (env) => userFile('mcp.json', env),
  entry: ({ command, args }) => ({ command, args }),
});
