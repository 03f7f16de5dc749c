import { expect, test } from 'vitest';
import { talk } from '../../src/model/script.ts';
import { modelOf, postJson, postStream } from './ask.ts';

const PATH = '/v1/responses';
const TOOLS = [{ type: 'function', name: 'exec_command', parameters: {} }];
const user = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const ask = (rest: object = {}) => ({ model: 'gpt-x', tools: TOOLS, input: [user('go')], ...rest });
const TURN = {
  text: 'Hello there',
  chunks: 2,
  calls: [
    { name: 'exec_command', input: { cmd: 'ls' } },
    { name: 'apply_patch', freeform: '*** Begin Patch', namespace: 'files' },
  ],
  promptTokens: 77,
};

test('a whole answer has a message, a function call and a freeform call', async () => {
  const model = await modelOf(talk(TURN));
  const answer = await postJson(model, PATH, ask());
  expect(answer).toMatchObject({ object: 'response', status: 'completed', model: 'gpt-x' });
  const [message, call, freeform] = answer.output;
  expect(message).toMatchObject({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello there' }] });
  expect(call).toMatchObject({ type: 'function_call', name: 'exec_command' });
  expect(JSON.parse(call.arguments)).toEqual({ cmd: 'ls' });
  expect(freeform).toMatchObject({ type: 'custom_tool_call', name: 'apply_patch', namespace: 'files', input: '*** Begin Patch' });
  expect(answer.usage).toMatchObject({ input_tokens: 77, total_tokens: 77 + answer.usage.output_tokens });
});

test('a streamed answer is numbered without a gap and ends with the whole one', async () => {
  const model = await modelOf(talk(TURN, TURN));
  const whole = await postJson(model, PATH, ask());
  const events = await postStream(model, PATH, ask({ stream: true }));
  expect(events.map((one) => one.data.sequence_number)).toEqual(events.map((_, i) => i));
  expect(events.map((one) => one.event)).toEqual(events.map((one) => one.data.type));
  const of = (type: string) => events.filter((one) => one.event === type).map((one) => one.data);
  expect(of('response.output_text.delta').map((one) => one.delta)).toHaveLength(2);
  expect(
    of('response.output_text.delta')
      .map((one) => one.delta)
      .join(''),
  ).toBe('Hello there');
  expect(
    of('response.function_call_arguments.delta')
      .map((one) => one.delta)
      .join(''),
  ).toBe('{"cmd":"ls"}');
  const completed = events.at(-1)?.data.response;
  expect(events.at(-1)?.event).toBe('response.completed');
  expect(completed.output).toEqual(of('response.output_item.done').map((one) => one.item));
  const bare = (output: { id: string; call_id: string }[]) => output.map(({ id, call_id, ...rest }) => rest);
  expect(bare(completed.output)).toEqual(bare(whole.output));
});

test('tools in an input item count as offered, and outputs are read back', async () => {
  const model = await modelOf(talk({ text: 'first' }));
  const input = [
    { type: 'additional_tools', tools: [{ type: 'custom', name: 'exec' }] },
    user('go'),
    { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
  ];
  const answer = await postJson(model, PATH, ask({ tools: undefined, input }));
  expect(answer.output[0].content[0].text).toBe('first');
  expect(model.requests[0]?.ask).toMatchObject({ tools: ['exec'], userTexts: ['go'], toolResults: [{ call: 'c1', text: 'done' }] });
});

test('models can be listed', async () => {
  const model = await modelOf(talk());
  const list = (await (await fetch(`${model.url}/v1/models`)).json()) as { data: unknown[] };
  expect(list.data).toHaveLength(1);
});
