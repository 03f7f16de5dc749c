import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PageFrame, PageReset } from '@piton/contracts/page';
import type { Context } from '../context.ts';
import type { Answer } from './answer.ts';

/** The hidden command by which the thread starts. */
export const ANSWERS = 'ui-answers';

export interface Asked {
  readonly path: string;
  readonly query: string;
}
export type FromPage =
  | ({ readonly kind: 'ask'; readonly id: number } & Asked)
  | { readonly kind: 'changes'; readonly id: number; readonly after: number | null; readonly store: string | null };
export type News =
  | { readonly is: 'frame'; readonly frame: PageFrame }
  | { readonly is: 'reset'; readonly reset: PageReset }
  | { readonly is: 'none' };
export type FromAnswers =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'news'; readonly id: number; readonly news: News };

/** Queries of a large store and git take a while: they are not made on the thread that serves. */
export interface AnswerThread {
  ask(asked: Asked): Promise<Answer>;
  changes(after: number | null, store: string | null): Promise<News>;
  close(): Promise<void>;
}

const BUSY: Answer = {
  status: 503,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({ problem: 'busy', error: 'too many requests at once', fix: 'try again in a moment' }),
};
const MAX_OPEN = 64;

export async function startAnswers(context: Context): Promise<AnswerThread> {
  const worker = new Worker(join(context.distribution, 'cli.mjs'), { argv: [ANSWERS], env: context.env as NodeJS.ProcessEnv });
  const open = new Map<number, (message: FromAnswers) => void>();
  let last = 0;
  let dead: Error | undefined;
  const started = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: FromAnswers) => {
      if (message.kind === 'ready') return resolve();
      if (message.kind === 'failed') return reject(new Error(message.error));
      const settle = open.get(message.id);
      open.delete(message.id);
      settle?.(message);
    });
    worker.once('error', (error: Error) => end(error));
    worker.once('exit', () => end(new Error('the thread of answers has ended')));
    function end(error: Error): void {
      dead ??= error;
      reject(error);
      for (const [id, settle] of open) settle({ kind: 'answer', id, answer: failedWith(dead) });
      open.clear();
    }
  });
  await started;
  const send = (message: FromPage): Promise<FromAnswers> =>
    new Promise((resolve) => {
      if (dead !== undefined) return resolve({ kind: 'answer', id: message.id, answer: failedWith(dead) });
      open.set(message.id, resolve);
      worker.postMessage(message);
    });
  return {
    async ask(asked) {
      if (open.size >= MAX_OPEN) return BUSY;
      const reply = await send({ kind: 'ask', id: ++last, ...asked });
      return reply.kind === 'answer' ? reply.answer : BUSY;
    },
    async changes(after, store) {
      const reply = await send({ kind: 'changes', id: ++last, after, store });
      return reply.kind === 'news' ? reply.news : { is: 'none' };
    },
    close: async () => void (await worker.terminate()),
  };
}

const failedWith = (error: Error): Answer => ({
  status: 500,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({ problem: 'failed', error: error.message, fix: 'start piton ui again' }),
});
