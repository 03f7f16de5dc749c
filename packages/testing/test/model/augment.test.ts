import { expect, test } from 'vitest';
import { talk } from '../../src/model/script.ts';
import { modelOf, post, postJson } from './ask.ts';

const TOOLS = [{ name: 'launch-process', input_schema_json: '{}' }];
const said = (content: string) => ({ id: 1, type: 0, text_node: { content } });
const ask = (rest: object = {}) => ({ model: 'mock', tool_definitions: TOOLS, nodes: [said('go')], chat_history: [], ...rest });
const TURN = { text: 'Hello there', chunks: 5, calls: [{ name: 'launch-process', input: { command: 'ls' } }], promptTokens: 99 };

async function linesOf(model: Parameters<typeof post>[0], body: unknown) {
  const { type, text } = await post(model, '/chat-stream', body);
  expect(type).toBe('application/json');
  expect(text.endsWith('\n')).toBe(true);
  return (
    text
      .trimEnd()
      .split('\n')
      // biome-ignore lint/suspicious/noExplicitAny: foreign JSON, looked into by each test
      .map((line) => JSON.parse(line) as any)
  );
}

test('an answer is a JSON object a line, and only the last says why it ends', async () => {
  const lines = await linesOf(await modelOf(talk(TURN)), ask());
  expect(lines.map(({ text }) => text).join('')).toBe('Hello there');
  expect(lines.map(({ stop_reason }) => stop_reason)).toEqual([...Array(lines.length - 1).fill(undefined), 3]);
  const nodes = lines.flatMap((line) => line.nodes);
  const [called] = nodes.filter(({ type }) => type === 5);
  expect(called.tool_use).toMatchObject({ tool_name: 'launch-process', input_json: '{"command":"ls"}' });
  expect(nodes.at(-1).token_usage).toMatchObject({ input_tokens: 99, output_tokens: 5 });
});

test('an answer without a call ends the turn', async () => {
  const lines = await linesOf(await modelOf(talk({ text: 'Done' })), ask());
  expect(lines.at(-1).stop_reason).toBe(1);
});

test('what was said and what came of calls is read from the whole talk', async () => {
  const model = await modelOf(talk());
  const result = (id: string, content: string, is_error: boolean) => ({
    id: 1,
    type: 1,
    tool_result_node: { tool_use_id: id, content, is_error },
  });
  const chat_history = [{ request_nodes: [said('first')] }, { request_nodes: [result('a', 'hi', false)] }];
  await linesOf(model, ask({ chat_history, nodes: [result('b', 'no', true)] }));
  expect(model.requests[0]?.ask).toEqual({
    model: 'mock',
    stream: true,
    tools: ['launch-process'],
    userTexts: ['first'],
    toolResults: [
      { call: 'a', text: 'hi', failed: false },
      { call: 'b', text: 'no', failed: true },
    ],
  });
});

test('the flags say that hooks run, and the other questions of the program have answers', async () => {
  const model = await modelOf(talk());
  expect(await postJson(model, '/get-models', {})).toMatchObject({ default_model: 'mock', feature_flags: { enable_hooks: true } });
  for (const path of ['/agents/list-remote-tools', '/find-missing', '/batch-upload', '/checkpoint-blobs', '/settings/get-mcp-user-configs'])
    expect((await post(model, path, {})).status).toBe(200);
  expect((await post(model, '/v1/settings/x', {})).status).toBe(404);
});
