import { expect, test } from 'vitest';
import { talk } from '../../src/model/script.ts';
import { modelOf, post, postJson } from './ask.ts';

const PATH = '/v1/messages';
const ask = (text: string, rest: object = {}) => ({
  model: 'm',
  tools: [{ name: 'Bash' }],
  messages: [{ role: 'user', content: text }],
  ...rest,
});
const said = (message: { content: { text: string }[] }) => message.content[0]?.text;

test('turns are answered in order, then the last answer repeats', async () => {
  const model = await modelOf(talk({ text: 'one' }, { text: 'two' }));
  const answers = [];
  for (let i = 0; i < 4; i++) answers.push(said(await postJson(model, PATH, ask('go'))));
  expect(answers).toEqual(['one', 'two', 'All done.', 'All done.']);
});

test('a user text selects the conversation, and each keeps its position', async () => {
  const model = await modelOf([
    { name: 'main', turns: [{ text: 'm1' }, { text: 'm2' }] },
    { name: 'sub', match: 'SUBTASK', turns: [{ text: 's1' }, { text: 's2' }] },
  ]);
  const answers = [];
  for (const text of ['go', 'SUBTASK: list', 'SUBTASK: list', 'go']) answers.push(said(await postJson(model, PATH, ask(text))));
  expect(answers).toEqual(['m1', 's1', 's2', 'm2']);
  expect(model.requests.map((one) => one.conversation)).toEqual(['main', 'sub', 'sub', 'main']);
});

test('a turn is followed by its next turns, filled from tool results', async () => {
  const wait = { calls: [{ name: 'wait', input: { ids: [], time: 1 }, found: { ids: 'id=(\\w+)' } }] };
  const model = await modelOf(talk({ text: 'start', followed: [wait] }, { text: 'end' }));
  const results = ['id=old', 'id=new'].map((content, i) => ({ type: 'tool_result', tool_use_id: `t${i}`, content }));
  const heard = { messages: [{ role: 'user', content: results }] };
  expect(said(await postJson(model, PATH, ask('go')))).toBe('start');
  expect((await postJson(model, PATH, ask('go', heard))).content[0]).toMatchObject({ name: 'wait', input: { ids: ['new'], time: 1 } });
  expect(said(await postJson(model, PATH, ask('go', heard)))).toBe('end');
});

test('a request without tools uses no turn', async () => {
  const model = await modelOf(talk({ text: 'one' }));
  expect(said(await postJson(model, PATH, ask('name this', { tools: [] })))).toBe('ok');
  expect(said(await postJson(model, PATH, ask('go')))).toBe('one');
  expect(model.requests.map((one) => one.side)).toEqual([true, false]);
});

test('every request is recorded, including unknown ones', async () => {
  const model = await modelOf(talk());
  await post(model, PATH, ask('TOKEN_A'));
  expect((await post(model, '/telemetry', { a: 1 })).status).toBe(404);
  expect((await fetch(`${model.url}${PATH}`)).status).toBe(404);
  expect(model.requests.map((one) => [one.n, one.method, one.path, one.protocol])).toEqual([
    [0, 'POST', PATH, 'anthropic'],
    [1, 'POST', '/telemetry', null],
    [2, 'GET', PATH, null],
  ]);
  expect(model.requests[0]?.body).toEqual(ask('TOKEN_A'));
});

test('a body that is not JSON is recorded and answered', async () => {
  const model = await modelOf(talk());
  const response = await fetch(model.url + PATH, { method: 'POST', body: '{"cut' });
  expect(response.status).toBe(200);
  expect(model.requests[0]?.body).toBe('{"cut');
});

test('a turn can be a failure of the model', async () => {
  const model = await modelOf(talk({ fail: { status: 400, message: 'too much' } }, { text: 'one' }));
  const failed = await post(model, PATH, ask('go'));
  expect([failed.status, JSON.parse(failed.text).error.message]).toEqual([400, 'too much']);
  expect(said(await postJson(model, PATH, ask('go')))).toBe('one');
});

test('something may happen between a request and its answer', async () => {
  const order: string[] = [];
  const model = await modelOf(talk({ text: 'one' }), {
    onRequest: async ({ n }) => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      order.push(`request ${n}`);
    },
  });
  await post(model, PATH, ask('go'));
  order.push('answer');
  expect(order).toEqual(['request 0', 'answer']);
});

test('it listens on loopback only', async () => {
  const model = await modelOf(talk());
  expect(new URL(model.url).hostname).toBe('127.0.0.1');
});
