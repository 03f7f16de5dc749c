import type { Quirk } from '@piton/contracts';

const SEEN = 'seen in 1.0.41';
const GUIDE = '1.0.41 (its guide)';

/** `fixture` is a file under `fixtures/` or the name of a test; the conformance suite checks that it exists. */
export const QUIRKS: readonly Quirk[] = [
  {
    id: 'fields-in-two-spellings',
    behaviour: 'Payloads are in camelCase, and the common fields stand there again in the spelling of Claude Code.',
    versions: SEEN,
    answer: 'Hooks get each field once, under the name that Claude Code has for it.',
    fixture: 'has the fields of Claude Code once each, under its names',
  },
  {
    id: 'runs-the-hooks-of-others',
    behaviour:
      'It also runs the hooks of `.claude/settings.json`, with its own payload. `args` of a hook is ignored there, so that a registration with arguments starts a program that knows nothing.',
    versions: SEEN,
    answer:
      'Its payloads are known for what they are through any registration, and one call through two of them is one event. `piton init` writes a file of its own.',
    fixture: 'recorded/1.0.41/claude-settings/03-PreToolUse.json',
  },
  {
    id: 'start-and-prompt-take-no-context',
    behaviour: 'What a hook says at the start of a session or at a prompt does not reach the model, unless it blocks the prompt.',
    versions: SEEN,
    answer: 'Context is kept for the next tool call that is not denied: a deny drops what stands beside it.',
    fixture: 'waits for a tool where nothing takes it',
  },
  {
    id: 'ask-is-approved-with-the-rest',
    behaviour: 'Where everything is approved (`--always-approve`) a question is approved as well; a headless run that asks ends.',
    versions: SEEN,
    answer: 'A question is asked only where somebody is there and the mode is another; else it is a deny that says so.',
    fixture: 'asks only where somebody is there and not everything is approved',
  },
  {
    id: 'allow-skips-nothing',
    behaviour: '`allow` before a tool does not skip the question of Grok Build itself.',
    versions: SEEN,
    answer: '`allow` is reported as not delivered.',
    fixture: 'grants nothing',
  },
  {
    id: 'new-input-must-fit-the-schema',
    behaviour: '`updatedInput` replaces the whole input, and a call whose input lacks a field that must be there is refused.',
    versions: SEEN,
    answer: 'The whole input is sent, in the words of the tool; a description that the hook left out stays what the model wrote.',
    fixture: 'keeps a field that must be there and that the hook left out',
  },
  {
    id: 'tools-of-servers-through-one',
    behaviour:
      'The model calls tools of MCP servers through `use_tool`: the payload has the name of the tool called, and the input of the caller.',
    versions: SEEN,
    answer: 'Hooks see the input of the tool itself; a new one is put back into that of the caller.',
    fixture: 'of an MCP tool goes into the input of its caller',
  },
  {
    id: 'new-output-in-its-own-shape',
    behaviour: '`updatedToolOutput` of a built-in tool must have the shape of the result that it told; anything else is dropped.',
    versions: SEEN,
    answer: 'The result is sent back with another text for the model in it.',
    fixture: 'has the shape of the result that it stands for, with another text',
  },
  {
    id: 'context-is-cut',
    behaviour: 'Context over 10,000 characters is cut, and the model reads how much is missing.',
    versions: SEEN,
    answer: 'Piton cuts it there, and tells the person.',
    fixture: 'carries the reason of a deny after a tool',
  },
  {
    id: 'failed-tools-come-as-PostToolUse',
    behaviour:
      'PostToolUseFailure fires for tools of MCP servers. A command that ends with a code, and a file that is not there, come as PostToolUse.',
    versions: SEEN,
    answer: 'Decoded as post_tool_use_failure, by their results.',
    fixture: 'recorded/1.0.41/session/12-PostToolUse.json',
  },
  {
    id: 'stop-at-the-end-of-a-session',
    behaviour: 'Stop fires once more when the session ends, after SessionEnd, and nothing is refused there.',
    versions: SEEN,
    answer: 'It is recorded as `other`: no hook for stops runs.',
    fixture: 'recorded/1.0.41/session/45-Stop.json',
  },
  {
    id: 'subagent-is-another-session',
    behaviour:
      'A subagent has a session of its own that names no other; its task comes as a prompt. Only SubagentStart, in the session of the caller, has the ids of both.',
    versions: SEEN,
    answer: 'Recorded as the session that it is; its task runs no hook on prompts. Its end is a SessionEnd.',
    fixture: 'recorded/1.0.41/session/29-UserPromptSubmit.json',
  },
  {
    id: 'wakes-itself',
    behaviour: 'When a background task ends it gives itself a prompt with the result.',
    versions: SEEN,
    answer: 'It is recorded as `other`: no hook on prompts runs.',
    fixture: 'recorded/1.0.41/session/42-UserPromptSubmit.json',
  },
  {
    id: 'start-beside-the-prompt',
    behaviour: 'The hooks of the start of a session and of its first prompt run at the same time.',
    versions: SEEN,
    answer: 'Nothing counts on the order.',
    fixture: 'recorded/1.0.41/session/01-UserPromptSubmit.json',
  },
  {
    id: 'untrusted-folder-skips-project-hooks',
    behaviour: 'Hooks of a repository are skipped without a word until its folder is trusted.',
    versions: SEEN,
    answer: 'The readiness names the folder and how to trust it.',
    fixture: 'says that the hooks of another folder are skipped',
  },
  {
    id: 'stop-with-a-cap',
    behaviour: 'After eight refused stops the turn ends.',
    versions: GUIDE,
    answer: 'The limit of Piton comes first, and says so.',
    fixture: 'recorded/1.0.41/refused-stop/03-Stop.json',
  },
];
