import type { McpInstaller } from '@piton/contracts';
import { jsonServers, serverFrom } from '../mcp/json-servers.ts';

/** It merges this file with others of the user's, such as `<agent>.jsonc`. */
export const mcpFor = (agent: string): McpInstaller =>
  jsonServers({
    key: 'mcp',
    configFile(env) {
      const moved = env.XDG_CONFIG_HOME?.replace(/\/+$/, '');
      const file = `${agent}/${agent}.json`;
      return moved ? { path: `${moved}/${file}`, label: `${moved}/${file}` } : { path: `.config/${file}`, label: `~/.config/${file}` };
    },
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    serverOf: ({ command }) => (Array.isArray(command) ? serverFrom(command) : undefined),
  });
