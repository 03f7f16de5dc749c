import { fieldsOf, type Json, listOf, textOf, textsOf } from './json.ts';
import type { Protocol, StreamItem, ToolResult } from './protocol.ts';
import { type ModelTurn, piecesOf, tokensOf } from './script.ts';

const schemaOf = (body: Json): unknown => fieldsOf(fieldsOf(body.output_config).format).schema ?? fieldsOf(body.output_format).schema;

function toolResults(messages: readonly Json[]): ToolResult[] {
  const parts = messages.flatMap((message) => listOf(message.content).map(fieldsOf));
  return parts
    .filter((part) => part.type === 'tool_result')
    .map((part) => ({
      call: textOf(part.tool_use_id),
      text: typeof part.content === 'string' ? part.content : textsOf(part.content).join('\n'),
      failed: part.is_error === true,
    }));
}

function blocksOf(turn: ModelTurn, id: string): Json[] {
  const text = turn.text ? [{ type: 'text', text: turn.text }] : [];
  const calls = (turn.calls ?? []).map((call, i) => ({
    type: 'tool_use',
    id: `toolu_${id}_${i}`,
    name: call.name,
    input: call.input ?? {},
  }));
  return [...text, ...calls];
}

/** Its input is what no cache had; what was thought is part of the output. */
function usageOf(turn: ModelTurn): Json {
  const { input, output, reasoning, cacheRead, cacheWrite5m, cacheWrite1h } = tokensOf(turn);
  return {
    input_tokens: input,
    output_tokens: output + reasoning,
    output_tokens_details: { thinking_tokens: reasoning },
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite5m + cacheWrite1h,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite5m, ephemeral_1h_input_tokens: cacheWrite1h },
  };
}

/** Anthropic Messages. */
export const anthropic: Protocol = {
  name: 'anthropic',
  serves: (path) => /\/messages(\?|$)/.test(path),
  otherAnswer: (path) => (path.includes('/messages/count_tokens') ? { input_tokens: 10 } : undefined),

  read(body) {
    const messages = listOf(body.messages).map(fieldsOf);
    return {
      model: textOf(body.model),
      stream: body.stream === true,
      tools: listOf(body.tools).map((tool) => textOf(fieldsOf(tool).name)),
      userTexts: messages.filter((message) => message.role === 'user').flatMap((message) => textsOf(message.content)),
      toolResults: toolResults(messages),
      schema: schemaOf(body),
    };
  },

  whole: (turn, id, model) => ({
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: blocksOf(turn, id),
    stop_reason: turn.calls?.length ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: usageOf(turn),
  }),

  stream(turn, id, model) {
    const message = this.whole(turn, id, model);
    const items: StreamItem[] = [];
    const say = (event: string, rest: Json): void => void items.push({ event, data: { type: event, ...rest } });
    say('message_start', { message: { ...message, content: [], stop_reason: null } });
    for (const [index, block] of blocksOf(turn, id).entries()) {
      const tool = block.type === 'tool_use';
      say('content_block_start', { index, content_block: tool ? { ...block, input: {} } : { type: 'text', text: '' } });
      const deltas = tool
        ? [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }]
        : piecesOf(turn).map((text) => ({ type: 'text_delta', text }));
      for (const delta of deltas) say('content_block_delta', { index, delta });
      say('content_block_stop', { index });
    }
    say('message_delta', { delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: message.usage });
    say('message_stop', {});
    return items;
  },
};
