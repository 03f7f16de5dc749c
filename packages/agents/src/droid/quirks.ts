import type { Quirk } from '@piton/contracts';

const SEEN = 'seen in 0.215.0';
const READ = '0.215.0 (program text)';

/** `fixture` is a file under `fixtures/` or the name of a test; the conformance suite checks that it exists. */
export const QUIRKS: readonly Quirk[] = [
  {
    id: 'block-before-a-tool-is-ignored',
    behaviour: '`decision: "block"` before a tool has no effect, and the tool runs. The same at a prompt, and after a tool.',
    versions: SEEN,
    answer: 'Before a tool the nested permission decision is sent, at a prompt the end of it, after a tool context.',
    fixture: 'never says block but at a stop',
  },
  {
    id: 'ask-runs-the-tool',
    behaviour: '`permissionDecision: "ask"` has no effect, and the tool runs.',
    versions: SEEN,
    answer: 'A question becomes a deny, whether somebody is there or not.',
    fixture: 'never asks: a question is a deny',
  },
  {
    id: 'stderr-goes-to-the-model',
    behaviour: 'What a hook that exits 1 wrote to stderr is put before the result of the tool, for the model.',
    versions: SEEN,
    answer: 'Always exit 0 and a silent stderr.',
    fixture: 'exits 0 in silence, whatever was decided',
  },
  {
    id: 'modify-merges',
    behaviour: '`updatedInput` is laid over the old input, so a field can be changed and not taken away. Alone it grants nothing.',
    versions: SEEN,
    answer: 'The new input is sent whole, in the words of the tool, and without a grant.',
    fixture: 'is written in the words of the tool and grants nothing',
  },
  {
    id: 'context-before-a-tool-is-dropped',
    behaviour: '`additionalContext` before a tool does not reach the model.',
    versions: SEEN,
    answer: '`replace` is not delivered there, and the trace says so.',
    fixture: 'says so when context cannot be given',
  },
  {
    id: 'no-prompt-event-in-exec',
    behaviour: '`droid exec` fires no UserPromptSubmit for its prompt; the terminal program does, and a subagent does.',
    versions: SEEN,
    answer: 'The session starts its turn without it; context at session start reaches the model in both.',
    fixture: 'recorded/0.215.0/session/19-UserPromptSubmit.json',
  },
  {
    id: 'subagent-is-another-session',
    behaviour:
      'A subagent is another process with a session of its own. Only its SessionStart names the session that called it; its Stop is a Stop.',
    versions: SEEN,
    answer: 'Recorded as the session that it is, linked to the session that called it; SubagentStop comes in the session of the caller.',
    fixture: 'recorded/0.215.0/session/17-SessionStart.json',
  },
  {
    id: 'stop-before-the-subagent-is-done',
    behaviour: 'Tasks run in the background: the Stop of the caller may come before the SubagentStop, and another Stop after it.',
    versions: SEEN,
    answer: 'Nothing counts on the order.',
    fixture: 'recorded/0.215.0/session/25-SubagentStop.json',
  },
  {
    id: 'failed-tool-without-an-event',
    behaviour: 'After a tool that fails, a command that ends with an error included, no hook runs.',
    versions: SEEN,
    answer: 'Nothing is made up; a deny of our own yields the derived events, and the transcript knows which failed.',
    fixture: 'recorded/0.215.0/session/10-PreToolUse.json',
  },
  {
    id: 'no-tool-call-id',
    behaviour: 'No payload names the id of the call.',
    versions: SEEN,
    answer: 'Calls and results are paired by their order.',
    fixture: 'has no id',
  },
  {
    id: 'session-end-twice',
    behaviour: 'When the terminal program quits, SessionEnd fires twice.',
    versions: SEEN,
    answer: 'Ending a session that has ended changes nothing.',
    fixture: 'recorded/0.215.0/session/27-SessionEnd.json',
  },
  {
    id: 'stop-without-a-cap',
    behaviour: 'A refused stop goes on for ever.',
    versions: SEEN,
    answer: 'The engine counts and lets it stop after eight times.',
    fixture: 'recorded/0.215.0/session/20-Stop.json',
  },
  {
    id: 'hooks-file-hides-settings',
    behaviour: 'An event in hooks.json hides the same event in settings.json, without a word.',
    versions: SEEN,
    answer: 'We stand in settings.json, where we can hide nobody; `status` names the events that are hidden.',
    fixture: 'does not run where a hooks.json has the same event',
  },
  {
    id: 'session-start-is-not-waited-for',
    behaviour: 'Droid waits 30 s for the hooks at session start and then goes on without them.',
    versions: READ,
    answer: 'Registered with 30 s.',
    fixture: 'gives the start of a session the time that Droid waits for it',
  },
  {
    id: 'compaction-cannot-be-denied',
    behaviour: 'Only an exit code of 2 or 3 stops a compaction; in `droid exec` the event does not fire at all.',
    versions: READ,
    answer: 'A deny is not delivered; context is kept for the next session start, prompt or tool.',
    fixture: 'documented/PreCompact.json',
  },
  {
    id: 'runs-in-both-levels',
    behaviour: 'The same command in the user and in the project configuration runs twice.',
    versions: SEEN,
    answer: '`init` never installs one agent at two levels.',
    fixture: 'turns the lines of the other scope into its own',
  },
  {
    id: 'fields-as-variables',
    behaviour: 'Every scalar field of the payload is also a variable of the same name in the environment of the hook.',
    versions: SEEN,
    answer: 'None is read.',
    fixture: 'recorded/0.215.0/session/02-PreToolUse.json',
  },
];
