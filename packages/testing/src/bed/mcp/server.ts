import { fileURLToPath } from 'node:url';

/** How an agent starts the server `mock`, with the tools `echo` and `fail`. */
export const mcpServer = (): { readonly command: string; readonly args: readonly string[] } => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('./mcp-server.mjs', import.meta.url))],
});
