import { expect, test } from 'vitest';
import { talk } from '../../src/model/script.ts';
import { modelOf, postJson, postStream } from './ask.ts';

const PATH = '/v1/messages?beta=true';
const TOOLS = [{ name: 'Bash', input_schema: { type: 'object' } }];
const ask = (rest: object = {}) => ({
  model: 'claude-x',
  max_tokens: 10,
  tools: TOOLS,
  messages: [{ role: 'user', content: 'go' }],
  ...rest,
});
const TURN = { text: 'Hello there', chunks: 3, calls: [{ name: 'Bash', input: { command: 'ls' } }], promptTokens: 1234 };

test('a whole answer has text, tool call, stop reason and the scripted prompt size', async () => {
  const model = await modelOf(talk(TURN));
  const message = await postJson(model, PATH, ask());
  expect(message).toMatchObject({ type: 'message', role: 'assistant', model: 'claude-x', stop_reason: 'tool_use' });
  expect(message.content[0]).toEqual({ type: 'text', text: 'Hello there' });
  expect(message.content[1]).toMatchObject({ type: 'tool_use', name: 'Bash', input: { command: 'ls' } });
  expect(message.content[1].id).toMatch(/^toolu_/);
  expect(message.usage.input_tokens).toBe(1234);
});

test('a streamed answer adds up to the whole one, its text in the pieces that were asked for', async () => {
  const model = await modelOf(talk(TURN));
  const events = await postStream(model, PATH, ask({ stream: true }));
  expect(events.map((one) => one.event)).toEqual(events.map((one) => one.data.type));
  expect(events.map((one) => one.event)).toEqual([
    'message_start',
    'content_block_start',
    ...Array(3).fill('content_block_delta'),
    'content_block_stop',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  expect(events[0]?.data.message.content).toEqual([]);
  const deltas = events.filter((one) => one.event === 'content_block_delta').map((one) => one.data);
  expect(deltas.map((one) => one.index)).toEqual([0, 0, 0, 1]);
  expect(deltas.map((one) => one.delta.text ?? '').join('')).toBe('Hello there');
  expect(JSON.parse(deltas[3].delta.partial_json)).toEqual({ command: 'ls' });
  expect(events.at(-2)?.data).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage: { input_tokens: 1234 } });
});

test('tool results are read back as the model saw them, failures marked', async () => {
  const model = await modelOf(talk());
  const content = [
    { type: 'tool_result', tool_use_id: 'toolu_1', content: 'fine' },
    { type: 'tool_result', tool_use_id: 'toolu_2', is_error: true, content: [{ type: 'text', text: 'no' }] },
  ];
  await postJson(model, PATH, ask({ messages: [{ role: 'user', content }] }));
  expect(model.requests[0]?.ask?.toolResults).toEqual([
    { call: 'toolu_1', text: 'fine', failed: false },
    { call: 'toolu_2', text: 'no', failed: true },
  ]);
});

test('a structured side request is answered with a value of its schema', async () => {
  const model = await modelOf(talk());
  const schema = { type: 'object', properties: { title: { type: 'string' }, kind: { enum: ['a', 'b'] }, steps: { type: 'array' } } };
  const message = await postJson(model, PATH, ask({ tools: undefined, output_config: { format: { type: 'json_schema', schema } } }));
  expect(JSON.parse(message.content[0].text)).toEqual({ title: 'ok', kind: 'a', steps: [] });
});

test('tokens can be counted', async () => {
  const model = await modelOf(talk());
  expect(await postJson(model, '/v1/messages/count_tokens?beta=true', ask())).toEqual({ input_tokens: 10 });
  expect(model.requests[0]?.protocol).toBeNull();
});
