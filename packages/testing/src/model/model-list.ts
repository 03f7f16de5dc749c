import type { Json } from './json.ts';

/** Both OpenAI protocols list models in the same way. */
export const modelList = (path: string): Json | undefined =>
  /\/models(\?|$)/.test(path) ? { object: 'list', data: [{ id: 'scripted', object: 'model', created: 1, owned_by: 'test' }] } : undefined;
