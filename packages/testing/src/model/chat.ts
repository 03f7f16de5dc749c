import { fieldsOf, type Json, listOf, textOf, textsOf } from './json.ts';
import { modelList } from './model-list.ts';
import type { Protocol, StreamItem } from './protocol.ts';
import { type ModelTurn, piecesOf, promptTokensOf, tokensOf } from './script.ts';

const callsOf = (turn: ModelTurn, id: string): Json[] =>
  (turn.calls ?? []).map((call, i) => ({
    id: `call_${id}_${i}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input ?? {}) },
  }));

function usageOf(turn: ModelTurn): Json {
  const { output, reasoning, cacheRead } = tokensOf(turn);
  return {
    prompt_tokens: promptTokensOf(turn),
    completion_tokens: output + reasoning,
    total_tokens: promptTokensOf(turn) + output + reasoning,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

const reasonOf = (turn: ModelTurn): string => (turn.calls?.length ? 'tool_calls' : 'stop');

/** Whose key it is: Droid without an offline mode asks before it starts. */
const ACCOUNT = { userId: 'test', orgId: 'test' };

/** OpenAI Chat Completions. */
export const chat: Protocol = {
  name: 'chat',
  serves: (path) => /\/chat\/completions(\?|$)/.test(path),
  otherAnswer: (path) => (path === '/api/cli/whoami' ? ACCOUNT : modelList(path)),

  read(body) {
    const messages = listOf(body.messages).map(fieldsOf);
    return {
      model: textOf(body.model),
      stream: body.stream === true,
      // Where the one tool that it must call is named there is nothing to script: some ask for a title in this way.
      tools: (typeof body.tool_choice === 'object' ? [] : listOf(body.tools)).map((tool) =>
        textOf(fieldsOf(fieldsOf(tool).function).name ?? fieldsOf(tool).name),
      ),
      userTexts: messages.filter((message) => message.role === 'user').flatMap((message) => textsOf(message.content)),
      toolResults: messages
        .filter((message) => message.role === 'tool')
        .map((message) => ({ call: textOf(message.tool_call_id), text: textsOf(message.content).join('\n'), failed: false })),
      schema: fieldsOf(fieldsOf(body.response_format).json_schema).schema,
    };
  },

  whole: (turn, id, model) => ({
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: 1,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: turn.text ?? null, ...(turn.calls?.length && { tool_calls: callsOf(turn, id) }) },
        finish_reason: reasonOf(turn),
      },
    ],
    usage: usageOf(turn),
  }),

  stream(turn, id, model) {
    const chunk = (rest: Json): StreamItem => ({
      data: { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: 1, model, ...rest },
    });
    const delta = (what: Json, finish_reason: string | null = null): StreamItem =>
      chunk({ choices: [{ index: 0, delta: what, finish_reason }] });
    const calls = callsOf(turn, id).map((call, index) => ({ index, ...call }));
    return [
      delta({ role: 'assistant', content: '' }),
      ...piecesOf(turn).map((content) => delta({ content })),
      ...(calls.length > 0 ? [delta({ tool_calls: calls })] : []),
      delta({}, reasonOf(turn)),
      chunk({ choices: [], usage: usageOf(turn) }),
      { data: '[DONE]' },
    ];
  },
};
