import { conformance } from '@piton/testing/conformance';
import { codex } from '../../src/codex/index.ts';
import { readAnswer } from './answer-reader.ts';
import { documented, FIXTURES, recorded, TESTS } from './fixtures.ts';

conformance(codex, {
  fixtures: FIXTURES,
  tests: TESTS,
  recorded,
  sessionOf: (payload) => payload.session_id,
  toolOf: (payload) => payload.tool_name,
  toolKinds: {
    Bash: 'shell',
    apply_patch: 'edit',
    update_plan: 'todo',
    mcp__mock__echo: 'mcp',
    spawn_agent: 'subagent',
    multi_agent_v1wait_agent: 'other',
  },
  sample: documented,
  read: readAnswer,
});
