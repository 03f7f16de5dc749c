import { tomlServers } from '../shared/mcp/toml-servers.ts';
import { userFile } from './install.ts';

export const mcp = tomlServers('mcp_servers', (env) => userFile('config.toml', env));
