import { conformance } from '@piton/testing/conformance';
import { gemini } from '../../src/gemini/index.ts';
import { fixturesOf } from '../fixtures-of.ts';
import { readAnswer } from './answer-reader.ts';

const { documented, ...given } = fixturesOf('gemini');

conformance(gemini, {
  ...given,
  sessionOf: (payload) => payload.session_id,
  toolOf: (payload) => payload.tool_name,
  toolKinds: {
    run_shell_command: 'shell',
    write_file: 'edit',
    replace: 'edit',
    read_file: 'read',
    write_todos: 'todo',
    mcp_mock_echo: 'mcp',
    invoke_agent: 'subagent',
    list_directory: 'other',
    complete_task: 'other',
  },
  sample: documented,
  read: readAnswer,
});
