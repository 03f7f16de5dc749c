import { expect, test } from 'vitest';
import { talk } from '../../src/model/script.ts';
import { modelOf, postJson, postStream } from './ask.ts';

const PATH = '/v1beta/models/gemini-x:generateContent';
const STREAM = '/v1beta/models/gemini-x:streamGenerateContent?alt=sse';
const TOOLS = [{ functionDeclarations: [{ name: 'run_shell_command' }] }];
const ask = (rest: object = {}) => ({ tools: TOOLS, contents: [{ role: 'user', parts: [{ text: 'go' }] }], ...rest });
const TURN = { text: 'Hello there', chunks: 5, calls: [{ name: 'run_shell_command', input: { command: 'ls' } }], promptTokens: 99 };

test('a whole answer has text and function call as parts', async () => {
  const model = await modelOf(talk(TURN));
  const answer = await postJson(model, PATH, ask());
  const [candidate] = answer.candidates;
  expect(candidate).toMatchObject({ finishReason: 'STOP', content: { role: 'model' } });
  expect(candidate.content.parts[0]).toEqual({ text: 'Hello there' });
  expect(candidate.content.parts[1].functionCall).toMatchObject({ name: 'run_shell_command', args: { command: 'ls' } });
  expect(answer).toMatchObject({ modelVersion: 'gemini-x', usageMetadata: { promptTokenCount: 99 } });
});

test('a streamed answer adds up, and only its last piece is finished', async () => {
  const model = await modelOf(talk(TURN));
  const events = await postStream(model, STREAM, ask());
  const candidates = events.map((one) => one.data.candidates[0]);
  expect(candidates.map((one) => one.finishReason)).toEqual([...Array(candidates.length - 1).fill(undefined), 'STOP']);
  const parts = candidates.flatMap((one) => one.content.parts);
  expect(parts.filter((one) => one.text)).toHaveLength(4); // eleven letters in pieces of three
  expect(parts.map((one) => one.text ?? '').join('')).toBe('Hello there');
  expect(parts.at(-1).functionCall).toMatchObject({ name: 'run_shell_command', args: { command: 'ls' } });
});

test('function responses are read back, errors marked', async () => {
  const model = await modelOf(talk());
  const parts = [
    { functionResponse: { name: 'run_shell_command', response: { output: 'hi' } } },
    { functionResponse: { id: 'x', name: 'run_shell_command', response: { error: 'blocked' } } },
  ];
  await postJson(model, PATH, ask({ contents: [{ role: 'user', parts }] }));
  expect(model.requests[0]?.ask).toMatchObject({
    model: 'gemini-x',
    toolResults: [
      { call: 'run_shell_command', text: 'hi', failed: false },
      { call: 'x', text: 'blocked', failed: true },
    ],
  });
});

test('a side request with a schema in capitals gets a matching value, and tokens can be counted', async () => {
  const model = await modelOf(talk());
  const responseSchema = { type: 'OBJECT', properties: { complex: { type: 'BOOLEAN' }, score: { type: 'INTEGER' } } };
  const answer = await postJson(model, PATH, ask({ tools: undefined, generationConfig: { responseSchema } }));
  expect(JSON.parse(answer.candidates[0].content.parts[0].text)).toEqual({ complex: false, score: 1 });
  expect(await postJson(model, '/v1beta/models/gemini-x:countTokens', {})).toEqual({ totalTokens: 10 });
});
