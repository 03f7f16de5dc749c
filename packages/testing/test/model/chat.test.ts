import { expect, test } from 'vitest';
import { talk } from '../../src/model/script.ts';
import { modelOf, postJson, postStream } from './ask.ts';

const PATH = '/v1/chat/completions';
const TOOLS = [{ type: 'function', function: { name: 'bash', parameters: {} } }];
const ask = (rest: object = {}) => ({ model: 'm', tools: TOOLS, messages: [{ role: 'user', content: 'go' }], ...rest });
const TURN = { text: 'Hello there', chunks: 4, calls: [{ name: 'bash', input: { command: 'ls' } }], promptTokens: 42 };

test('a whole answer has content, tool calls and a finish reason', async () => {
  const model = await modelOf(talk(TURN, { text: 'bye' }));
  const answer = await postJson(model, PATH, ask());
  expect(answer.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { role: 'assistant', content: 'Hello there' } });
  const [call] = answer.choices[0].message.tool_calls;
  expect(call).toMatchObject({ type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } });
  expect(answer.usage).toMatchObject({ prompt_tokens: 42 });
  expect((await postJson(model, PATH, ask())).choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'bye' } });
});

test('a streamed answer adds up, reports usage and ends with [DONE]', async () => {
  const model = await modelOf(talk(TURN));
  const events = await postStream(model, PATH, ask({ stream: true }));
  expect(events.every((one) => one.event === undefined)).toBe(true);
  expect(events.at(-1)?.data).toBe('[DONE]');
  const chunks = events.slice(0, -1).map((one) => one.data);
  const deltas = chunks.flatMap((one) => one.choices.map((choice: { delta: object }) => choice.delta));
  expect(deltas[0].role).toBe('assistant');
  expect(deltas.filter((one) => one.content).map((one) => one.content)).toHaveLength(4);
  expect(deltas.map((one) => one.content ?? '').join('')).toBe('Hello there');
  const [call] = deltas.flatMap((one) => one.tool_calls ?? []);
  expect(call).toMatchObject({ index: 0, function: { name: 'bash', arguments: '{"command":"ls"}' } });
  const reasons = chunks
    .flatMap((one) => one.choices.map((choice: { finish_reason: string | null }) => choice.finish_reason))
    .filter(Boolean);
  expect(reasons).toEqual(['tool_calls']);
  expect(chunks.at(-1)?.usage.prompt_tokens).toBe(42);
});

test('tool messages are read back', async () => {
  const model = await modelOf(talk());
  await postJson(
    model,
    PATH,
    ask({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'go' }] },
        { role: 'tool', tool_call_id: 'c1', content: 'denied' },
      ],
    }),
  );
  expect(model.requests[0]?.ask).toMatchObject({ userTexts: ['go'], toolResults: [{ call: 'c1', text: 'denied' }] });
});
