import { conformance } from '@piton/testing/conformance';
import { pi } from '../../src/pi/index.ts';
import { PLUGIN_CONFIGS } from '../shared/plugin-answer-reader.ts';
import { pluginFixtures } from '../shared/plugin-fixtures.ts';
import { readAnswer } from './answer-reader.ts';

const { documented, ...fixtures } = pluginFixtures('pi');

conformance(pi, {
  ...fixtures,
  sessionOf: ({ ctx }) => (ctx === undefined ? '' : (ctx as { sessionId: string }).sessionId),
  toolOf: (payload) => payload.toolName,
  toolKinds: { bash: 'shell', write: 'edit', edit: 'edit', read: 'read' },
  configs: PLUGIN_CONFIGS,
  sample: documented,
  read: readAnswer,
});
