import { conformance } from '@piton/testing/conformance';
import { pi } from '../../src/pi/index.ts';
import { PLUGIN_CONFIGS, pluginReader } from '../shared/plugin-answer-reader.ts';
import { pluginFixtures } from '../shared/plugin-fixtures.ts';

const { documented, ...fixtures } = pluginFixtures('pi');

conformance(pi, {
  ...fixtures,
  sessionOf: ({ ctx }) => (ctx === undefined ? '' : (ctx as { sessionId: string }).sessionId),
  toolOf: (payload) => payload.toolName,
  toolKinds: { bash: 'shell', write: 'edit', edit: 'edit', read: 'read' },
  configs: PLUGIN_CONFIGS,
  sample: documented,
  read: pluginReader({
    session_start: ['context'],
    input: ['deny', 'context'],
    tool_call: ['deny', 'input'],
    tool_result: ['output', 'context'],
    'tool_result.error': ['output', 'context'],
    agent_before_settle: ['continue'],
    session_before_compact: ['deny'],
  }),
});
