import { type CanonicalEvent, isToolEvent, type JsonObject, type NativeContext } from '@piton/contracts';
import { canonicalEvent } from '../shared/canonical-event.ts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { inClaudeWords } from '../shared/portable/claude-words.ts';
import { readHead, readPrompt } from '../shared/portable-payload.ts';
import { canonicalName } from './events.ts';
import { failureOf, portableResponse } from './tool-result.ts';
import { decodeTool } from './tools.ts';

/** What Claude Code has another word for. */
const PORTABLE: Readonly<Record<string, string>> = { conversation_id: 'session_id', user_prompt: 'prompt' };

/** Its own forms of what is said in Claude Code's: they stay in the raw payload. */
const REPLACED: ReadonlySet<string> = new Set(['tool_output', 'tool_error', '_exchange']);

function named(payload: unknown): unknown {
  if (!isObject(payload)) return payload;
  const [root] = Array.isArray(payload.workspace_roots) ? payload.workspace_roots : [];
  return {
    ...Object.fromEntries(
      Object.entries(payload).flatMap(([key, value]) =>
        REPLACED.has(key) ? [] : [[Object.hasOwn(PORTABLE, key) ? (PORTABLE[key] as string) : key, value]],
      ),
    ),
    ...(typeof root === 'string' && root !== '' && { cwd: root }),
  };
}

/** Claude Code's words, but for the names of some fields; the end of a tool that failed is told as any other. */
function decodeFields(payload: unknown, context: NativeContext): CanonicalEvent {
  const head = readHead(named(payload), context);
  const { fields, nativeEvent, sessionId, cwd, problems } = head;
  const raw: JsonObject = isObject(payload) ? payload : {};
  const called = canonicalName(nativeEvent);
  const tool = isToolEvent(called) ? decodeTool(fields, cwd, problems) : undefined;
  const error = called === 'post_tool_use' ? textOf(raw, 'tool_error') : undefined;
  const failure = error === undefined ? undefined : failureOf(tool, error);
  const event = failure === undefined ? called : 'post_tool_use_failure';
  // Before a tool the field is there as well, and says `[undefined]`.
  const output = event === 'post_tool_use' ? textOf(raw, 'tool_output') : undefined;
  const exchange = event === 'stop' ? fieldsOf(fieldsOf(raw._exchange).exchange) : {};
  const answer = textOf(exchange, 'response_text');
  return canonicalEvent(
    {
      event,
      agent: 'auggie',
      nativeEvent,
      sessionId,
      cwd,
      portable: {
        ...fields,
        ...(tool && { tool_name: tool.name, tool_input: tool.input }),
        ...(tool && output !== undefined && { tool_response: portableResponse(tool, output) }),
        ...(failure !== undefined && { error: failure }),
        ...(answer !== undefined && { last_assistant_message: answer }),
      },
      raw: payload,
    },
    { tool, prompt: readPrompt(head, event), text: failure ?? answer, model: textOf(exchange, 'model_id') },
    problems,
  );
}

export const decode = inClaudeWords({}, decodeFields);
