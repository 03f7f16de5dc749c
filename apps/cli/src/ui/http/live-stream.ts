import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerThread } from '../answer-thread.ts';

/** About ten frames a second. */
const FRAME_MS = 100;
const QUIET_MS = 15_000;

export interface LiveFrom {
  /** Null: from now on. */
  readonly after: number | null;
  readonly store: string | null;
}

/**
 * Sends what changes until the browser goes. Each frame says up to which change it goes, and the next one begins behind it: a reader
 * that comes back with that number misses nothing and gets nothing twice. The store is looked at only while somebody reads.
 */
export async function streamChanges(response: ServerResponse, answers: Pick<AnswerThread, 'changes'>, from: LiveFrom): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  let { after } = from;
  let { store } = from;
  let silentSince = Date.now();
  let waiting = '';
  while (!gone.signal.aborted) {
    const news = await answers.changes(after, store);
    if (gone.signal.aborted) return;
    if (news.is === 'reset') {
      ({ seq: after, store } = news.reset);
      await write(response, gone.signal, `event: reset\nid: ${after}\ndata: ${JSON.stringify(news.reset)}\n\n`);
      silentSince = Date.now();
    } else if (news.is === 'frame') {
      after = news.frame.seq;
      const now = JSON.stringify(news.frame.waiting);
      const frame = now === waiting ? { ...news.frame, waiting: null } : news.frame;
      waiting = now;
      await write(response, gone.signal, `event: changes\nid: ${after}\ndata: ${JSON.stringify(frame)}\n\n`);
      silentSince = Date.now();
    } else if (Date.now() - silentSince > QUIET_MS) {
      await write(response, gone.signal, ':\n\n');
      silentSince = Date.now();
    }
    await sleep(FRAME_MS, undefined, { signal: gone.signal }).catch(() => {});
  }
}

/** Waits for a browser that reads slowly: what it has not read yet is not kept here. */
async function write(response: ServerResponse, gone: AbortSignal, text: string): Promise<void> {
  if (response.write(text) || gone.aborted) return;
  await new Promise<void>((resolve) => {
    // Both are taken back: a stream lives for days, and may wait at each of its frames.
    const end = (): void => {
      response.off('drain', end);
      gone.removeEventListener('abort', end);
      resolve();
    };
    response.once('drain', end);
    gone.addEventListener('abort', end, { once: true });
  });
}
