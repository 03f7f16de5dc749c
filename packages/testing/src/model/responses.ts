import { fieldsOf, type Json, listOf, textOf, textsOf } from './json.ts';
import { modelList } from './model-list.ts';
import type { Protocol, StreamItem } from './protocol.ts';
import { type ModelTurn, piecesOf, promptTokensOf, tokensOf } from './script.ts';

function itemsOf(turn: ModelTurn, id: string): Json[] {
  const items: Json[] = [];
  if (turn.text) {
    const content = [{ type: 'output_text', text: turn.text, annotations: [] }];
    items.push({ type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content });
  }
  for (const [i, call] of (turn.calls ?? []).entries()) {
    const named = {
      id: `fc_${id}_${i}`,
      call_id: `call_${id}_${i}`,
      name: call.name,
      status: 'completed',
      ...(call.namespace && { namespace: call.namespace }),
    };
    items.push(
      call.freeform === undefined
        ? { type: 'function_call', ...named, arguments: JSON.stringify(call.input ?? {}) }
        : { type: 'custom_tool_call', ...named, input: call.freeform },
    );
  }
  return items;
}

/** The stream events of an output item between its `added` and its `done`. */
function detailsOf(item: Json, turn: ModelTurn, output_index: number): [string, Json][] {
  const at = { item_id: item.id, output_index };
  if (item.type === 'function_call') {
    return [
      ['response.function_call_arguments.delta', { ...at, delta: item.arguments }],
      ['response.function_call_arguments.done', { ...at, arguments: item.arguments }],
    ];
  }
  if (item.type === 'custom_tool_call') {
    return [
      ['response.custom_tool_call_input.delta', { ...at, delta: item.input }],
      ['response.custom_tool_call_input.done', { ...at, input: item.input }],
    ];
  }
  const part = { ...at, content_index: 0 };
  return [
    ['response.content_part.added', { ...part, part: { type: 'output_text', text: '', annotations: [] } }],
    ...piecesOf(turn).map((delta): [string, Json] => ['response.output_text.delta', { ...part, delta }]),
    ['response.output_text.done', { ...part, text: turn.text }],
    ['response.content_part.done', { ...part, part: listOf(item.content)[0] }],
  ];
}

const begun = (item: Json): Json => {
  const cleared = item.type === 'message' ? { content: [] } : item.type === 'function_call' ? { arguments: '' } : { input: '' };
  return { ...item, status: 'in_progress', ...cleared };
};

function usageOf(turn: ModelTurn): Json {
  const { output, reasoning, cacheRead } = tokensOf(turn);
  return {
    input_tokens: promptTokensOf(turn),
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output + reasoning,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: promptTokensOf(turn) + output + reasoning,
  };
}

/** OpenAI Responses. */
export const responses: Protocol = {
  name: 'responses',
  serves: (path) => /\/responses(\?|$)/.test(path),
  otherAnswer: modelList,

  read(body) {
    const input = listOf(body.input).map(fieldsOf);
    // Newer models get their tools in an input item.
    const tools = [...listOf(body.tools), ...input.flatMap((item) => listOf(item.tools))].map(fieldsOf);
    return {
      model: textOf(body.model),
      stream: body.stream === true,
      tools: tools.map((tool) => textOf(tool.name ?? tool.type)),
      userTexts:
        typeof body.input === 'string'
          ? [body.input]
          : input.filter((item) => item.role === 'user').flatMap((item) => textsOf(item.content)),
      toolResults: input
        .filter((item) => textOf(item.type).endsWith('_output'))
        .map((item) => ({
          call: textOf(item.call_id),
          text: typeof item.output === 'string' ? item.output : textsOf(item.output).join('\n'),
          failed: false,
        })),
      schema: fieldsOf(fieldsOf(body.text).format).schema,
    };
  },

  whole: (turn, id, model) => ({
    id: `resp_${id}`,
    object: 'response',
    created_at: 1,
    status: 'completed',
    model,
    output: itemsOf(turn, id),
    usage: usageOf(turn),
  }),

  stream(turn, id, model) {
    const response = this.whole(turn, id, model);
    const items: StreamItem[] = [];
    const say = (event: string, rest: Json): void =>
      void items.push({ event, data: { type: event, sequence_number: items.length, ...rest } });
    say('response.created', { response: { ...response, status: 'in_progress', output: [], usage: null } });
    for (const [output_index, item] of itemsOf(turn, id).entries()) {
      say('response.output_item.added', { output_index, item: begun(item) });
      for (const [event, rest] of detailsOf(item, turn, output_index)) say(event, rest);
      say('response.output_item.done', { output_index, item });
    }
    say('response.completed', { response });
    return items;
  },
};
