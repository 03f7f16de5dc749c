import { conformance } from '@piton/testing/conformance';
import { cursor } from '../../src/cursor/index.ts';
import { readAnswer } from './answer-reader.ts';
import { documented, documentedNames, FIXTURES, TESTS } from './fixtures.ts';

conformance(cursor, {
  fixtures: FIXTURES,
  tests: TESTS,
  // Nothing could be recorded: the documented payloads stand in.
  recorded: documentedNames.map((name) => ({
    name,
    payload: documented(name),
    context: { nativeEvent: name.split('.')[0] ?? '', cwd: '/', variables: {} },
  })),
  sessionOf: (payload) => payload.conversation_id ?? '',
  // The events beside the general ones stay `other`, and have no tool.
  toolOf: (payload) => ('tool_use_id' in payload ? payload.tool_name : undefined),
  toolKinds: { Shell: 'shell', Read: 'read', Write: 'edit', Task: 'subagent', 'MCP:search': 'mcp' },
  sample: documented,
  read: readAnswer,
});
