import type { Quirk } from '@piton/contracts';

const SEEN = 'seen in 18.2.3';

export const QUIRKS: readonly Quirk[] = [
  {
    id: 'thirty-seconds-a-handler',
    behaviour:
      'A handler has 30 seconds, and 2 at the end of a session. One that takes longer in tool_call, or fails there, stops the tool; elsewhere it is left.',
    versions: SEEN,
    answer: 'Hooks get 25 seconds, and 1.5 at the end; no error leaves the extension.',
    fixture: 'waits no longer than oh-my-pi does',
  },
  {
    id: 'no-input-event-headless',
    behaviour:
      'The event `input` fires on a terminal only. before_agent_start fires everywhere: also for what an extension says at a stop, and in subagents.',
    versions: SEEN,
    answer:
      'Prompts come from before_agent_start. What we said ourselves, and the task of a subagent, are none. A deny aborts the turn before its first request.',
    fixture: 'takes what it said itself for no prompt',
  },
  {
    id: 'tools-behind-write',
    behaviour:
      'Tools that are not listed, those of MCP servers too, are called by a write to xd://<tool>. The call comes twice: as the write, and as itself.',
    versions: SEEN,
    answer: 'The write is passed over, the call itself is not.',
    fixture: 'passes over the envelope of a call',
  },
  {
    id: 'mcp-names-with-one-underscore',
    behaviour: 'A tool of an MCP server is called mcp__server_tool: where the server ends is not said.',
    versions: SEEN,
    answer:
      'It ends at the first underscore: mcp__server__tool, as in Claude Code. A server with an underscore in its name is parted too early.',
    fixture: 'documented/tool_call.mcp.json',
  },
  {
    id: 'paths-with-more-in-them',
    behaviour: 'A path may have `:10-20` behind it, `@` or `:` before it, be a file:// URL, or name no file at all (local://, ssh://).',
    versions: SEEN,
    answer: 'What hooks read is the file that is meant; what is no file of this machine has none.',
    fixture: 'names the file that a path means: %s',
  },
  {
    id: 'patches-by-line-numbers',
    behaviour: 'By default, edits are patches whose headers name file and snapshot, several files in one call.',
    versions: SEEN,
    answer: 'Hooks are asked for each file. A changed input cannot be made a patch again, which the trace says.',
    fixture: 'asks for each file of a patch',
  },
  {
    id: 'subagents-are-sessions',
    behaviour:
      'A subagent is a session of its own in the same process, its file in a folder named after that of the session it works for. It is done when it has called yield; else it is reminded three times.',
    versions: SEEN,
    answer: 'Its events carry the session of the person and an agent_id. subagent_stop comes once, after yield, or when its session ends.',
    fixture: 'gives the events of a subagent to the session of the person',
  },
  {
    id: 'compaction-not-ahead-of-time',
    behaviour: 'It prepares a compaction in the background only where no extension listens to session_before_compact.',
    versions: 'read in 18.2.3',
    answer: 'The extension listens, so a compaction begins when it is needed.',
    fixture: 'documented/session_before_compact.json',
  },
];
