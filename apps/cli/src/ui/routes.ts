import { type Answer, jsonAnswer, notFound, problemAnswer } from './answer.ts';
import type { Asked } from './answer-thread.ts';
import { answerEvent, answerText } from './answers/events.ts';
import { answerExport } from './answers/export.ts';
import { answerHealth } from './answers/health.ts';
import { answerBacktest, answerHookRuns, answerHooks, answerShadow } from './answers/hooks.ts';
import { answerItems } from './answers/items.ts';
import { answerLanes } from './answers/lanes.ts';
import { answerMeta } from './answers/meta.ts';
import { answerNow } from './answers/now.ts';
import { answerOverview } from './answers/overview.ts';
import { answerCommits, answerRepositories, answerRepository, answerSteps } from './answers/repository/repositories.ts';
import { answerCheckpoint, answerDiff, answerFile, answerTree } from './answers/repository/trees.ts';
import { answerSearch } from './answers/search.ts';
import { answerSession, answerTurns } from './answers/session.ts';
import { answerEvents, answerSessions } from './answers/sessions.ts';
import type { PageReader } from './reader.ts';

type Maker = (reader: PageReader, query: URLSearchParams, ...ids: string[]) => Promise<unknown>;

/** `:id` stands for one part of the path. */
const ROUTES: Readonly<Record<string, Maker>> = {
  '/api/meta': answerMeta,
  '/api/now': answerNow,
  '/api/sessions': answerSessions,
  '/api/lanes': answerLanes,
  '/api/sessions/:id': answerSession,
  '/api/sessions/:id/turns': answerTurns,
  '/api/sessions/:id/items': answerItems,
  '/api/events': answerEvents,
  '/api/events/:id': answerEvent,
  '/api/sessions/:id/export': answerExport,
  '/api/text': answerText,
  '/api/repositories': answerRepositories,
  '/api/repositories/:id': answerRepository,
  '/api/repositories/:id/commits': answerCommits,
  '/api/repositories/:id/steps': answerSteps,
  '/api/repositories/:id/checkpoints/:id': answerCheckpoint,
  '/api/repositories/:id/tree': answerTree,
  '/api/repositories/:id/diff': answerDiff,
  '/api/repositories/:id/file': answerFile,
  '/api/hooks': answerHooks,
  '/api/hooks/runs': answerHookRuns,
  '/api/hooks/shadow': answerShadow,
  '/api/hooks/backtest': answerBacktest,
  '/api/overview': answerOverview,
  '/api/health': answerHealth,
  '/api/search': answerSearch,
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
