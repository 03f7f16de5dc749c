import type { Quirk } from '@piton/contracts';

/** What OpenCode and its fork Kilo share. `fixture` is a file under the agent's `fixtures/`; the suite of both shows the rest. */
export const quirksOf = (versions: string): readonly Quirk[] => [
  {
    id: 'failed-tool-has-no-after',
    behaviour: 'A tool that throws has no tool.execute.after: the failure is only a part with the status error on the event bus.',
    versions,
    answer: 'That part is told as post_tool_use_failure. Nothing can be answered there; context is kept for the next prompt.',
    fixture: 'documented/message.part.updated.json',
  },
  {
    id: 'failed-command-is-a-result',
    behaviour: 'A command that ends with an error is an ordinary result; only metadata.exit tells. An MCP tool says isError.',
    versions,
    answer: 'Both are post_tool_use_failure, and can still be answered like a result.',
    fixture: 'documented/tool.execute.after.json',
  },
  {
    id: 'subagent-is-another-session',
    behaviour: 'A subagent is a session of its own: session.created with a parentID, its own chat.message and its own session.idle.',
    versions,
    answer: 'The plugin keeps who belongs to whom. Its events count for the session of the person; its prompt is none of the person’s.',
    fixture: 'documented/session.created.child.json',
  },
  {
    id: 'mcp-tools-look-like-others',
    behaviour: 'An MCP tool is called server_tool, with nothing to tell it from a tool of another plugin.',
    versions,
    answer: 'The plugin reads the names of the servers from the configuration; without them the first underscore counts.',
    fixture: 'documented/tool.execute.before.mcp.json',
  },
  {
    id: 'event-bus-waits-for-nobody',
    behaviour: 'What a plugin does on an event of the bus (session.created, session.idle, …) is not waited for.',
    versions,
    answer: 'Context of a session start is held until the first prompt, which is waited for; dispose waits for what is under way.',
    fixture: 'documented/session.created.json',
  },
  {
    id: 'resumed-session-says-nothing',
    behaviour: 'Taking up an earlier session fires no event at all until its next prompt.',
    versions,
    answer: 'The plugin tells session.resumed, a name of ours, before the first prompt of a session that it does not know.',
    fixture: 'documented/session.resumed.json',
  },
  {
    id: 'no-session-end',
    behaviour: 'No event says that a session has ended; dispose is called, and waited for, when the process ends.',
    versions,
    answer: 'dispose ends every session that is open in this process.',
    fixture: 'documented/dispose.json',
  },
  {
    id: 'throw-is-a-deny',
    behaviour: 'Any error in tool.execute.before stops the tool; in chat.message it ends the prompt, and the reason is only in the log.',
    versions,
    answer: 'The plugin catches everything but the deny that it was told. A person reads the reason of a denied prompt by piton events.',
    fixture: 'documented/tool.execute.before.json',
  },
  {
    id: 'permission-ask-is-never-called',
    behaviour:
      'The handler permission.ask is in the types and never called; permission.asked comes by the bus, and `run` rejects by itself.',
    versions,
    answer: 'permission_request and permission_denied are told and cannot be answered. A rejection is told, a grant is not.',
    fixture: 'documented/permission.asked.json',
  },
  {
    id: 'summary-ends-like-an-answer',
    behaviour:
      'experimental.session.compacting takes instructions for the summary, which a model rewrites. The summary itself passes experimental.text.complete before it is stored, like any text.',
    versions,
    answer: 'Context before a compaction is added to the summary: it is in the first request after it, and in all that follow.',
    fixture: 'documented/experimental.session.compacting.json',
  },
  {
    id: 'titles-pass-the-hooks',
    behaviour: 'The title of a session is a request to the model that passes the transforms, but no chat.message.',
    versions,
    answer: 'Only chat.message is a prompt; the transforms are not used at all.',
    fixture: 'documented/chat.message.json',
  },
];
