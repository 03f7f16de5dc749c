import type { Quirk } from '@piton/contracts';

const SEEN = 'seen in 2.1.0';
const PROGRAM = '2.1.0 (program text)';

/** `fixture` is a file under `fixtures/` or the name of a test; the conformance suite checks that it exists. */
export const QUIRKS: readonly Quirk[] = [
  {
    id: 'hooks-of-the-user-alone',
    behaviour: 'Hooks stand in the configuration of the user, and in plugins. A repository has none.',
    versions: PROGRAM,
    answer: '`piton init --project` says so and names the command for the user.',
    fixture: 'stands in the file of the user alone, wherever a variable moved it',
  },
  {
    id: 'one-strange-key-and-no-hook-runs',
    behaviour: 'A table of a hook with an event or a key that it does not know voids the list of hooks.',
    versions: PROGRAM,
    answer: 'Only names that it knows are written, and four keys at most.',
    fixture: 'is a line for a shell in a table of three keys',
  },
  {
    id: 'a-deny-is-all-that-it-reads',
    behaviour:
      'Of an answer only a deny in `hookSpecificOutput` counts, and `message` at a prompt; before a tool, at a prompt and at a stop alike. A new input, a grant and a question have no effect.',
    versions: SEEN,
    answer: 'A refused stop is written as a deny. The rest is reported as not delivered.',
    fixture: 'recorded/2.1.0/refused-stop/04-Stop.json',
  },
  {
    id: 'prompt-reads-what-is-printed',
    behaviour: 'Whatever a hook prints at a prompt goes to the model as it stands, and is shown to the person.',
    versions: SEEN,
    answer: 'Context is written as `message`, and where there is none nothing is printed.',
    fixture: 'says context at a prompt, and nothing else anywhere',
  },
  {
    id: 'most-answers-are-not-waited-for',
    behaviour:
      'It waits for hooks at the start and end of a session, a prompt, a tool that begins, a stop, a compaction that begins and a subagent that begins.',
    versions: PROGRAM,
    answer: 'Context of a session start or a compaction is kept for the next prompt; at the end of a tool it is reported as not delivered.',
    fixture: 'keeps context for the next prompt where Kimi Code waits and does not read',
  },
  {
    id: 'observers-are-cut-off',
    behaviour:
      'What runs after a tool is ended with the turn: after the last tool of a headless run it has only as long as the answer takes.',
    versions: SEEN,
    answer: 'The event has been handed over by then, and its hooks run in the server.',
    fixture: 'recorded/2.1.0/session/35-Stop.json',
  },
  {
    id: 'one-refused-stop-a-turn',
    behaviour: 'After a refused stop it fires no other in that turn, and `stop_hook_active` is always false.',
    versions: SEEN,
    answer: 'Nothing counts on a second one.',
    fixture: 'recorded/2.1.0/refused-stop/04-Stop.json',
  },
  {
    id: 'stop-of-a-subagent-is-a-stop',
    behaviour: 'The end of a subagent fires Stop as well, before SubagentStop, with the session of the caller and nothing that tells it.',
    versions: SEEN,
    answer: 'Recorded as it comes: hooks on stops also run for a subagent.',
    fixture: 'recorded/2.1.0/session/33-Stop.json',
  },
  {
    id: 'no-session-end-headless',
    behaviour: 'SessionEnd does not fire in a headless run.',
    versions: SEEN,
    answer: 'Nothing depends on it.',
    fixture: 'recorded/2.1.0/session/35-Stop.json',
  },
  {
    id: 'results-are-cut',
    behaviour: 'Hooks get the first 2,000 characters of what a tool answered.',
    versions: PROGRAM,
    answer: 'Passed on as it comes; the transcript has the whole.',
    fixture: 'recorded/2.1.0/session/05-PostToolUse.json',
  },
  {
    id: 'denied-call-is-a-failed-one',
    behaviour: 'A call that a hook denied is reported as one that failed, with the reason.',
    versions: SEEN,
    answer: 'Hooks on failures run once for it.',
    fixture: 'recorded/2.1.0/denied/05-PostToolUseFailure.json',
  },
  {
    id: 'no-transcript-in-the-payload',
    behaviour: 'Payloads name no transcript.',
    versions: SEEN,
    answer: 'It is found by the directory and the session. Subagents have files of their own beside it, which are not read.',
    fixture: 'lies below a folder that is named after the directory',
  },
];
