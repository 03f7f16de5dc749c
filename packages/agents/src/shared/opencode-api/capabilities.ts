import type { CapabilityTable } from '@piton/contracts';
import { capabilityTable, degraded, later, now } from '../agent-table.ts';
import type { Unreported } from './events.ts';

const ASKED = degraded('a deny: a plugin cannot put a question to the person');
const PRE_TOOL = {
  deny: now,
  ask: ASKED,
  modify: now,
  replace: degraded('a text beside the result of the tool, once it has run'),
} as const;
const POST_TOOL = {
  deny: degraded('feedback that the model reads beside the result; the tool has already run'),
  rewrite: now,
  replace: now,
} as const;

/** Where nothing that is answered has an effect. */
type Unanswered = Unreported | 'session_end' | 'permission_request' | 'permission_denied' | 'subagent_stop' | 'stop_failure';

/** What an agent with OpenCode's plugins does with the answers of ours. The rest is `none`. */
export const capabilitiesOf = (title: string, command: string): CapabilityTable =>
  capabilityTable<Unanswered, 'allow'>()({
    session_start: { replace: now },
    user_prompt_submit: { deny: now, ask: ASKED, replace: now },
    pre_tool_use: PRE_TOOL,
    pre_shell_execution: PRE_TOOL,
    pre_mcp_execution: PRE_TOOL,
    pre_read_file: PRE_TOOL,
    pre_file_edit: PRE_TOOL,
    post_tool_use: POST_TOOL,
    // Most failures come by the event bus, where nothing can be answered; a command that ended with an error is answered at once.
    post_tool_use_failure: { replace: later },
    post_shell_execution: POST_TOOL,
    post_mcp_execution: POST_TOOL,
    post_file_edit: POST_TOOL,
    todo_update: POST_TOOL,
    subagent_start: { replace: now },
    // A prompt of ours at idle; nobody is there to take it once a headless run has ended.
    stop: { continue: degraded(`a new prompt, where ${title} stays open: \`${command} run\` ends first`) },
    pre_compact: { replace: now },
    post_compact: { replace: later },
  });
