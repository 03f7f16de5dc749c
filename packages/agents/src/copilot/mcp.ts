import { jsonServers } from '../shared/mcp/json-servers.ts';
import { userFile } from './install.ts';

export const mcp = jsonServers({
  key: 'mcpServers',
  configFile: (env) => userFile('mcp-config.json', env),
  // Without a list of tools it offers none.
  entry: ({ command, args }) => ({ type: 'local', command, args: [...args], tools: ['*'] }),
});
