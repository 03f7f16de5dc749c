import type { PayloadShape } from '@piton/contracts';
import { wordsIn } from '../shared/json-fields.ts';

/** The fields of its payloads, as they were recorded or are documented: in its own spelling, and the common ones in Claude Code's too. */
export const shape: PayloadShape = {
  refusesByCode: true,
  head: ['workspaceRoot'],
  eventFields: ['hook_event_name', 'hookEventName'],
  fields: wordsIn(`
    backgroundTasks cancelTrigger cancelledBy cwd description durationMs duration_ms error errorDetails hookEventName hook_event_name
    isBackgrounded isInterrupt is_interrupt lastAssistantMessage level message notificationType permissionMode permission_mode phase
    prompt promptId reason reasonDetails sessionCrons sessionId session_id source stopHookActive subagentId subagentType timestamp
    toolInput toolInputTruncated toolName toolResult toolResultTruncated toolUseId tool_input tool_name tool_response tool_use_id
    transcriptPath transcript_path workspaceRoot
  `),
  transcript: /[\\/]sessions[\\/]%2F[^\\/]*[\\/][^\\/]+[\\/]updates\.jsonl$/,
};
