import type { Quirk } from '@piton/contracts';

const DOCUMENTED = 'unproven: documentation of August 2026, and the source';

/** `fixture` is a file under `fixtures/` or the name of a test; the conformance suite checks that it exists. */
export const QUIRKS: readonly Quirk[] = [
  {
    id: 'shares-its-files',
    behaviour:
      'It runs every hooks file of Copilot CLI and Claude Code, user and project, and Copilot CLI runs its own. camelCase names are converted; the payload is always in snake_case.',
    versions: DOCUMENTED,
    answer: 'It has a file of its own beside that of Copilot CLI; payloads are told apart by their shape, whoever was registered.',
    fixture: 'claims what has the shape of VS Code, and nothing else',
  },
  {
    id: 'matchers-ignored',
    behaviour: 'Matchers in a hooks file are read and ignored.',
    versions: DOCUMENTED,
    answer: 'None is written; Piton matches by itself.',
    fixture: 'writes no matcher',
  },
  {
    id: 'stop-in-two-forms',
    behaviour: 'The source reads a refused stop from the nested part of the answer, the documentation shows it at the top.',
    versions: DOCUMENTED,
    answer: 'Both are said.',
    fixture: 'refuses a stop in both forms',
  },
  {
    id: 'no-failure-event',
    behaviour: 'There is no event for a failed tool, and the response is a bare text.',
    versions: DOCUMENTED,
    answer: 'Every end of a tool is post_tool_use.',
    fixture: 'documented/PostToolUse.json',
  },
  {
    id: 'input-checked-by-schema',
    behaviour: 'A new input that does not fit the schema of the tool is ignored.',
    versions: DOCUMENTED,
    answer: 'The input is written in the words of the tool; what a hook invents is its own risk.',
    fixture: 'modifies in the words of the tool',
  },
];
