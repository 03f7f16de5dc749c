import type { Quirk } from '@piton/contracts';

const DOCUMENTED = 'unproven: documentation, and the program text of its SDK 1.0.32';
const PUBLISHED = 'unproven: measured and published by others';

/** `fixture` is a file under `fixtures/` or the name of a test; the conformance suite checks that it exists. */
export const QUIRKS: readonly Quirk[] = [
  {
    id: 'calls-said-twice',
    behaviour:
      'One shell call fires preToolUse and beforeShellExecution, then afterShellExecution and postToolUse; MCP, read and edit likewise.',
    versions: DOCUMENTED,
    answer: 'Of each pair only the general event is registered; the other stays `other`, so that one call is one event.',
    fixture: 'documented/beforeShellExecution.json',
  },
  {
    id: 'question-not-enforced',
    behaviour: '`permission: "ask"` is not enforced on preToolUse, and `allow` skips no question of its own.',
    versions: DOCUMENTED,
    answer: 'An `ask` becomes a deny; an `allow` is reported as not delivered.',
    fixture: 'turns every question into a deny',
  },
  {
    id: 'unreadable-answer-blocks',
    behaviour: 'Where a permission is at stake, output that is no JSON blocks the call.',
    versions: DOCUMENTED,
    answer: 'The no-op is `{}`; nothing else than JSON is printed.',
    fixture: 'prints JSON or, for what it does not know, nothing',
  },
  {
    id: 'one-unknown-event-drops-the-file',
    behaviour: 'A hooks file with one unknown event or one malformed entry is dropped as a whole, without a word.',
    versions: DOCUMENTED,
    answer: 'Only the 21 documented names are written, with the documented fields.',
    fixture: 'writes documented names and fields only',
  },
  {
    id: 'user-hooks-run-elsewhere',
    behaviour: 'The hooks of a user run in ~/.cursor; the payload names the roots of the workspace.',
    versions: DOCUMENTED,
    answer: 'The first root is the directory of the event.',
    fixture: 'takes the first root of the workspace for the directory',
  },
  {
    id: 'long-context-dropped',
    behaviour: '`additional_context` above 10,000 characters is dropped.',
    versions: DOCUMENTED,
    answer: 'It is cut there and reported as degraded.',
    fixture: 'cuts context that would be dropped',
  },
  {
    id: 'content-cannot-be-changed',
    behaviour: '`updated_input` can change the path of a Write, not its content.',
    versions: DOCUMENTED,
    answer: 'A new content is reported as not delivered.',
    fixture: 'modifies no content, and says so',
  },
  {
    id: 'deny-is-a-failure-too',
    behaviour: 'After a deny postToolUseFailure follows with the type permission_denied.',
    versions: DOCUMENTED,
    answer: 'Recorded beside the failure that the server derives from its own deny.',
    fixture: 'documented/postToolUseFailure.json',
  },
  {
    id: 'five-continuations',
    behaviour: 'A stop is refused five times in a row at most (`loop_limit`).',
    versions: DOCUMENTED,
    answer: 'Its own limit comes before ours of eight.',
    fixture: 'documented/stop.json',
  },
  {
    id: 'runs-the-files-of-another-agent',
    behaviour:
      'With a setting it runs the hooks of Claude Code’s files too, user and project, under its own names; groups without a matcher void such a file.',
    versions: DOCUMENTED,
    answer: 'Its payloads are recognised by their shape, whoever was registered.',
    fixture: 'claims what names a version of Cursor, and nothing else',
  },
  {
    id: 'headless-says-less',
    behaviour: 'cursor-agent -p fires no beforeSubmitPrompt and no stop.',
    versions: PUBLISHED,
    answer: 'Nothing counts on them.',
    fixture: 'documented/beforeSubmitPrompt.json',
  },
  {
    id: 'mcp-server-unnamed',
    behaviour: 'preToolUse calls an MCP tool `MCP:<tool>` and does not name its server.',
    versions: DOCUMENTED,
    answer: 'The portable name has `unknown` in the place of the server.',
    fixture: 'documented/preToolUse.mcp.json',
  },
];
