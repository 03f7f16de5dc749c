import { type CanonicalEvent, isToolEvent, type JsonObject, type NativeContext, type Tool, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { canonicalEvent } from '../shared/canonical-event.ts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { blockTexts, claudeResponse, commandFailure } from '../shared/portable/claude-response.ts';
import { inClaudeWords, type Words } from '../shared/portable/claude-words.ts';
import { firstText, readHead, readPrompt } from '../shared/portable-payload.ts';
import { canonicalName, type Unreported } from './events.ts';
import { decodeTool } from './tools.ts';

const WORDS: Words = {
  reason: { exit: 'prompt_input_exit' },
  notification_type: { 'task.completed': 'agent_completed', 'task.failed': 'agent_completed' },
};

/** What Claude Code has another word for. */
const PORTABLE: Readonly<Record<string, string>> = {
  tool_call_id: 'tool_use_id',
  tool_output: 'tool_response',
  agent_name: 'agent_type',
  response: 'last_assistant_message',
  error_message: 'error_details',
  error_type: 'error',
};

const SOURCE_FIELDS: AgentTable<string, Unreported | ToolEvent | 'user_prompt_submit' | 'subagent_start' | 'subagent_stop' | 'stop'> = {
  session_start: 'source',
  session_end: 'reason',
  pre_compact: 'trigger',
  post_compact: 'trigger',
  stop_failure: 'error',
  notification: 'notification_type',
};

const TEXT_FIELDS: AgentTable<
  readonly string[],
  | Unreported
  | ToolEvent
  | 'session_start'
  | 'session_end'
  | 'user_prompt_submit'
  | 'pre_compact'
  | 'post_compact'
  | 'subagent_start'
  | 'stop'
> = {
  subagent_stop: ['last_assistant_message'],
  stop_failure: ['error_details', 'error'],
  notification: ['title', 'body', 'description'],
};

function named(payload: unknown): unknown {
  if (!isObject(payload)) return payload;
  return Object.fromEntries(
    Object.entries(payload).map(([key, value]) => [Object.hasOwn(PORTABLE, key) ? (PORTABLE[key] as string) : key, value]),
  );
}

/** Claude Code's words, but for the names of some fields and the shapes of a prompt and of a result. */
function decodeFields(payload: unknown, context: NativeContext): CanonicalEvent {
  const said = readHead(named(payload), context);
  const { nativeEvent, sessionId, cwd, problems } = said;
  const event = canonicalName(nativeEvent);
  // A prompt comes in parts, of which some are pictures.
  const fields =
    event === 'user_prompt_submit' && Array.isArray(said.fields.prompt)
      ? { ...said.fields, prompt: blockTexts(said.fields.prompt) }
      : said.fields;
  const tool = isToolEvent(event) ? decodeTool(fields, problems) : undefined;
  const failure = event === 'post_tool_use_failure' ? failureOf(tool, fields.error) : undefined;
  const response = textOf(fields, 'tool_response');
  const portable: JsonObject = {
    ...fields,
    ...(tool && { tool_name: tool.name, tool_input: tool.input }),
    ...(tool && response !== undefined && { tool_response: portableResponse(tool, response) }),
    ...(failure !== undefined && { error: failure }),
  };
  return canonicalEvent(
    { event, agent: 'kimi', nativeEvent, sessionId, cwd, portable, raw: payload },
    {
      tool,
      prompt: readPrompt({ ...said, fields }, event),
      source: textOf(fields, SOURCE_FIELDS[event] ?? ''),
      task: event === 'subagent_start' ? textOf(fields, 'prompt') : undefined,
      text: failure ?? firstText(fields, TEXT_FIELDS[event]),
      model: textOf(fields, 'model'),
    },
    problems,
  );
}

/** The number of a line and a tab stand before each line that was read. */
const LINE_NUMBERS = /^ *\d+\t/gm;

const portableResponse = (tool: Tool, text: string): unknown =>
  claudeResponse(tool, { text: tool.kind === 'read' ? text.replace(LINE_NUMBERS, '') : text });

/** The last line of what a command said says how it ended. */
const ENDED = /\n?Command failed with exit code: (-?\d+)\.\s*$/;

function failureOf(tool: Tool | undefined, error: unknown): string | undefined {
  const message = textOf(fieldsOf(error), 'message') ?? (typeof error === 'string' ? error : undefined);
  if (message === undefined || tool?.kind !== 'shell') return message;
  const [, code] = ENDED.exec(message) ?? [];
  return code === undefined ? message : commandFailure(code, message.replace(ENDED, ''));
}

export const decode = inClaudeWords(WORDS, decodeFields);
