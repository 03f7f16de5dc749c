import { conformance } from '@piton/testing/conformance';
import { kimi } from '../../src/kimi/index.ts';
import { fixturesOf } from '../fixtures-of.ts';
import { readAnswer } from './answer-reader.ts';
import { TOML } from './toml-corpus.ts';

const { fixtures, tests, recorded, documented } = fixturesOf('kimi');

conformance(kimi, {
  fixtures,
  tests,
  recorded,
  sessionOf: (payload) => payload.session_id,
  toolOf: (payload) => payload.tool_name,
  toolKinds: {
    Bash: 'shell',
    Write: 'edit',
    Edit: 'edit',
    Read: 'read',
    TodoList: 'todo',
    mcp__mock__echo: 'mcp',
    mcp__mock__fail: 'mcp',
    Agent: 'subagent',
    Glob: 'other',
    Grep: 'other',
  },
  configs: TOML,
  sample: documented,
  read: readAnswer,
});
