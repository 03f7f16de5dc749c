import type { Quirk } from '@piton/contracts';

const SEEN = 'seen in 3.0.65';

/** `fixture` is a file under `fixtures/` or the name of a test; the conformance suite checks that it exists. */
export const QUIRKS: readonly Quirk[] = [
  {
    id: 'deny-ends-the-run',
    behaviour: '`cancel` before a tool ends the whole run with exit 0, and the model never hears why.',
    versions: SEEN,
    answer:
      'A denied command, edit or read becomes a call that does nothing and fails, with the reason beside it: the run goes on. For other tools, and where a hook wants the run to end, it is cancelled.',
    fixture: 'lets a call that fails stand in for a denied one, and the model reads why',
  },
  {
    id: 'exit-codes-mean-nothing',
    behaviour: 'Exit 2 lets the tool run; an answer counts at any exit code.',
    versions: SEEN,
    answer: 'Every answer is JSON with exit 0.',
    fixture: 'are those of the golden file, for every decision on every event',
  },
  {
    id: 'context-with-tools-only',
    behaviour: 'Only what hooks print before and after a tool is read; the files of all other events run detached.',
    versions: SEEN,
    answer: 'Context at the start of a session is kept for the first tool call.',
    fixture: 'keeps context of the start for the first tool call',
  },
  {
    id: 'stop-cannot-go-on',
    behaviour: 'Nothing that a hook says at TaskComplete keeps the agent working.',
    versions: SEEN,
    answer: '`continue` is reported as not delivered.',
    fixture: 'recorded/3.0.65/session/22-TaskComplete.json',
  },
  {
    id: 'prompt-event-never-fires',
    behaviour: 'UserPromptSubmit did not fire for the prompt of a run, SessionShutdown only after an abort.',
    versions: SEEN,
    answer: 'Both are registered and nothing depends on them.',
    fixture: 'documented/UserPromptSubmit.json',
  },
  {
    id: 'a-file-that-is-never-run',
    behaviour: 'PreCompact is a name of a hook file that stands for no event.',
    versions: '3.0.65 (program text)',
    answer: 'Not registered.',
    fixture: 'is a program for each event that comes',
  },
  {
    id: 'two-shapes-in-one-payload',
    behaviour: 'A call stands in the payload twice: with its values (`tool_call`), and in the older shape with texts (`preToolUse`).',
    versions: SEEN,
    answer: 'The former is read, the latter where it is missing, as in the extension of the editor.',
    fixture: 'reads the older shape where the newer one is missing',
  },
  {
    id: 'success-that-is-none',
    behaviour: '`postToolUse.success` is true for a command that failed; only the entries of `tool_result.output` tell.',
    versions: SEEN,
    answer: 'Decoded as post_tool_use_failure.',
    fixture: 'recorded/3.0.65/session/11-PostToolUse.json',
  },
  {
    id: 'subagent-starts-like-a-task',
    behaviour: 'A subagent fires TaskStart and TaskComplete like the main agent, with `parent_agent_id`.',
    versions: SEEN,
    answer: 'Decoded as subagent_start and subagent_stop; the session is that of the main agent.',
    fixture: 'recorded/3.0.65/session/17-TaskStart.json',
  },
  {
    id: 'every-ending-runs',
    behaviour:
      'All files that are called after an event run one after the other, whatever their ending; contexts are joined, the last new input counts.',
    versions: SEEN,
    answer: 'Ours end with .sh and stand beside a file of the user without an ending.',
    fixture: 'is a program for each event that comes',
  },
  {
    id: 'daemon-stays',
    behaviour: 'A run leaves a daemon behind.',
    versions: SEEN,
    answer: 'Nothing of ours hangs on to it; the real runs end it with their namespace.',
    fixture: 'recorded/3.0.65/session/01-TaskStart.json',
  },
];
