import type { Quirk } from '@piton/contracts';

const SEEN = 'seen in 0.87.1';

export const QUIRKS: readonly Quirk[] = [
  {
    id: 'throw-in-tool-call-is-a-deny',
    behaviour: 'An error in a tool_call handler stops the tool; elsewhere errors are reported and ignored.',
    versions: SEEN,
    answer: 'The extension lets no error out: it denies by `block`, and only when it was told to.',
    fixture: 'denies by a reason and by nothing else',
  },
  {
    id: 'blocked-tool-has-no-result',
    behaviour: 'A tool that was blocked has no tool_result.',
    versions: SEEN,
    answer: 'Piton derives permission_denied and post_tool_use_failure from its own deny.',
    fixture: 'documented/tool_call.json',
  },
  {
    id: 'context-before-the-run-only',
    behaviour: 'session_start and input take no context; before_agent_start does.',
    versions: SEEN,
    answer: 'Context of both is held until before_agent_start, a moment later, and given as a message that is not shown.',
    fixture: 'documented/input.json',
  },
  {
    id: 'project-extensions-need-trust',
    behaviour: 'Extensions of a project load only where pi trusts it; without a terminal they are skipped in silence.',
    versions: SEEN,
    answer: 'status and doctor read trust.json and say so; init may write it, after a yes.',
    fixture: 'says that pi does not trust the project',
  },
  {
    id: 'settled-run-can-go-on',
    behaviour: 'agent_before_settle can add a message and ask for one more request; older versions end first. It has no cap.',
    versions: SEEN,
    answer: '`continue` goes there, counted by Piton: at most eight in a row.',
    fixture: 'documented/agent_before_settle.json',
  },
  {
    id: 'several-edits-in-one-call',
    behaviour: 'edit takes a list of replacements in one file.',
    versions: SEEN,
    answer: 'One is an Edit, several are a MultiEdit; a changed input is turned back.',
    fixture: 'turns a changed edit back into its own form',
  },
];
