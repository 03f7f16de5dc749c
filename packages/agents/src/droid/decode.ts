import { type CanonicalEvent, isToolEvent, type JsonObject, type NativeContext, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { canonicalEvent } from '../shared/canonical-event.ts';
import { textOf } from '../shared/json-fields.ts';
import { inClaudeWords, type Words } from '../shared/portable/claude-words.ts';
import { firstText, readHead, readPrompt } from '../shared/portable-payload.ts';
import { canonicalName, type Unreported } from './events.ts';
import { portableResponse } from './tool-result.ts';
import { decodeTool } from './tools.ts';

const WORDS: Words = {
  // `auto-low` edits files and reads, `auto-high` asks for nothing.
  permission_mode: { off: 'default', spec: 'plan', 'auto-low': 'acceptEdits', 'auto-medium': 'auto', 'auto-high': 'bypassPermissions' },
};

/** The field that says why, by event. */
const SOURCE_FIELDS: AgentTable<string, Unreported | ToolEvent | 'user_prompt_submit' | 'subagent_stop' | 'stop'> = {
  session_start: 'source',
  session_end: 'reason',
  pre_compact: 'trigger',
  notification: 'notification_type',
};

/** The fields that hold the text of an event; the first one that is there counts. */
const TEXT_FIELDS: AgentTable<
  readonly string[],
  Unreported | ToolEvent | 'session_start' | 'session_end' | 'user_prompt_submit' | 'stop' | 'pre_compact'
> = {
  subagent_stop: ['task_result', 'task_error'],
  notification: ['message'],
};

/** Droid's payload has the portable names; its tools and their fields are called otherwise, and its calls have no id. */
function decodeFields(payload: unknown, context: NativeContext): CanonicalEvent {
  const head = readHead(payload, context);
  const { fields, nativeEvent, sessionId, cwd, problems } = head;
  const event = canonicalName(nativeEvent);
  const tool = isToolEvent(event) ? decodeTool(fields, cwd, problems) : undefined;
  const portable: JsonObject = {
    ...fields,
    ...(tool && { tool_name: tool.name, tool_input: tool.input }),
    ...(event === 'subagent_stop' && textOf(fields, 'task_result') && { last_assistant_message: fields.task_result }),
    ...(tool && 'tool_response' in fields && { tool_response: portableResponse(tool, fields.tool_response) }),
  };
  return canonicalEvent(
    { event, agent: 'droid', nativeEvent, sessionId, cwd, portable, raw: payload },
    {
      tool,
      prompt: readPrompt(head, event),
      source: textOf(fields, SOURCE_FIELDS[event] ?? ''),
      parentSessionId: textOf(fields, 'calling_session_id'),
      task: event === 'subagent_stop' ? textOf(fields, 'task_name') : undefined,
      transcriptPath: textOf(fields, 'transcript_path'),
      text: firstText(fields, TEXT_FIELDS[event]),
    },
    problems,
  );
}

export const decode = inClaudeWords(WORDS, decodeFields);
