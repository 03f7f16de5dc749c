import { onTestFinished } from 'vitest';
import type { ModelScript } from '../../src/model/script.ts';
import { type ModelOptions, type ModelServer, startModel } from '../../src/model/server.ts';

/** A model for one test, closed with it. */
export async function modelOf(script: ModelScript, options?: ModelOptions): Promise<ModelServer> {
  const model = await startModel(script, options);
  onTestFinished(() => model.close());
  return model;
}

export async function post(model: ModelServer, path: string, body: unknown): Promise<{ status: number; type: string; text: string }> {
  const response = await fetch(model.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
}

// biome-ignore lint/suspicious/noExplicitAny: foreign JSON, looked into by each test
export async function postJson(model: ModelServer, path: string, body: unknown): Promise<any> {
  return JSON.parse((await post(model, path, body)).text);
}

/** Server-sent events, read by the rules of the HTML standard as far as the four protocols use them. */
export async function postStream(model: ModelServer, path: string, body: unknown) {
  const { type, text } = await post(model, path, body);
  if (type !== 'text/event-stream') throw new Error(`not a stream: ${type} ${text}`);
  return text
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      const lines = block.split('\n');
      const event = lines.find((line) => line.startsWith('event: '))?.slice(7);
      const data = lines
        .filter((line) => line.startsWith('data: '))
        .map((line) => line.slice(6))
        .join('\n');
      // biome-ignore lint/suspicious/noExplicitAny: foreign JSON, looked into by each test
      return { event, data: (data === '[DONE]' ? data : JSON.parse(data)) as any };
    });
}
