import type { JsonObject, TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { type Head, numberOf } from '../shared/json-lines.ts';

/** What a node of an exchange is. */
const [TEXT, TOOL_RESULT, TOOL_CALL, TOKENS] = [0, 1, 5, 10];

/** One JSON object that is written anew as a whole: always read from the start, entries known by their ids. */
export const transcript: TranscriptFormat = {
  name: 'auggie-json',
  // Subagents have none.
  locate: ({ sessionId }) => (sessionId === '' ? null : `.augment/sessions/${sessionId}.json`),
  read(text) {
    const { chatHistory } = parse(text);
    return { entries: listOf(chatHistory).flatMap(entriesOf), consumed: 0 };
  },
};

/** While it is being written it cannot be read: the next time it can. */
function parse(text: string): JsonObject {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** One request to the model and its answer. Only the first of a turn says what the person wrote. */
function entriesOf(step: JsonObject): TranscriptEntry[] {
  const exchange = fieldsOf(step.exchange);
  const head: Head = { at: textOf(step, 'finishedAt') ?? null, id: textOf(exchange, 'request_id') ?? null };
  // Named where one was chosen: else Augment's server does.
  const model = textOf(exchange, 'model_id') ?? null;
  const prompt = textOf(exchange, 'request_message');
  const results = listOf(exchange.request_nodes).filter(({ type }) => type === TOOL_RESULT);
  return [
    ...(prompt ? [{ ...head, kind: 'prompt', text: prompt } as const] : []),
    ...results.flatMap(({ tool_result_node: node }) => resultOf(head, fieldsOf(node))),
    ...listOf(exchange.response_nodes).flatMap((node) => answerOf(head, node, model)),
  ];
}

function resultOf(head: Head, node: JsonObject): TranscriptEntry[] {
  const useId = textOf(node, 'tool_use_id');
  return useId === undefined ? [] : [{ ...head, kind: 'tool-result', useId, failed: node.is_error === true }];
}

function answerOf(head: Head, node: JsonObject, model: string | null): TranscriptEntry[] {
  if (node.type === TEXT) {
    const text = textOf(node, 'content');
    return text ? [{ ...head, kind: 'answer', text, model }] : [];
  }
  if (node.type === TOOL_CALL) {
    const call = fieldsOf(node.tool_use);
    const [name, useId] = [textOf(call, 'tool_name'), textOf(call, 'tool_use_id')];
    return name === undefined || useId === undefined
      ? []
      : [{ ...head, kind: 'tool-call', name, useId, input: parse(textOf(call, 'input_json') ?? '') }];
  }
  return node.type === TOKENS && isObject(node.token_usage) ? [usageOf(head, model, node.token_usage)] : [];
}

const usageOf = (head: Head, model: string | null, used: JsonObject): TranscriptEntry => ({
  ...head,
  kind: 'usage',
  model,
  input: numberOf(used, 'input_tokens'),
  output: numberOf(used, 'output_tokens'),
  reasoning: 0,
  cacheRead: numberOf(used, 'cache_read_input_tokens'),
  cacheWrite: numberOf(used, 'cache_creation_input_tokens'),
  cacheWrite1h: 0,
});
