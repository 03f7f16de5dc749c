import { parentPort } from 'node:worker_threads';
import { Command } from 'commander';
import type { Context } from '../context.ts';
import { requirePlaces } from '../locations.ts';
import { problemAnswer } from './answer.ts';
import { ANSWERS, type FromAnswers, type FromPage } from './answer-thread.ts';
import { newsAfter } from './changes.ts';
import { createReader } from './reader.ts';
import { answer } from './routes.ts';

/** What `piton ui` starts as a thread of its own. */
export function uiAnswersCommand(context: Context): Command {
  return new Command(ANSWERS).action(() => serveAnswers(context));
}

async function serveAnswers(context: Context): Promise<void> {
  const port = parentPort;
  if (port === null) return;
  const post = (message: FromAnswers): void => port.postMessage(message);
  try {
    const reader = createReader(context, requirePlaces(context));
    port.on('message', async (message: FromPage) => {
      const { id } = message;
      if (message.kind === 'ask') return post({ kind: 'answer', id, answer: await answer(reader, message) });
      try {
        post({ kind: 'news', id, news: await newsAfter(reader, message.after, message.store) });
      } catch (error) {
        // A store that is busy, or is being moved: the next look tries again.
        post({ kind: 'answer', id, answer: problemAnswer(error) });
      }
    });
    post({ kind: 'ready' });
  } catch (error) {
    post({ kind: 'failed', error: error instanceof Error ? error.message : String(error) });
    port.close();
  }
}
