import type { Agent, Materializer } from '@piton/contracts';
import { pluginMaterializer } from '../shared/materialize/plugin.ts';
import { EVENTS } from './events.ts';
import { installer } from './install.ts';
import { MATERIALIZED_BODY } from './materialized-body.ts';
import { TOOLS } from './tools.ts';

export const materializerFor = ({ encode, noop }: Pick<Agent, 'encode' | 'noop'>): Materializer =>
  pluginMaterializer({
    facts: {
      agent: 'omp',
      title: 'oh-my-pi',
      events: EVENTS,
      tools: {
        tools: Object.entries(TOOLS).map(([native, { name, kind }]) => ({ native, names: [name], kind })),
        mcp: (server, tool) => `mcp__${server}_${tool}`,
      },
      encode,
      noop,
      failures: 'apart',
      inProcess: true,
    },
    file: ({ scope, env }) => installer.configFiles(scope, env)[0],
    body: MATERIALIZED_BODY,
    activation: () => null,
  });
