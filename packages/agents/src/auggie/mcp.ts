import { jsonServers } from '../shared/mcp/json-servers.ts';
import { installer } from './install.ts';

/** In the file that also has the hooks. */
export const mcp = jsonServers({
  key: 'mcpServers',
  configFile: (env) => installer.configFiles('user', env)[0],
  entry: ({ command, args }) => ({ command, args: [...args] }),
});
