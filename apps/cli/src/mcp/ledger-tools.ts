import { readHandoff } from '@piton/context';
import { LEDGER_KINDS } from '@piton/store';
import * as z from 'zod';
import { Failure } from '../failure.ts';
import { type Reader, readableSession, readableSessions, timeOf } from './history.ts';
import { historyTool } from './tool.ts';

export const ledgerTool = historyTool({
  name: 'ledger',
  title: 'Show what was done',
  description:
    'What sessions have done, as facts with the event that shows each: files written, commands with their exit codes, tests, commits, denials, to-dos, choices. Newest first. Without a session: of all sessions in this repository.',
  input: z.object({
    session: z.string().max(100).optional().describe('The id of a session, or a unique prefix of it'),
    kinds: z.array(z.enum(LEDGER_KINDS)).max(LEDGER_KINDS.length).optional().describe('Only facts of these kinds'),
    limit: z.number().int().min(1).max(200).optional().describe('Default: 50'),
  }),
  async read(reader: Reader, { session, kinds, limit = 50 }) {
    const { store, scope } = reader;
    const of = session === undefined ? (scope.all ? {} : { path: scope.root }) : { session: (await readableSession(reader, session)).id };
    const rows = await store.ledger({ ...of, ...(kinds && { kinds }), limit });
    return { records: rows.map(({ seq: _, wallUs, eventId, ...fact }) => ({ ...fact, event: eventId, time: timeOf(wallUs) })) };
  },
});

export const handoffTool = historyTool({
  name: 'handoff',
  title: 'Take over a session',
  description:
    'What you need to continue an earlier session of any agent: its last prompt, what it did, what failed, what is open and what comes next. Without a session: the latest one in this repository that is not yours.',
  input: z.object({ session: z.string().max(100).optional().describe('The id of a session, or a unique prefix of it') }),
  async read(reader: Reader, { session }) {
    const { asking, store } = reader;
    const other = async () => (await readableSessions(reader, 10)).find(({ id }) => id !== asking?.id);
    const chosen = session === undefined ? await other() : await readableSession(reader, session);
    const handoff = chosen && (await readHandoff(store, chosen.id));
    if (!handoff) throw new Failure('no earlier session in this repository');
    const { files = [], commands = [], tests: _, startedUs, lastUs, ...rest } = handoff;
    return {
      about: { handoff: { ...rest, started: timeOf(startedUs), last: timeOf(lastUs) } },
      records: [...commands.map((fact) => ({ kind: 'command', ...fact })), ...files.map((fact) => ({ kind: 'file', ...fact }))].slice(
        0,
        60,
      ),
    };
  },
});
