import type { Quirk } from '@piton/contracts';

const SEEN = 'seen in 0.36.0';

/** `fixture` is a file under `fixtures/` or the name of a test; the conformance suite checks that it exists. */
export const QUIRKS: readonly Quirk[] = [
  {
    id: 'hooks-where-its-server-says-so',
    behaviour: 'It runs hooks only where its server has switched them on for the account, and says nothing where it has not.',
    versions: SEEN,
    answer: '`status` says so beside its registrations; `/hooks` in Auggie is there only where they run.',
    fixture: 'says that its server decides whether hooks run',
  },
  {
    id: 'most-answers-have-no-effect',
    behaviour:
      'What is answered at the start of a session, at a prompt, at a stop and at the end has no effect: no context is taken, and nothing is refused.',
    versions: SEEN,
    answer:
      'Context of a start or a prompt is kept for the end of the next tool call; a deny or a refused stop is reported as not delivered.',
    fixture: 'waits for the end of a tool where nothing takes it',
  },
  {
    id: 'prompt-is-not-waited-for',
    behaviour: 'It asks its model while the hooks of a prompt run. It waits for those of every other event.',
    versions: SEEN,
    answer: 'What they say is kept all the same; a prompt is recorded when it comes.',
    fixture: 'recorded/0.36.0/session/02-PromptSubmit.json',
  },
  {
    id: 'context-before-a-tool-is-dropped',
    behaviour: '`additionalContext` before a tool does not reach the model.',
    versions: SEEN,
    answer: 'It is kept for the end of that call.',
    fixture: 'waits for the end of a tool where nothing takes it',
  },
  {
    id: 'ask-runs-the-tool',
    behaviour: '`permissionDecision: "ask"` has no effect, and the tool runs.',
    versions: SEEN,
    answer: 'A question becomes a deny, whether somebody is there or not.',
    fixture: 'is a question: it becomes a deny that says so, whoever is there',
  },
  {
    id: 'block-after-a-tool-is-ignored',
    behaviour: '`decision: "block"` after a tool has no effect; exit code 2 is read as context.',
    versions: SEEN,
    answer: 'The reason goes where context goes.',
    fixture: 'is said after a tool, whether it failed or not, with the reason of a deny before it',
  },
  {
    id: 'failed-tool-is-told-as-any-other',
    behaviour: 'A tool that failed is told by PostToolUse, with `tool_error`; a call that a hook denied by nothing.',
    versions: SEEN,
    answer: 'Decoded as a failure where the field holds a text.',
    fixture: 'recorded/0.36.0/session/20-PostToolUse.json',
  },
  {
    id: 'no-id-of-a-call',
    behaviour: 'Payloads have no id of the call. Before a tool `tool_output` is there and says `[undefined]`.',
    versions: SEEN,
    answer: 'Piton gives the call an id; the field is passed over.',
    fixture: 'takes the result that stands before a tool for none',
  },
  {
    id: 'server-behind-the-tool',
    behaviour: 'A tool of a server is called `tool_server`, and `is_mcp_tool` says that it is one.',
    versions: SEEN,
    answer: 'The name is parted at its last underscore: of a server called `my_server` only `server` is left.',
    fixture: 'of a server whose name has an underscore is parted at its last one',
  },
  {
    id: 'subagent-is-another-session',
    behaviour:
      'The calls of a subagent come with an id of their own as the conversation. Nothing says whose it is, when it begins or when it ends.',
    versions: SEEN,
    answer: 'Recorded as a session of its own; guards hold in it as anywhere.',
    fixture: 'recorded/0.36.0/session/32-PreToolUse.json',
  },
  {
    id: 'no-stop-after-an-error',
    behaviour: 'A turn that the model ends with an error has no Stop, only the end of the session.',
    versions: SEEN,
    answer: 'The turn ends with the session.',
    fixture: 'recorded/0.36.0/model-error/05-SessionEnd.json',
  },
  {
    id: 'the-exchange-comes-along',
    behaviour: 'A Stop brings the last request and answer as a whole, in `_exchange`.',
    versions: SEEN,
    answer: 'Its text is `last_assistant_message`; the rest stays in the raw payload.',
    fixture: 'recorded/0.36.0/session/37-Stop.json',
  },
  {
    id: 'typed-into-a-process',
    behaviour: '`write-process` types into a process that a call before has started, which may be a shell.',
    versions: '0.36.0 (program text)',
    answer: 'What is typed counts as a command.',
    fixture: 'that types into a process is a command, which a shell may read',
  },
];
