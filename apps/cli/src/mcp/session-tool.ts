import type { SessionDetail, SessionSummary, Store } from '@piton/store';
import * as z from 'zod';
import { type Reader, readableSession, readableSessions, timeOf } from './history.ts';
import { historyTool } from './tool.ts';

const MAX_TURNS = 30;

export const sessionTool = historyTool({
  name: 'session',
  title: 'Show sessions',
  description:
    'Without an id: the recent sessions of any coding agent in this repository, newest first. With an id: its turns with their prompts, and its last answer.',
  input: z.object({
    id: z.string().max(100).optional().describe('The id of a session, or a unique prefix of it'),
    limit: z.number().int().min(1).max(50).optional().describe('How many sessions or turns. Default: 10'),
  }),
  async read(reader: Reader, { id, limit = 10 }) {
    if (id === undefined) {
      const sessions = await readableSessions(reader, limit);
      return { records: sessions.map((session) => ({ ...summary(session), ...(session.id === reader.asking?.id && { is_yours: true }) })) };
    }
    const session = await readableSession(reader, id);
    const turns = session.turnList.slice(-Math.min(limit, MAX_TURNS)).reverse();
    return {
      about: { session: { ...summary(session), last_answer: await lastAnswer(reader.store, session) } },
      records: turns.map(({ id: event, number, prompt, startedUs, closed, tools, denials, commits }) => ({
        ...{ turn: number, prompt, time: timeOf(startedUs), ended: closed, tools, denials, commits, event },
      })),
      next: 'The tool ledger has what was done in it.',
    };
  },
});

const summary = (session: SessionSummary) => ({
  ...{ id: session.id, agent: session.agent, state: session.phase, end_reason: session.endReason, branch: session.branch },
  ...{ started: timeOf(session.startedUs), last: timeOf(session.lastUs), model: session.model },
  ...{ turns: session.turns, tools: session.tools, denials: session.denials, commits: session.commits },
  first_prompt: session.firstPrompt,
});

async function lastAnswer(store: Store, { id }: SessionDetail): Promise<string | null> {
  const transcripts = await store.transcripts(id);
  const own = transcripts.filter(({ agentId }) => agentId === null).at(-1);
  return own?.list.findLast(({ kind, text }) => kind === 'answer' && text !== null)?.text ?? null;
}
