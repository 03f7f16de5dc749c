import { conformance } from '@piton/testing/conformance';
import { claude } from '../../src/claude/index.ts';
import { readAnswer } from './answer-reader.ts';
import { documented, FIXTURES, recorded, TESTS } from './fixtures.ts';

conformance(claude, {
  fixtures: FIXTURES,
  tests: TESTS,
  recorded,
  sessionOf: (payload) => payload.session_id,
  toolOf: (payload) => payload.tool_name,
  toolKinds: {
    AskUserQuestion: 'other',
    ExitPlanMode: 'other',
    Bash: 'shell',
    Write: 'edit',
    Edit: 'edit',
    Read: 'read',
    TaskCreate: 'todo',
    TaskUpdate: 'todo',
    mcp__mock__echo: 'mcp',
    mcp__mock__fail: 'mcp',
    Agent: 'subagent',
  },
  sample: documented,
  read: readAnswer,
});
