import type { Quirk } from '@piton/contracts';

const SEEN = 'seen in 0.24.4';

/** `fixture` is a file under `fixtures/` or the name of a test; the conformance suite checks that it exists. */
export const QUIRKS: readonly Quirk[] = [
  {
    id: 'empty-prompts',
    behaviour: 'UserPromptSubmit fires before every request to the model, after a tool with an empty prompt.',
    versions: SEEN,
    answer: 'An empty one is recorded as `other`: no hook for prompts runs, no turn begins.',
    fixture: 'takes the empty prompt after a tool for none',
  },
  {
    id: 'new-input-is-dropped',
    behaviour: '`updatedInput` before a tool is documented and has no effect; in PermissionRequest it has.',
    versions: SEEN,
    answer: '`modify` is reported as not delivered before a tool, and written in the names of the tool at a permission request.',
    fixture: 'writes a new input only where it is taken, in the names of the tool itself',
  },
  {
    id: 'allow-comes-too-late',
    behaviour: 'PreToolUse runs after the approval: `allow` there skips nothing, and cancels the deny of a hook before it.',
    versions: '0.24.4 (program text)',
    answer: '`allow` is never said before a tool, and reported as not delivered.',
    fixture: 'grants nothing before a tool',
  },
  {
    id: 'deny-can-be-cancelled',
    behaviour: 'Of several hooks the last `permissionDecision` counts; only `continue: false` holds whatever others say.',
    versions: '0.24.4 (program text)',
    answer: 'A deny says both. Before a tool `continue: false` refuses the call and the run goes on.',
    fixture: 'denies so that no other hook can take it back',
  },
  {
    id: 'no-context-before-a-tool',
    behaviour: '`additionalContext` before a tool does not reach the model.',
    versions: SEEN,
    answer: 'Reported as not delivered; the doors that work are session start, prompt and the end of a tool.',
    fixture: 'says so when context finds no door',
  },
  {
    id: 'no-context-for-a-subagent',
    behaviour: '`additionalContext` at SubagentStart is documented and does not reach the model of the subagent.',
    versions: SEEN,
    answer: 'Reported as not delivered.',
    fixture: 'says so when context finds no door',
  },
  {
    id: 'start-after-a-compaction-is-deaf',
    behaviour: 'SessionStart fires after a compaction (`source: "compact"`), and its context does not reach the model.',
    versions: SEEN,
    answer:
      'It is kept for the end of the next tool, or the next prompt. Nothing that a hook says is in the first request after a compaction: no hook runs between the two.',
    fixture: 'keeps context of the start after a compaction for the next prompt',
  },
  {
    id: 'block-after-a-tool-has-no-effect',
    behaviour:
      'After a tool `decision: "block"` does nothing; `continue: false` replaces the result by its reason, and the person is told that the tool was not run.',
    versions: SEEN,
    answer: 'What a deny has to say is added after the result; a rewrite takes its place.',
    fixture: 'adds what a deny says after the result and replaces the result by a rewrite',
  },
  {
    id: 'continue-false-goes-on',
    behaviour: 'At Stop and SubagentStop `continue: false` makes the agent go on.',
    versions: '0.24.4 (program text)',
    answer: 'Never said there: to end the run is to say nothing.',
    fixture: 'never says continue: false at a stop',
  },
  {
    id: 'todos-said-four-times',
    behaviour:
      'TodoCreated and TodoCompleted fire twice for one change, told apart by `phase`, beside PreToolUse and PostToolUse of todo_write.',
    versions: SEEN,
    answer: 'todo_update comes from PostToolUse; the two stay `other` and are not registered, so that one change is one event.',
    fixture: 'recorded/0.24.4/session/33-TodoCreated.json',
  },
  {
    id: 'costly-events',
    behaviour: 'MessageDisplay fires while text streams to the screen, PostToolBatch after each round of tools: a process each.',
    versions: SEEN,
    answer: 'Not registered unless a hook needs them.',
    fixture: 'recorded/0.24.4/session/10-PostToolBatch.json',
  },
  {
    id: 'no-session-end-headless',
    behaviour: 'SessionEnd does not fire in a headless run. On a terminal it does.',
    versions: SEEN,
    answer: 'Nothing depends on it.',
    fixture: 'recorded/0.24.4/session/61-Stop.json',
  },
  {
    id: 'timeout-of-two-units',
    behaviour: 'A timeout below 1000 counts seconds, from there on milliseconds; 0.22 counted milliseconds always.',
    versions: '0.24.4 (program text)',
    answer: 'Milliseconds are written, never below 1000.',
    fixture: 'counts its time in a way that every version reads alike',
  },
  {
    id: 'settings-are-written-anew',
    behaviour: 'A run writes the settings file anew, adds `$version`, and drops comments.',
    versions: SEEN,
    answer: 'Ours are found by what they run, and taken out alone.',
    fixture: 'takes ours out of a file that Qwen Code has written anew, and leaves the rest',
  },
  {
    id: 'tools-of-a-subagent-have-its-id',
    behaviour: 'The events of a subagent come with its `agent_id` and the session of the main agent.',
    versions: SEEN,
    answer: 'Decoded as `agentId`.',
    fixture: 'recorded/0.24.4/session/53-PreToolUse.json',
  },
];
