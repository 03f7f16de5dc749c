import { type CanonicalEvent, isToolEvent, type JsonObject, type NativeContext, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { canonicalEvent } from '../shared/canonical-event.ts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { commandFailure } from '../shared/portable/claude-response.ts';
import { inClaudeWords, type Words } from '../shared/portable/claude-words.ts';
import { contentOf, portableResponse } from '../shared/portable/content-response.ts';
import { firstText, readHead, readPrompt } from '../shared/portable-payload.ts';
import { canonicalName } from './events.ts';
import { decodeTool } from './tools.ts';

const WORDS: Words = {
  permission_mode: { auto_edit: 'acceptEdits', 'auto-edit': 'acceptEdits', yolo: 'bypassPermissions' },
};

const SOURCE_FIELDS: AgentTable<string, ToolEvent | 'user_prompt_submit' | 'subagent_start' | 'subagent_stop' | 'stop'> = {
  session_start: 'source',
  session_end: 'reason',
  pre_compact: 'trigger',
  post_compact: 'trigger',
  stop_failure: 'error',
  notification: 'notification_type',
};
const TEXT_FIELDS: AgentTable<
  readonly string[],
  | 'session_start'
  | 'session_end'
  | 'user_prompt_submit'
  | 'pre_tool_use'
  | 'post_tool_use'
  | 'permission_request'
  | 'subagent_start'
  | 'pre_compact'
> = {
  stop: ['last_assistant_message'],
  subagent_stop: ['last_assistant_message'],
  stop_failure: ['last_assistant_message', 'error_details', 'error'],
  post_tool_use_failure: ['error'],
  permission_denied: ['reason'],
  post_compact: ['compact_summary'],
  notification: ['message'],
};

/** Nearly Claude Code's payload: the tools have names of their own, and so has what they answer. */
function decodeFields(payload: unknown, context: NativeContext): CanonicalEvent {
  const head = readHead(payload, context);
  const { fields, nativeEvent, sessionId, cwd, problems } = head;
  const event = isNoPrompt(fields, nativeEvent) ? 'other' : canonicalName(nativeEvent);
  const tool = isToolEvent(event) ? decodeTool(fields, problems) : undefined;
  const response = fields.tool_response;
  const error = tool?.kind === 'shell' ? commandError(fields) : undefined;
  const portable: JsonObject = {
    ...fields,
    ...(tool && { tool_name: tool.name, tool_input: tool.input }),
    ...(tool && isObject(response) && { tool_response: portableResponse(tool, response, contentOf(response), false) }),
    ...(error !== undefined && { error }),
  };
  return canonicalEvent(
    { event, agent: 'qwen', nativeEvent, sessionId, cwd, portable, raw: payload },
    {
      tool,
      prompt: readPrompt(head, event),
      source: textOf(fields, SOURCE_FIELDS[event] ?? ''),
      agentId: textOf(fields, 'agent_id'),
      transcriptPath: textOf(fields, 'transcript_path'),
      agentTranscriptPath: textOf(fields, 'agent_transcript_path'),
      text: error ?? firstText(fields, TEXT_FIELDS[event]),
      model: textOf(fields, 'model'),
    },
    problems,
  );
}

/** The report of a command, of which Claude Code gives the exit code and the output. */
function commandError(fields: JsonObject): string | undefined {
  const [, output, error = '', code] = REPORT.exec(textOf(fields, 'error') ?? '') ?? [];
  return code === undefined ? undefined : commandFailure(code, [output, error === '(none)' ? '' : error].filter(Boolean).join('\n'));
}

const REPORT = /^Command: [\s\S]*?\nOutput: ([\s\S]*?)\nError: ([\s\S]*?)\nExit Code: (-?\d+)(?:\n|$)/;

/** Qwen Code fires UserPromptSubmit before every request; after a tool nobody has said anything. */
const isNoPrompt = (fields: JsonObject, nativeEvent: string): boolean =>
  nativeEvent === 'UserPromptSubmit' && fields.prompt === '' && fields.submitted_prompt === undefined;

export const decode = inClaudeWords(WORDS, decodeFields);
