import type { Materializer } from '@piton/contracts';
import { entriesMaterializer } from '../shared/materialize/entries.ts';
import { parentOf, rootBy } from '../shared/materialize/folder.ts';
import { toolsIn } from '../shared/materialize/tools.ts';
import { encode, noop } from './encode.ts';
import { EVENTS } from './events.ts';
import { dialect, installer } from './install.ts';
import { TOOLS } from './tools.ts';

const file: Parameters<typeof entriesMaterializer>[0]['file'] = ({ scope, env }) => installer.configFiles(scope, env)[0];

export const materializer: Materializer = entriesMaterializer({
  facts: {
    agent: 'droid',
    title: 'Factory Droid',
    events: EVENTS,
    tools: { tools: toolsIn(TOOLS, { ApplyPatch: ['Write'] }), mcp: (server, tool) => `${server}___${tool}` },
    encode,
    noop,
    failures: 'none',
    notes: {
      stop: 'subagents are sessions of their own and fire it too; nothing ends it after eight refusals',
      session_start: 'subagents are sessions of their own and fire it too',
      session_end: 'subagents are sessions of their own and fire it too',
      user_prompt_submit: 'droid exec does not fire it for its own prompt',
    },
    // What a hook that crashed wrote to stderr would be read by the model.
    quietCrash: true,
  },
  dialect,
  file,
  directory: (place) => parentOf(file(place)),
  root: rootBy('FACTORY_PROJECT_DIR'),
  activation: () => 'where a hooks.json lies beside settings.json, an event in it hides the same event in settings.json',
});
