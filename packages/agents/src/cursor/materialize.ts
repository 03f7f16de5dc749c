import type { Materializer } from '@piton/contracts';
import { hooksFileDialect } from '../shared/hooks-file/hooks-file.ts';
import { entriesMaterializer } from '../shared/materialize/entries.ts';
import { ROOT_BY_GIT } from '../shared/materialize/folder.ts';
import { toolsIn } from '../shared/materialize/tools.ts';
import { encode, noop } from './encode.ts';
import { registeredEvents } from './events.ts';
import { installer } from './install.ts';
import { TOOLS } from './tools.ts';

/**
 * By the events of every tool with a matcher, not by those of a kind, although Cursor has some: its answers there are
 * others, and our encoder knows these.
 */
export const materializer: Materializer = entriesMaterializer({
  facts: {
    agent: 'cursor',
    title: 'Cursor',
    events: registeredEvents([]),
    // The server is not named.
    tools: { tools: toolsIn(TOOLS, { Write: ['Edit'] }), mcp: (_server, tool) => `MCP:${tool}` },
    encode,
    noop,
    failures: 'apart',
    notes: {
      pre_mcp_execution: 'Cursor does not say of which server a tool is',
      post_mcp_execution: 'Cursor does not say of which server a tool is',
    },
  },
  dialect: hooksFileDialect({ agent: 'cursor', handler: {}, line: 'command', timeout: 'timeout' }),
  file: ({ scope, env }) => installer.configFiles(scope, env)[0],
  directory: () => '.cursor',
  root: ROOT_BY_GIT,
  activation: () => null,
});
