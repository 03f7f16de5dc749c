import type { Agent, Materializer } from '@piton/contracts';
import { pluginMaterializer } from '../shared/materialize/plugin.ts';
import { EVENTS } from './events.ts';
import { installer } from './install.ts';
import { MATERIALIZED_BODY } from './materialized-body.ts';
import { TOOLS } from './tools.ts';

export const materializerFor = ({ encode, noop }: Pick<Agent, 'encode' | 'noop'>): Materializer =>
  pluginMaterializer({
    facts: {
      agent: 'pi',
      title: 'pi',
      events: EVENTS,
      tools: {
        tools: Object.entries(TOOLS).map(([native, { name, kind }]) => ({
          native,
          names: native === 'edit' ? [name, 'MultiEdit'] : [name],
          kind,
        })),
        mcp: (server, tool) => `mcp__${server}__${tool}`,
      },
      encode,
      noop,
      failures: 'apart',
      inProcess: true,
    },
    file: ({ scope, env }) => installer.configFiles(scope, env)[0],
    body: MATERIALIZED_BODY,
    activation: (scope) =>
      scope === 'project'
        ? 'pi loads extensions of a project only where the project is trusted, and not in a headless run of 0.87.1'
        : null,
  });
