import { type Answer, jsonAnswer, notFound, problemAnswer } from './answer.ts';
import type { Asked } from './answer-thread.ts';
import { answerMeta } from './answers/meta.ts';
import { answerEvent, answerText } from './answers/events.ts';
import { answerItems } from './answers/items.ts';
import { answerNow } from './answers/now.ts';
import { answerSession, answerTurns } from './answers/session.ts';
import { answerEvents, answerSessions } from './answers/sessions.ts';
import type { PageReader } from './reader.ts';

type Maker = (reader: PageReader, query: URLSearchParams, ...ids: string[]) => Promise<unknown>;

/** `:id` stands for one part of the path. */
const ROUTES: Readonly<Record<string, Maker>> = {
  '/api/meta': answerMeta,
  '/api/now': answerNow,
  '/api/sessions': answerSessions,
  '/api/sessions/:id': answerSession,
  '/api/sessions/:id/turns': answerTurns,
  '/api/sessions/:id/items': answerItems,
  '/api/events': answerEvents,
  '/api/events/:id': answerEvent,
  '/api/text': answerText,
};

const PATTERNS = Object.entries(ROUTES).map(([route, make]) => ({
  pattern: new RegExp(`^${route.replaceAll(':id', '([^/]+)')}$`),
  make,
}));

/** Answers one request. Never rejects. */
export async function answer(reader: PageReader, { path, query }: Asked): Promise<Answer> {
  try {
    for (const { pattern, make } of PATTERNS) {
      const ids = pattern.exec(path)?.slice(1);
      if (ids === undefined) continue;
      const made = await make(reader, new URLSearchParams(query), ...ids.map(decodeURIComponent));
      return isAnswer(made) ? made : jsonAnswer(made);
    }
    throw notFound('there is nothing at this address');
  } catch (error) {
    return problemAnswer(error);
  }
}

const isAnswer = (value: unknown): value is Answer => typeof value === 'object' && value !== null && 'status' in value && 'body' in value;
