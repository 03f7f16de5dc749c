import type { Quirk } from '@piton/contracts';

const SEEN = 'seen in 0.166.0';

/** `fixture` is a file under `fixtures/` or the name of a test; the conformance suite checks that it exists. */
export const QUIRKS: readonly Quirk[] = [
  {
    id: 'trusted-by-hash',
    behaviour:
      'A hook runs only if the hash of its definition stands in config.toml, under a key that counts its place; all others are skipped without a word.',
    versions: SEEN,
    answer:
      'The line stays the same over upgrades and new hooks are appended. Key and hash are asked of `codex app-server` and written only after a yes; `status` tells installed from trusted.',
    fixture: 'tells a hook that is installed from one that will run',
  },
  {
    id: 'app-server-leaves-at-end-of-input',
    behaviour: '`codex app-server` ends without an answer when its input ends.',
    versions: SEEN,
    answer: 'The probe says what the answer looks like, and its input is held open until then.',
    fixture: 'asks in a way that Codex answers',
  },
  {
    id: 'ask-runs-the-tool',
    behaviour: '`permissionDecision: "ask"` is a failed hook, and the tool runs.',
    versions: SEEN,
    answer: 'A question becomes a deny, whether somebody is there or not.',
    fixture: 'never asks: a question is a deny',
  },
  {
    id: 'bare-allow-is-a-failed-hook',
    behaviour: '`permissionDecision: "allow"` without a new input is a failed hook. The tool goes through the usual approval.',
    versions: SEEN,
    answer: 'An allow before a tool is not sent; at a permission request it is.',
    fixture: 'stays silent on an allow that Codex would take for a failure',
  },
  {
    id: 'continue-false-runs-the-tool',
    behaviour: '`continue: false` before a tool or at a permission request voids the whole answer, and the tool runs.',
    versions: SEEN,
    answer: 'Only the deny is sent there, and the trace says that the run could not be ended.',
    fixture: 'denies without ending the run where that would void the deny',
  },
  {
    id: 'unknown-keys-void-the-answer',
    behaviour:
      'A key that the event does not know, or a wrong event name, voids the answer and the action proceeds. So does an empty reason.',
    versions: '0.166.0 (schemas in the program)',
    answer: 'Each answer holds only the keys of its event, and a deny always has a reason.',
    fixture: 'holds only what the event knows, whatever was decided',
  },
  {
    id: 'patch-of-several-files',
    behaviour: '`apply_patch` adds, changes, moves and deletes any number of files in one call; its input is the text of the patch.',
    versions: SEEN,
    answer: 'Hooks see one Edit or Write for each file; any deny denies the call; `modify` is not possible there.',
    fixture: 'recorded/0.166.0/patches/05-PreToolUse.json',
  },
  {
    id: 'patch-through-the-shell',
    behaviour: 'A patch that the model pipes to `apply_patch` in the shell arrives as Bash.',
    versions: '0.166.0 (program text)',
    answer: 'It is a shell command, and the files that its patch names are among its files.',
    fixture: 'finds the files of a patch that goes through the shell',
  },
  {
    id: 'failed-tool-without-an-event',
    behaviour: 'After a patch that does not apply, a tool of an MCP server that fails, or a call that is refused, no hook runs.',
    versions: SEEN,
    answer: 'Nothing is made up; a deny of our own yields the derived events.',
    fixture: 'recorded/0.166.0/session/13-PreToolUse.json',
  },
  {
    id: 'exit-code-is-not-told',
    behaviour: 'PostToolUse fires for a command that ends with an error, with its bare output and no exit code.',
    versions: SEEN,
    answer: 'It is post_tool_use, as Codex says; the transcript knows more.',
    fixture: 'recorded/0.166.0/session/12-PostToolUse.json',
  },
  {
    id: 'names-with-their-namespace',
    behaviour: 'Some tools are told with the namespace glued to the name: `multi_agent_v1wait_agent`, but `spawn_agent`.',
    versions: SEEN,
    answer: 'The namespace is taken off.',
    fixture: 'recorded/0.166.0/session/22-PreToolUse.json',
  },
  {
    id: 'subagent-in-the-same-session',
    behaviour: "A subagent's events have the session of its parent and an agent_id; its task comes as a UserPromptSubmit.",
    versions: SEEN,
    answer: 'The agent_id is kept on each event.',
    fixture: 'recorded/0.166.0/session/21-UserPromptSubmit.json',
  },
  {
    id: 'stop-without-a-cap',
    behaviour: 'A refused stop goes on for ever.',
    versions: SEEN,
    answer: 'The engine counts and lets it stop after eight times.',
    fixture: 'recorded/0.166.0/session/27-Stop.json',
  },
  {
    id: 'long-context-is-cut',
    behaviour: 'Of context above 2,500 tokens, four bytes each, the model sees the start and the end; all of it lies in a file.',
    versions: SEEN,
    answer: 'It is sent whole and reported as degraded.',
    fixture: 'reports context that is too long to be shown whole',
  },
  {
    id: 'denied-compaction-ends-the-turn',
    behaviour: 'A compaction can only be stopped together with the turn; headless Codex then ends with exit 1.',
    versions: SEEN,
    answer: 'The deny is passed on and reported as degraded; the trigger is in the payload for a hook to look at.',
    fixture: 'recorded/0.166.0/compact/05-PreCompact.json',
  },
  {
    id: 'session-end-is-cut',
    behaviour: 'SessionEnd hooks get 3 s at most; a longer time is cut, with a warning at each start. Nothing that they say is read.',
    versions: SEEN,
    answer: 'Registered with 3 s.',
    fixture: 'gives the end of a session the three seconds that Codex gives it',
  },
  {
    id: 'runs-in-both-levels',
    behaviour: 'The same command in the user and in the project configuration runs twice.',
    versions: SEEN,
    answer: '`init` never installs one agent at two levels.',
    fixture: 'turns the lines of the other scope into its own',
  },
  {
    id: 'model-events-per-request',
    behaviour: 'PreModelRequest and PostModelRequest are accepted for each request to the model; no schema of theirs ships.',
    versions: '0.166.0 (program text)',
    answer: 'Not registered unless a hook needs them.',
    fixture: 'documented/PreModelRequest.json',
  },
  {
    id: 'usage-is-said-again',
    behaviour: 'The tokens of one request stand on several lines of a rollout, and once more after a compaction.',
    versions: SEEN,
    answer: 'A count is known by the sum so far, and read once.',
    fixture: 'transcripts/compact.jsonl',
  },
];
