import { AGENTS, findAgent } from '@piton/agents';
import * as z from 'zod';
import { Failure } from '../failure.ts';
import { parseSinceOption } from '../options/since.ts';
import { type Reader, readableSession, timeOf } from './history.ts';
import { mayRead } from './scope.ts';
import { historyTool } from './tool.ts';

const MAX_HITS = 20;

export const searchTool = historyTool({
  name: 'search',
  title: 'Search recorded work',
  description:
    'Search what was said and done in this repository by any coding agent, in earlier sessions: prompts, answers, commands, file paths and errors. Every word must occur. Your own current session is left out.',
  input: z.object({
    words: z.string().min(1).max(400).describe('Words, or beginnings of words, that must all occur'),
    agent: z
      .string()
      .max(40)
      .optional()
      .describe(`Only this agent: ${AGENTS.map(({ id }) => id).join(', ')}`),
    session: z.string().max(100).optional().describe('Only this session'),
    branch: z.string().max(300).optional().describe('Only on this branch'),
    file: z.string().max(1000).optional().describe('Only calls that name this file, or a part of its path'),
    since: z.string().max(40).optional().describe('Only newer than this: 90m, 2h, 7d or a date'),
    newest: z.boolean().optional().describe('By time instead of by relevance'),
    limit: z.number().int().min(1).max(MAX_HITS).optional().describe('Default: 10'),
  }),
  async read(reader: Reader, { words, agent, session, branch, file, since, newest, limit = 10 }) {
    const { store, scope, asking } = reader;
    if (!/[\p{L}\p{N}]/u.test(words)) throw new Failure('words has no word to search for: use letters or digits');
    const named = agent === undefined ? undefined : (findAgent(agent)?.id ?? agent);
    const hits = await store.search(words, {
      ...(named !== undefined && { agent: named }),
      ...(branch !== undefined && { branch }),
      ...(file !== undefined && { file }),
      ...(newest && { newest }),
      ...(since !== undefined && { since: parseSinceOption(since) }),
      ...(!scope.all && { path: scope.root }),
      ...(session !== undefined ? { session: (await readableSession(reader, session)).id } : asking && { exceptSession: asking.id }),
      limit,
    });
    const unindexed = await store.unindexed();
    return {
      ...(unindexed > 0 && { about: { not_searchable_yet: unindexed } }),
      records: hits
        .filter((hit) => mayRead(scope, hit))
        .map(({ event, place, excerpt, session: of, agent: by, branch: on, wallUs }) => ({
          quote: excerpt.replace(/[⟦⟧]/g, ''),
          place,
          ...{ agent: by, session: of, event: event?.eventId ?? null, branch: on, time: timeOf(wallUs) },
        })),
      next: 'The tools session and ledger say more about a session.',
    };
  },
});
