import type { Materializer } from '@piton/contracts';
import { hooksFileDialect } from '../shared/hooks-file/hooks-file.ts';
import { entriesMaterializer } from '../shared/materialize/entries.ts';
import { ROOT_BY_GIT } from '../shared/materialize/folder.ts';
import { toolsIn } from '../shared/materialize/tools.ts';
import { encode, noop } from './encode.ts';
import { EVENTS } from './events.ts';
import { TOOLS } from './tools.ts';

const FILE = 'hooks/piton-hooks-vscode.json';

/** It parses matchers and ignores them: the script looks for the tool in the payload. */
export const materializer: Materializer = entriesMaterializer({
  facts: {
    agent: 'vscode',
    title: 'Copilot in VS Code',
    events: EVENTS,
    tools: { tools: toolsIn(TOOLS, { apply_patch: ['Write'] }), mcp: (server, tool) => `mcp_${server}_${tool}` },
    encode,
    noop,
    failures: 'none',
    notes: { stop: 'Copilot CLI reads the same directory and runs it too' },
    toolInPayload: (name) => `"tool_name" *: *"${name}"`,
  },
  dialect: hooksFileDialect({ agent: 'vscode', handler: { type: 'command' }, line: 'command', timeout: 'timeout' }),
  file: ({ scope }) =>
    scope === 'project' ? { path: `.github/${FILE}`, label: `.github/${FILE}` } : { path: `.copilot/${FILE}`, label: `~/.copilot/${FILE}` },
  directory: ({ scope }) => (scope === 'project' ? '.github/vscode' : '.copilot/vscode'),
  root: ROOT_BY_GIT,
  noMatcher: true,
  activation: () => null,
});
