import type { Materializer } from '@piton/contracts';
import { entriesMaterializer } from '../shared/materialize/entries.ts';
import { parentOf, rootBy } from '../shared/materialize/folder.ts';
import { anchoredPattern, toolsIn } from '../shared/materialize/tools.ts';
import { encode, noop } from './encode.ts';
import { EVENTS } from './events.ts';
import { dialect, installer } from './install.ts';
import { TOOLS } from './tools.ts';

const file: Parameters<typeof entriesMaterializer>[0]['file'] = ({ scope, env }) => installer.configFiles(scope, env)[0];

const SERVERS = 'mcp:';

export const materializer: Materializer = entriesMaterializer({
  facts: {
    agent: 'auggie',
    title: 'Auggie',
    events: EVENTS,
    tools: {
      tools: toolsIn(TOOLS, { apply_patch: ['Write'], 'str-replace-editor': ['MultiEdit'] }),
      mcp: (server, tool) => `${SERVERS}${tool}_${server}`,
    },
    encode,
    noop,
    failures: 'same',
    notes: {
      user_prompt_submit: 'Auggie does not wait for it',
    },
  },
  dialect,
  file,
  directory: (place) => parentOf(file(place)),
  // Only a matcher that begins so is compared with the tools of servers, and with nothing else.
  matchers(tools) {
    const own = tools.filter((tool) => !tool.startsWith(SERVERS));
    const others = tools.filter((tool) => tool.startsWith(SERVERS)).map((tool) => tool.slice(SERVERS.length));
    return [...(own.length > 0 ? [anchoredPattern(own)] : []), ...(others.length > 0 ? [`${SERVERS}${anchoredPattern(others)}`] : [])];
  },
  root: rootBy('AUGMENT_PROJECT_DIR'),
  activation: () => null,
});
