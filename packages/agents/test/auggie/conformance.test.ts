import { conformance } from '@piton/testing/conformance';
import { auggie } from '../../src/auggie/index.ts';
import { fixturesOf } from '../fixtures-of.ts';
import { readAnswer } from './answer-reader.ts';

const { fixtures, tests, recorded, documented } = fixturesOf('auggie');

conformance(auggie, {
  fixtures,
  tests,
  recorded,
  sessionOf: (payload) => payload.conversation_id,
  toolOf: (payload) => payload.tool_name,
  toolKinds: {
    'launch-process': 'shell',
    'save-file': 'edit',
    'str-replace-editor': 'edit',
    apply_patch: 'edit',
    'remove-files': 'edit',
    view: 'read',
    add_tasks: 'todo',
    echo_mock: 'mcp',
    fail_mock: 'mcp',
    'sub-agent-general-purpose': 'subagent',
  },
  // A call without fields that must stay: of those, a new input says more than a hook did.
  sample: (name) => documented(name === 'PreToolUse' ? 'PreToolUse.mcp' : name),
  read: readAnswer,
});
