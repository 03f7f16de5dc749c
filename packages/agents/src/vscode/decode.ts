import { type CanonicalEvent, isToolEvent, type JsonObject, type NativeContext, type Tool, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { canonicalEvent, nativeEventOf } from '../shared/canonical-event.ts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { claudeResponse } from '../shared/portable/claude-response.ts';
import { inClaudeWords, type Words } from '../shared/portable/claude-words.ts';
import { canonicalName, nativeEventName, type Unreported } from './events.ts';
import { decodeTool } from './tools.ts';

const WORDS: Words = { source: { new: 'startup' } };

const SOURCE_FIELDS: AgentTable<string, Unreported | ToolEvent | 'user_prompt_submit' | 'subagent_start' | 'subagent_stop' | 'stop'> = {
  session_start: 'source',
  pre_compact: 'trigger',
};

/** In the names of Claude Code, but for the tools. */
function decodeFields(payload: unknown, context: NativeContext): CanonicalEvent {
  const problems: string[] = [];
  const fields: JsonObject = isObject(payload) ? payload : {};
  if (!isObject(payload)) problems.push(`the payload is ${payload === null ? 'not JSON' : 'no JSON object'}`);

  const nativeEvent = nativeEventOf(fields, { ...context, nativeEvent: nativeEventName(context.nativeEvent) }, problems);
  const event = canonicalName(nativeEvent);
  const cwd = textOf(fields, 'cwd') ?? context.cwd;
  const tool = isToolEvent(event) ? decodeTool(fields, cwd, problems) : undefined;
  const sessionId = textOf(fields, 'session_id');
  if (sessionId === undefined && isObject(payload)) problems.push('no session_id');
  const prompt = event === 'user_prompt_submit' ? fields.prompt : undefined;
  if (event === 'user_prompt_submit' && typeof prompt !== 'string') problems.push('no prompt');

  const portable: JsonObject = {
    ...fields,
    ...(tool && { tool_name: tool.name, tool_input: tool.input }),
    ...(tool && 'tool_response' in fields && { tool_response: portableResponse(tool, fields.tool_response) }),
  };
  return canonicalEvent(
    { event, agent: 'vscode', nativeEvent, sessionId: sessionId ?? '', cwd, portable, raw: payload },
    {
      tool,
      prompt: typeof prompt === 'string' ? prompt : undefined,
      source: textOf(fields, SOURCE_FIELDS[event] ?? ''),
      agentId: textOf(fields, 'agent_id'),
      transcriptPath: textOf(fields, 'transcript_path'),
    },
    problems,
  );
}

/** The response is a text: success and failure look the same. */
function portableResponse(tool: Tool, response: unknown): unknown {
  return typeof response === 'string' ? claudeResponse(tool, { text: response }) : response;
}

export const decode = inClaudeWords(WORDS, decodeFields);
