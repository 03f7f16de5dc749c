import { conformance } from '@piton/testing/conformance';
import { qwen } from '../../src/qwen/index.ts';
import { fixturesOf } from '../fixtures-of.ts';
import { readAnswer } from './answer-reader.ts';

const { documented, ...given } = fixturesOf('qwen');

conformance(qwen, {
  ...given,
  sessionOf: (payload) => payload.session_id,
  toolOf: (payload) => payload.tool_name,
  toolKinds: {
    run_shell_command: 'shell',
    write_file: 'edit',
    edit: 'edit',
    read_file: 'read',
    todo_write: 'todo',
    mcp__mock__echo: 'mcp',
    mcp__mock__fail: 'mcp',
    agent: 'subagent',
  },
  sample: documented,
  read: readAnswer,
});
