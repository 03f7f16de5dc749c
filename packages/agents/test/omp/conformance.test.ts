import { conformance } from '@piton/testing/conformance';
import { omp } from '../../src/omp/index.ts';
import { PLUGIN_CONFIGS } from '../shared/plugin-answer-reader.ts';
import { pluginFixtures } from '../shared/plugin-fixtures.ts';
import { readAnswer } from './answer-reader.ts';

const { documented, ...fixtures } = pluginFixtures('omp');

/** The events of a subagent are the session of the person's: the folder of its file names it. */
function sessionOf({ ctx }: Readonly<Record<string, unknown>>): string {
  const { sessionFile, sessionId } = ctx as { sessionFile: string; sessionId: string };
  return sessionFile.split('/').at(-2)?.split('_')[1] ?? sessionId;
}

conformance(omp, {
  ...fixtures,
  sessionOf,
  toolOf: (payload) => payload.toolName,
  toolKinds: {
    bash: 'shell',
    write: 'edit',
    edit: 'edit',
    read: 'read',
    todo: 'todo',
    task: 'subagent',
    mcp__mock_echo: 'mcp',
    yield: 'other',
  },
  configs: PLUGIN_CONFIGS,
  sample: documented,
  read: readAnswer,
});
