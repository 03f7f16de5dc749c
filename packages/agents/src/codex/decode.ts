import { type CanonicalEvent, isToolEvent, type JsonObject, type NativeContext, type ToolEvent } from '@piton/contracts';
import type { AgentTable } from '../shared/agent-table.ts';
import { canonicalEvent } from '../shared/canonical-event.ts';
import { textOf } from '../shared/json-fields.ts';
import { inClaudeWords, type Words } from '../shared/portable/claude-words.ts';
import { readHead, readPrompt } from '../shared/portable-payload.ts';
import { canonicalName, type Unreported } from './events.ts';
import { portableResponse } from './tool-result.ts';
import { decodeTool } from './tools.ts';

const WORDS: Words = {};

/** The field that says why, by event. */
const SOURCE_FIELDS: AgentTable<string, Unreported | ToolEvent | 'user_prompt_submit' | 'subagent_start' | 'subagent_stop' | 'stop'> = {
  session_start: 'source',
  session_end: 'reason',
  pre_compact: 'trigger',
  post_compact: 'trigger',
};

/** Codex's payload has the portable names; only its tools are called otherwise. */
function decodeFields(payload: unknown, context: NativeContext): CanonicalEvent {
  const head = readHead(payload, context);
  const { fields, nativeEvent, sessionId, cwd, problems } = head;
  const named = canonicalName(nativeEvent);
  // A subagent's task is no prompt of the person's.
  const event = named === 'user_prompt_submit' && textOf(fields, 'agent_id') !== undefined ? 'other' : named;
  const tool = isToolEvent(event) ? decodeTool(fields, cwd, problems) : undefined;
  const portable: JsonObject = {
    ...fields,
    ...(tool && { tool_name: tool.name, tool_input: tool.input }),
    ...(tool && 'tool_response' in fields && { tool_response: portableResponse(tool, fields.tool_response) }),
  };
  return canonicalEvent(
    { event, agent: 'codex', nativeEvent, sessionId, cwd, portable, raw: payload },
    {
      tool,
      prompt: readPrompt(head, event),
      source: textOf(fields, SOURCE_FIELDS[event] ?? ''),
      agentId: textOf(fields, 'agent_id'),
      transcriptPath: textOf(fields, 'transcript_path'),
      agentTranscriptPath: textOf(fields, 'agent_transcript_path'),
      text: event === 'stop' || event === 'subagent_stop' ? textOf(fields, 'last_assistant_message') : undefined,
      model: textOf(fields, 'model'),
    },
    problems,
  );
}

export const decode = inClaudeWords(WORDS, decodeFields);
