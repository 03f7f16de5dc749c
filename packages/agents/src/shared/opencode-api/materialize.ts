import type { Agent, Materializer } from '@piton/contracts';
import { pluginMaterializer } from '../materialize/plugin.ts';
import { literal } from '../materialize/tools.ts';
import { EVENTS } from './events.ts';
import { MATERIALIZED_BODY } from './materialized-body.ts';
import { TOOLS } from './tools.ts';

/** A command that ends with an error comes as an ordinary result; other failures come by the event bus. */
const FAILED_RESULT = { name: 'tool.execute.after', event: 'post_tool_use_failure', timeoutMs: 60_000 } as const;
/** What is no tool of the agent's own and has an underscore is `server_tool`. */
const OWN = Object.keys(TOOLS).map(literal).join('|');

export const materializerFor = (agent: Pick<Agent, 'id' | 'title' | 'installer' | 'encode' | 'noop'>): Materializer =>
  pluginMaterializer({
    facts: {
      agent: agent.id,
      title: agent.title,
      // Nobody says that a session is taken up again.
      events: [...EVENTS.filter(({ name }) => name !== 'session.resumed'), FAILED_RESULT],
      tools: {
        tools: Object.entries(TOOLS).map(([native, { name, kind }]) => ({
          native,
          names: native === 'apply_patch' ? [name, 'Write'] : [name],
          kind,
        })),
        mcp: (server, tool) => (server === '.+' ? `(?!(?:${OWN})$)[^_]+_${tool}` : `${server}_${tool}`),
      },
      encode: agent.encode,
      noop: agent.noop,
      failures: 'apart',
      inProcess: true,
      notes: {
        session_start: 'a session that is taken up again says nothing',
        permission_request: 'a plugin only hears of it: the answer counts for nothing',
      },
    },
    file: ({ scope, env }) => agent.installer.configFiles(scope, env)[0],
    body: MATERIALIZED_BODY,
    activation: () => null,
  });
