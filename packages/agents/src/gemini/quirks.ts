import type { Quirk } from '@piton/contracts';

const SEEN = 'seen in 0.61.0';

/** `fixture` is a file under `fixtures/` or the name of a test; the conformance suite checks that it exists. */
export const QUIRKS: readonly Quirk[] = [
  {
    id: 'compression-checked-before-every-request',
    behaviour: 'PreCompress fires before every request to the model, also when nothing is compressed.',
    versions: SEEN,
    answer: 'Not registered unless a hook needs it.',
    fixture: 'recorded/0.61.0/session/03-PreCompress.json',
  },
  {
    id: 'model-events',
    behaviour: 'BeforeModel and BeforeToolSelection fire with every request, AfterModel with every streamed piece: a process each.',
    versions: SEEN,
    answer: 'Not registered unless a hook needs them.',
    fixture: 'recorded/0.61.0/session/06-AfterModel.json',
  },
  {
    id: 'ask-hangs-headless',
    behaviour: '`ask` before a tool opens a dialog in the terminal UI and waits for ever in a headless run.',
    versions: SEEN,
    answer: 'Nothing tells the two apart, so nobody counts as there, and a question becomes a deny that says so.',
    fixture: 'asks nobody, since nothing tells a headless run from a session with a person',
  },
  {
    id: 'stderr-is-an-answer',
    behaviour:
      'With an empty stdout Gemini CLI reads stderr in its place: text with exit code 2 or above denies, so a missing program (127) denies too.',
    versions: SEEN,
    answer: 'The no-op is {}, and the line is guarded in user scope as well.',
    fixture: 'stays silent and says yes where the program is gone',
  },
  {
    id: 'allow-skips-nothing',
    behaviour: '`allow` before a tool does not skip the question of Gemini CLI itself.',
    versions: '0.61.0 (program text)',
    answer: '`allow` is reported as not delivered.',
    fixture: 'grants nothing',
  },
  {
    id: 'input-is-replaced-whole',
    behaviour: 'A new `tool_input` is documented as a merge; the call is built from it alone.',
    versions: SEEN,
    answer: 'The whole input is sent, in the names of the tool.',
    fixture: 'writes a new input in the names of the tool itself',
  },
  {
    id: 'context-before-the-first-prompt',
    behaviour: 'In a headless run the context of session-start hooks stands in `prompt`, before what the person typed.',
    versions: SEEN,
    answer: 'Hooks, records and transcripts have what the person typed.',
    fixture: 'recorded/0.61.0/with-context/01-BeforeAgent.json',
  },
  {
    id: 'no-context-before-a-tool',
    behaviour: '`additionalContext` before a tool does not reach the model.',
    versions: SEEN,
    answer: 'Reported as not delivered; the doors that work are session start, prompt and the end of a tool.',
    fixture: 'says so when context finds no door',
  },
  {
    id: 'block-after-a-tool-hides-its-result',
    behaviour: 'After a tool a block replaces the result by the reason, as an error.',
    versions: SEEN,
    answer: 'It is used for `rewrite` only; what a deny has to say is added after the result.',
    fixture: 'adds what a deny says after the result and replaces the result by a rewrite',
  },
  {
    id: 'failed-tools-come-as-AfterTool',
    behaviour:
      'There is no event of its own for a failed tool: AfterTool carries `tool_response.error`, and a command that ends with a code only says so in its text.',
    versions: SEEN,
    answer: 'Both are decoded as post_tool_use_failure. A command whose own last line reads "Exit Code: 3" is taken for failed.',
    fixture: 'recorded/0.61.0/session/32-AfterTool.json',
  },
  {
    id: 'no-tool-call-id',
    behaviour: 'No payload names the call of a tool: a BeforeTool and its AfterTool are paired by their order.',
    versions: SEEN,
    answer: 'The tool is decoded without an id.',
    fixture: 'recorded/0.61.0/session/07-BeforeTool.json',
  },
  {
    id: 'denied-tool-has-no-post-event',
    behaviour: 'After a denied BeforeTool no AfterTool fires.',
    versions: SEEN,
    answer: 'The server derives permission_denied and post_tool_use_failure from our own deny.',
    fixture: 'recorded/0.61.0/session/07-BeforeTool.json',
  },
  {
    id: 'subagent-looks-like-the-main-agent',
    behaviour: 'The tools of a subagent come with the session of the main agent and no sign of their own.',
    versions: SEEN,
    answer: 'Recorded as they come; the subagent itself is the tool `invoke_agent`.',
    fixture: 'recorded/0.61.0/session/59-BeforeTool.json',
  },
  {
    id: 'prompt-again-after-a-refused-stop',
    behaviour: 'A refused AfterAgent fires BeforeAgent again, with the reason as its prompt.',
    versions: SEEN,
    answer: 'The server does not take it for a new prompt when it counts refusals: there is no cap of Gemini CLI’s own.',
    fixture: 'goes on at a stop',
  },
  {
    id: 'session-ends-three-times',
    behaviour: 'SessionEnd fires three times when the terminal UI quits.',
    versions: SEEN,
    answer: 'Each is recorded; nothing depends on there being one.',
    fixture: 'recorded/0.61.0/session/73-SessionEnd.json',
  },
  {
    id: 'untrusted-folder-runs-no-hook',
    behaviour: 'In a folder that is not trusted no hook of any settings runs, and a headless run ends with 55.',
    versions: SEEN,
    answer: 'The readiness names the folder and how to trust it.',
    fixture: 'runs nothing in a folder that nobody trusted, and says how to trust it',
  },
  {
    id: 'message-written-twice',
    behaviour: 'The transcript holds a message again under the same id when its tools have ended.',
    versions: SEEN,
    answer: 'Usage, answer and calls are keyed; the last line counts.',
    fixture: 'transcripts/session.jsonl',
  },
];
