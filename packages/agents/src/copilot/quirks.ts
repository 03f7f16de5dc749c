import type { Quirk } from '@piton/contracts';

const SEEN = 'seen in 1.0.102';

/** `fixture` is a file under `fixtures/` or the name of a test; the conformance suite checks that it exists. */
export const QUIRKS: readonly Quirk[] = [
  {
    id: 'two-dialects',
    behaviour:
      'The spelling of an event selects the dialect: camelCase names give camelCase payloads with own tool names, PascalCase names snake_case payloads with the tool names of Claude Code. Both spellings registered: each event fires twice.',
    versions: SEEN,
    answer: 'The camelCase dialect is registered; both are decoded to the same event and answered each in its own form.',
    fixture: 'decodes both dialects to the same event',
  },
  {
    id: 'dialects-mixed-in-one-payload',
    behaviour: 'PermissionRequest and SubagentStart keep a camelCase body even under their PascalCase names, with agent_id in snake_case.',
    versions: SEEN,
    answer: 'Every field is known under both names.',
    fixture: 'recorded/1.0.102/session-pascal/31-PermissionRequest.json',
  },
  {
    id: 'runs-the-files-of-another-agent',
    behaviour:
      "In a trusted folder it also runs the hooks of the project's .claude/settings.json, in the PascalCase dialect. One empty matcher in that file voids it.",
    versions: SEEN,
    answer: 'Such payloads are recognised by their shape, whoever was registered; two registrations of one event are one event.',
    fixture: 'claims the payloads of its other dialect, and of nobody else',
  },
  {
    id: 'nested-context-ignored',
    behaviour: '`hookSpecificOutput.additionalContext` works before a tool only; at session start, prompt and after a tool it is ignored.',
    versions: SEEN,
    answer: 'Context is flat everywhere else, in both dialects.',
    fixture: 'puts context where the dialect is read',
  },
  {
    id: 'legacy-block-ignored',
    behaviour: '`decision: "block"` before a tool is ignored, and so is `continue: false`: the tool runs.',
    versions: SEEN,
    answer: 'A deny is always `permissionDecision`; that the run cannot be ended before a tool is reported.',
    fixture: 'never denies a tool by a form that lets it run',
  },
  {
    id: 'crash-denies',
    behaviour: 'A hook before a tool that ends with another code than 0 denies it, without its reason; a timeout lets the tool run.',
    versions: SEEN,
    answer: 'The line is guarded in both scopes, so that a missing forwarder is silence and exit 0; a deny is JSON with exit 0.',
    fixture: 'is guarded in both scopes: a missing program would deny every tool',
  },
  {
    id: 'exit-code-not-read-elsewhere',
    behaviour: 'Exit 2 at a stop or a prompt is a warning for the person: it refuses nothing, and its stderr reaches no model.',
    versions: SEEN,
    answer: 'Stop and prompt are refused by JSON.',
    fixture: 'refuses a stop and a prompt by JSON with exit 0',
  },
  {
    id: 'failing-command-is-a-success',
    behaviour: 'A shell command that ends with another code than 0 comes as postToolUse with a result of type success.',
    versions: SEEN,
    answer: 'The code at the end of its text makes it post_tool_use_failure.',
    fixture: 'recorded/1.0.102/session/16-postToolUse.json',
  },
  {
    id: 'denied-tool-has-no-post-event',
    behaviour: 'After a deny neither postToolUse nor postToolUseFailure fires.',
    versions: SEEN,
    answer: 'The server derives permission_denied and post_tool_use_failure from our own deny.',
    fixture: 'recorded/1.0.102/session/03-preToolUse.json',
  },
  {
    id: 'permission-request-always-fires',
    behaviour: 'permissionRequest fires with --allow-all-tools too, where nobody will be asked, unless preToolUse has allowed the call.',
    versions: SEEN,
    answer: 'An `ask` there becomes a deny: it cannot be left to a question that may never come.',
    fixture: 'asks nobody by a permission request, since it may fire where nobody is asked',
  },
  {
    id: 'permission-request-in-other-words',
    behaviour: 'permissionRequest calls create, edit and each file of a patch `edit` with a diff, and an MCP tool `server/tool`.',
    versions: SEEN,
    answer: 'Decoded to the same portable names; a new input is not possible there.',
    fixture: 'recorded/1.0.102/patch/06-permissionRequest.json',
  },
  {
    id: 'start-and-prompt-in-any-order',
    behaviour: 'sessionStart and userPromptSubmitted run at the same time, and either may come first.',
    versions: SEEN,
    answer: 'Nothing counts on a start before a prompt.',
    fixture: 'recorded/1.0.102/session/02-userPromptSubmitted.json',
  },
  {
    id: 'continuation-is-a-prompt',
    behaviour: 'A refused stop comes back as userPromptSubmitted with the reason as its prompt. Eight refusals in a row are its own limit.',
    versions: SEEN,
    answer: 'The server knows its own reason again and goes on counting.',
    fixture: 'recorded/1.0.102/continued/08-userPromptSubmitted.json',
  },
  {
    id: 'subagent-looks-like-the-main-agent',
    behaviour:
      "A subagent fires userPromptSubmitted for its task and agentStop for its end, with its own id as the session's. Refusing that agentStop has no effect; subagentStop, which follows, can be refused.",
    versions: SEEN,
    answer: 'Both are `other`, with the id of the subagent; all its events belong to the session that it works for.',
    fixture: 'takes the task and the end of a subagent for neither prompt nor stop',
  },
  {
    id: 'nested-subagents-hide-the-session',
    behaviour: 'A subagent of a subagent names its parent, not the session; only events with a transcript tell that.',
    versions: SEEN,
    answer: 'The session is read from the path of the transcript; tool events of a nested subagent count for its parent.',
    fixture: 'recorded/1.0.102/nested/09-subagentStart.json',
  },
  {
    id: 'todos-are-rows',
    behaviour: 'The to-do list is a table `todos` that the model changes by a tool `sql`.',
    versions: SEEN,
    answer: 'A query that changes that table is a TodoWrite; the query stays in the input.',
    fixture: 'recorded/1.0.102/session/20-postToolUse.json',
  },
  {
    id: 'patch-is-bare-text',
    behaviour: 'Some models get apply_patch: its arguments are a text, not an object, and the PascalCase dialect calls it Edit.',
    versions: SEEN,
    answer: 'The patch is read into one call for each file.',
    fixture: 'recorded/1.0.102/patch-pascal/03-PreToolUse.json',
  },
  {
    id: 'mcp-names-are-ambiguous',
    behaviour: 'An MCP tool is called `<server>-<tool>`, and both may hold dashes.',
    versions: SEEN,
    answer: 'The name of the built-in server is known; else the first dash divides.',
    fixture: 'divides the name of an MCP tool at the first dash, but for the built-in server',
  },
  {
    id: 'errors-are-always-recoverable',
    behaviour: 'errorOccurred says `recoverable: true` for every try, the last one too; the session then ends with the reason `error`.',
    versions: SEEN,
    answer: 'Only an error that is not recoverable is stop_failure; the others are `other`.',
    fixture: 'recorded/1.0.102/error/04-errorOccurred.json',
  },
  {
    id: 'comments-void-the-file',
    behaviour: 'A hooks file with a comment or a comma before a closing bracket is dropped, with a line in a log alone.',
    versions: SEEN,
    answer: 'Piton writes plain JSON, leaves what others wrote, and `status` says that the file is not read.',
    fixture: 'says that a file with comments is not read',
  },
  {
    id: 'untrusted-folder-skips-hooks',
    behaviour: "A repository's hooks run in a trusted folder only, or with --trust-folder; else they are skipped without a word.",
    versions: SEEN,
    answer: '`status` looks into the list of trusted folders and says what to do.',
    fixture: 'says that the hooks of a folder that is not trusted are skipped',
  },
  {
    id: 'nothing-for-the-person',
    behaviour: 'No answer of a hook is shown to the person, `systemMessage` included; only the reason of a refused prompt is.',
    versions: SEEN,
    answer: 'A message for the person is reported as not delivered.',
    fixture: 'says so when the person cannot read a message',
  },
];
