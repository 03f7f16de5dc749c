import { conformance } from '@piton/testing/conformance';
import { droid } from '../../src/droid/index.ts';
import { readAnswer } from './answer-reader.ts';
import { documented, FIXTURES, recorded, TESTS } from './fixtures.ts';

conformance(droid, {
  fixtures: FIXTURES,
  tests: TESTS,
  recorded,
  sessionOf: (payload) => payload.session_id,
  toolOf: (payload) => payload.tool_name,
  toolKinds: {
    Execute: 'shell',
    Create: 'edit',
    Edit: 'edit',
    Read: 'read',
    TodoWrite: 'todo',
    mock___echo: 'mcp',
    mock___fail: 'mcp',
    Task: 'subagent',
  },
  sample: documented,
  read: readAnswer,
});
