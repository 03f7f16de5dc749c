import { conformance } from '@piton/testing/conformance';
import { vscode } from '../../src/vscode/index.ts';
import { readAnswer } from './answer-reader.ts';
import { documented, documentedNames, FIXTURES, TESTS } from './fixtures.ts';

conformance(vscode, {
  fixtures: FIXTURES,
  tests: TESTS,
  // Nothing could be recorded: the documented payloads stand in.
  recorded: documentedNames.map((name) => ({
    name,
    payload: documented(name),
    context: { nativeEvent: name.split('.')[0] ?? '', cwd: '/', variables: {} },
  })),
  sessionOf: (payload) => payload.session_id,
  toolOf: (payload) => payload.tool_name,
  toolKinds: {
    run_in_terminal: 'shell',
    read_file: 'read',
    create_file: 'edit',
    replace_string_in_file: 'edit',
    runSubagent: 'subagent',
    mcp_docs_search: 'mcp',
  },
  sample: documented,
  read: readAnswer,
});
