import type { McpEdit, McpServer } from '@piton/contracts';

/** Under which our server stands among the others of an agent. */
export const NAME = 'piton';

/** Is it the one that `piton mcp install` writes, of any version and home? */
export const isOurServer = ({ command, args }: McpServer): boolean => /(?:^|[\\/])piton$/.test(command) && args[0] === 'mcp';

export const taken = (position: string): McpEdit => ({
  ok: false,
  error: `${position}: an MCP server called "${NAME}" is there that Piton did not write: rename it or take it out, then run this again`,
});
