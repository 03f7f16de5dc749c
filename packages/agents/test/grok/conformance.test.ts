import { conformance } from '@piton/testing/conformance';
import { grok } from '../../src/grok/index.ts';
import { fixturesOf } from '../fixtures-of.ts';
import { readAnswer } from './answer-reader.ts';

const { fixtures, tests, recorded, documented } = fixturesOf('grok');

conformance(grok, {
  fixtures,
  tests,
  recorded,
  sessionOf: (payload) => payload.sessionId,
  toolOf: (payload) => payload.toolName,
  toolKinds: {
    run_terminal_command: 'shell',
    write: 'edit',
    search_replace: 'edit',
    read_file: 'read',
    todo_write: 'todo',
    mock__echo: 'mcp',
    mock__fail: 'mcp',
    spawn_subagent: 'subagent',
    list_dir: 'other',
    grep: 'other',
  },
  sample: documented,
  read: readAnswer,
});
