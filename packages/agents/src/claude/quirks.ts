import type { Quirk } from '@piton/contracts';

const SEEN = 'seen in 2.1.325';

/** `fixture` is a file under `fixtures/` or the name of a test; the conformance suite checks that it exists. */
export const QUIRKS: readonly Quirk[] = [
  {
    id: 'compact-stdout-is-instructions',
    behaviour:
      'On PreCompact whatever a hook prints becomes part of the instructions for the summary, JSON included; PostCompact shows it to the person.',
    versions: SEEN,
    answer: 'Both get an empty answer, unless a compaction is denied. Context is kept for the next session start, prompt or tool.',
    fixture: 'says nothing at all where even {} would be read',
  },
  {
    id: 'denied-compaction-can-end-the-run',
    behaviour: 'Denying an automatic compaction with a full context ends the run with "Prompt is too long" and exit 1.',
    versions: SEEN,
    answer: 'The deny is passed on as asked; the trigger (`auto`, `manual`) is in the payload for a hook to look at.',
    fixture: 'recorded/2.1.325/compact/07-PreCompact.json',
  },
  {
    id: 'continue-false-is-no-deny',
    behaviour: '`continue: false` before a tool ends the run only after the tool has run.',
    versions: SEEN,
    answer: 'The end of the run always stands beside a deny; together they stop the tool and end the run.',
    fixture: 'puts the end of the run beside the deny, never alone',
  },
  {
    id: 'modify-grants-nothing',
    behaviour:
      '`updatedInput` without `permissionDecision` is honoured, and the permission check that follows looks at the new input. The documentation names it only together with allow or ask.',
    versions: SEEN,
    answer:
      '`modify` alone sends no permission decision, so that it never skips a question. At PermissionRequest a new input exists only inside a grant.',
    fixture: 'modifies without granting',
  },
  {
    id: 'output-of-another-shape-is-dropped',
    behaviour: '`updatedToolOutput` that has not the shape of the tool is dropped without a word (a text for Write was).',
    versions: SEEN,
    answer: 'A text is put where that tool keeps its text; where there is no such place it is reported as not delivered.',
    fixture: 'puts a text where the tool keeps its own',
  },
  {
    id: 'long-text-becomes-a-file',
    behaviour: 'Of additional context above 10,000 characters the model sees the start; the rest lies in a file.',
    versions: SEEN,
    answer: 'It is sent whole and reported as degraded.',
    fixture: 'reports context that is too long to be shown whole',
  },
  {
    id: 'context-at-stop-goes-on',
    behaviour: '`additionalContext` at Stop or SubagentStop makes the agent go on working, like a block.',
    versions: 'since 2.1.163 (documentation)',
    answer: '`replace` is not delivered there: only `continue` may keep an agent working, since it is counted.',
    fixture: 'never turns context at a stop into going on',
  },
  {
    id: 'session-end-shares-its-time',
    behaviour: 'All SessionEnd hooks together get 1.5 s, and the configuration counts in seconds.',
    versions: '2.1.325 (program text)',
    answer: 'The configured timeout is rounded up to 2; our own deadline, in the arguments, is 1500 ms.',
    fixture: 'writes whole seconds and keeps the exact deadline in the arguments',
  },
  {
    id: 'subagent-stop-without-start',
    behaviour: 'A compaction fires SubagentStop twice with an empty agent_type and no SubagentStart before.',
    versions: SEEN,
    answer: 'Decoded like any other; nothing counts on a start before a stop.',
    fixture: 'recorded/2.1.325/compact/08-SubagentStop.json',
  },
  {
    id: 'denied-tool-has-no-post-event',
    behaviour:
      'After a denied tool neither PostToolUse nor PostToolUseFailure fires, and PermissionDenied is for the classifier of auto mode alone.',
    versions: SEEN,
    answer: 'The server derives permission_denied and post_tool_use_failure from our own deny.',
    fixture: 'recorded/2.1.325/permission/06-PostToolBatch.json',
  },
  {
    id: 'permission-request-has-no-id',
    behaviour: 'PermissionRequest carries no tool_use_id.',
    versions: SEEN,
    answer: 'The tool is decoded without one.',
    fixture: 'recorded/2.1.325/permission/05-PermissionRequest.json',
  },
  {
    id: 'tasks-said-twice',
    behaviour: 'TaskCreated and TaskCompleted fire for the same change as PostToolUse of TaskCreate and TaskUpdate.',
    versions: SEEN,
    answer:
      'todo_update comes from PostToolUse, as it does for TodoWrite; the two stay `other` and are not registered, so that one change is one event.',
    fixture: 'recorded/2.1.325/session/24-TaskCreated.json',
  },
  {
    id: 'costly-events',
    behaviour: 'MessageDisplay fires while text streams to the screen, PostToolBatch after each round of tools: a process each.',
    versions: SEEN,
    answer: 'Not registered unless a hook needs them.',
    fixture: 'recorded/2.1.325/session/07-PostToolBatch.json',
  },
  {
    id: 'worktree-stdout-is-a-path',
    behaviour: 'A WorktreeCreate hook replaces the making of the worktree; the last line that it prints is taken as the path.',
    versions: '2.1.325 (program text)',
    answer: 'Never registered, and answered with silence.',
    fixture: 'documented/WorktreeCreate.json',
  },
  {
    id: 'model-switch-timeout-blocks',
    behaviour: 'A hook on PreModelSwitch that takes too long blocks the switch.',
    versions: '2.1.325 (program text)',
    answer: 'Not registered unless a hook needs it.',
    fixture: 'documented/PreModelSwitch.json',
  },
  {
    id: 'one-switch-for-all-hooks',
    behaviour:
      '`disableAllHooks` in the settings of a person in a project, of the project, or of the user switches every hook off without a word; the first of these that has it counts.',
    versions: SEEN,
    answer: '`init`, `status` and `doctor` say that it will not run, and where the switch stands.',
    fixture: 'takes the word of the settings that win',
  },
  {
    id: 'usage-on-every-line',
    behaviour: 'One message of the model stands on several transcript lines with the same id, each with its usage.',
    versions: SEEN,
    answer: 'Usage is keyed by the id of the message; the last one counts.',
    fixture: 'transcripts/session.jsonl',
  },
  {
    id: 'summary-in-the-name-of-the-user',
    behaviour: 'After a compaction the transcript holds the summary as a line of the user.',
    versions: SEEN,
    answer: 'It is no prompt.',
    fixture: 'transcripts/compact.jsonl',
  },
];
