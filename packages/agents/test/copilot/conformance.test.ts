import { conformance } from '@piton/testing/conformance';
import { copilot } from '../../src/copilot/index.ts';
import { readAnswer } from './answer-reader.ts';
import { FIXTURES, recorded, sampleOf, TESTS } from './fixtures.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The session of a subagent's event is the one in the path of its transcript, or its parent. */
function sessionOf(fields: Fields): unknown {
  const own = fields.sessionId ?? fields.session_id;
  const parent = fields.parentAgentId ?? fields.parent_agent_id;
  if (parent === undefined) return own;
  return (
    String(fields.transcriptPath ?? fields.transcript_path ?? '')
      .split('/')
      .at(-2) ?? parent
  );
}

conformance(copilot, {
  fixtures: FIXTURES,
  tests: TESTS,
  recorded,
  sessionOf,
  // The call of an MCP server is told by an event beside the tool's own, which stays `other`.
  toolOf: (fields) => ('serverName' in fields ? undefined : (fields.toolName ?? fields.tool_name)),
  toolKinds: {
    bash: 'shell',
    Bash: 'shell',
    create: 'edit',
    Write: 'edit',
    edit: 'edit',
    Edit: 'edit',
    apply_patch: 'edit',
    view: 'read',
    Read: 'read',
    sql: 'todo',
    task: 'subagent',
    Agent: 'subagent',
    grep: 'other',
    glob: 'other',
    'mock-echo': 'mcp',
    'mock-fail': 'mcp',
    'mock/echo': 'mcp',
    'mock/fail': 'mcp',
  },
  sample: sampleOf,
  read: readAnswer,
});
