import { fieldsOf, type Json, listOf, textOf } from './json.ts';
import type { Protocol } from './protocol.ts';
import { type ModelTurn, piecesOf, tokensOf } from './script.ts';

/** What a node of a conversation is: text, the result of a tool, a call of one, what it all cost. */
const TEXT = 0;
const TOOL_RESULT = 1;
const TOOL_CALL = 5;
const TOKENS = 10;
const [ENDED, CALLS] = [1, 3];

const textNodes = (nodes: unknown): string[] =>
  listOf(nodes)
    .map(fieldsOf)
    .filter(({ type }) => type === TEXT)
    .map((node) => textOf(fieldsOf(node.text_node).content));

function usageOf(turn: ModelTurn): Json {
  const { input, output, reasoning, cacheRead, cacheWrite5m, cacheWrite1h } = tokensOf(turn);
  return {
    input_tokens: input,
    output_tokens: output + reasoning,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite5m + cacheWrite1h,
  };
}

const callNodes = (turn: ModelTurn, id: string): Json[] =>
  (turn.calls ?? []).map((call, at) => ({
    id: at + 1,
    type: TOOL_CALL,
    content: '',
    tool_use: { tool_use_id: `call_${id}_${at}`, tool_name: call.name, input_json: JSON.stringify(call.input ?? {}) },
  }));

const chunk = (text: string, nodes: readonly Json[], rest: Json = {}): Json => ({
  text,
  nodes,
  unknown_blob_names: [],
  checkpoint_not_found: false,
  workspace_file_chunks: [],
  ...rest,
});

function chunksOf(turn: ModelTurn, id: string): Json[] {
  const texts = piecesOf(turn).map((text, at) => chunk(text, [{ id: 100 + at, type: TEXT, content: text }]));
  const calls = callNodes(turn, id);
  const end = chunk('', [{ id: 999, type: TOKENS, content: '', token_usage: usageOf(turn) }], {
    stop_reason: calls.length > 0 ? CALLS : ENDED,
  });
  return [...texts, ...(calls.length > 0 ? [chunk('', calls)] : []), end];
}

const OTHERS: readonly (readonly [RegExp, Json])[] = [
  [
    /^\/get-models(\?|$)/,
    {
      default_model: 'mock',
      models: [{ name: 'mock', internal_name: 'mock', suggested_prefix_char_count: 1000, suggested_suffix_char_count: 1000 }],
      languages: [],
      // Without this flag of the server no hook runs.
      feature_flags: {
        agent_chat_model: 'mock',
        enable_hooks: true,
        beachhead_enable_sub_agent_tool: true,
        model_info_registry: JSON.stringify({ mock: { displayName: 'Mock', shortName: 'mock' } }),
      },
      user_tier: 'PROFESSIONAL_TIER',
      user: { id: 'test', email: 'test@example.com', tenant_id: 'test', tenant_name: 'test' },
    },
  ],
  [/^\/agents\/list-remote-tools(\?|$)/, { tools: [] }],
  [/^\/find-missing(\?|$)/, { unknown_memory_names: [], nonindexed_blob_names: [] }],
  [/^\/batch-upload(\?|$)/, { blob_names: [] }],
  [/^\/checkpoint-blobs(\?|$)/, { new_checkpoint_id: 'test' }],
  [/^\/(?:settings\/get-mcp-|indexed-commits\/|(?:report|record)-|client-(?:metrics|completion))/, {}],
];

/** What Augment's own server speaks. Only what a scripted run needs of it is here. */
export const augment: Protocol = {
  name: 'augment',
  lines: true,
  serves: (path) => /^\/chat-stream(\?|$)/.test(path),
  otherAnswer: (path) => OTHERS.find(([pattern]) => pattern.test(path))?.[1],

  read(body) {
    const exchanges = listOf(body.chat_history).map(fieldsOf);
    const nodes = [...exchanges.flatMap(({ request_nodes }) => listOf(request_nodes)), ...listOf(body.nodes)];
    return {
      model: textOf(body.model),
      stream: true,
      tools: listOf(body.tool_definitions).map((tool) => textOf(fieldsOf(tool).name)),
      userTexts: textNodes(nodes),
      toolResults: nodes
        .map(fieldsOf)
        .filter(({ type }) => type === TOOL_RESULT)
        .map((node) => fieldsOf(node.tool_result_node))
        .map(({ tool_use_id, content, is_error }) => ({ call: textOf(tool_use_id), text: textOf(content), failed: is_error === true })),
    };
  },

  whole: (turn, id) => chunk(turn.text ?? '', callNodes(turn, id)),
  stream: (turn, id) => chunksOf(turn, id).map((data) => ({ data })),
};
