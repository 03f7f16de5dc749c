import { machineSource, recordId, type TeamCloudEvent } from '@piton/contracts/team';
import type { TeamChange, TeamGap } from '@piton/store/team';

type Changes =
  | { readonly ok: true; readonly changes: readonly TeamChange[]; readonly gaps: readonly TeamGap[] }
  | { readonly ok: false; readonly error: string };

/** The records of a batch as the database keeps them. What a record says of itself has to be true of who sends it. */
export function changesOf(records: readonly TeamCloudEvent[], machine: string, store: string): Changes {
  const changes: TeamChange[] = [];
  const gaps: TeamGap[] = [];
  for (const record of records) {
    const seq = Number(record.pitonchange);
    if (record.source !== machineSource(machine)) return { ok: false, error: `${record.id} is of another machine` };
    if (record.id !== recordId(store, seq)) return { ok: false, error: `${record.id} is of another store, or another change` };
    if (record.type === 'piton.gap.v1') gaps.push({ from: record.data.from, to: record.data.through, reason: record.data.reason });
    else changes.push(changeOf(record, seq));
  }
  return { ok: true, changes, gaps };
}

const us = (time: string): number => Date.parse(time) * 1000;

function changeOf(record: Exclude<TeamCloudEvent, { type: 'piton.gap.v1' }>, seq: number): TeamChange {
  const none = { session: null, event: null, decision: null, tokens: null } as const;
  switch (record.type) {
    case 'piton.event.v1': {
      const { body, ...header } = record.data;
      const { eventId: id, session, agent, event, decision, at, repository } = header;
      return {
        ...none,
        ...{ seq, kind: 'event', id, wallUs: us(at), session, repo: repository?.id ?? null, agent, event, decision },
        ...texts(header, body),
      };
    }
    case 'piton.session.v1': {
      const { body, ...header } = record.data;
      const { session, agent, lastAt, repository } = header;
      return {
        ...none,
        ...{ seq, kind: 'session', id: session, wallUs: us(lastAt), session, repo: repository?.id ?? null, agent },
        ...texts(header, body),
      };
    }
    case 'piton.checkpoint.v1': {
      const { id, at, repository, agent, did } = record.data;
      return {
        ...none,
        ...{ seq, kind: 'piton-event', id, wallUs: us(at), repo: repository?.id ?? null, agent, event: did },
        ...texts(record.data, null),
      };
    }
    case 'piton.push.v1': {
      const { id, at, repository } = record.data;
      return { ...none, ...{ seq, kind: 'push', id, wallUs: us(at), repo: repository.id, agent: null }, ...texts(record.data, null) };
    }
    case 'piton.usage.v1': {
      const { session, at, repository, agent, models } = record.data;
      const sum = (of: 'input' | 'output' | 'cacheRead' | 'cacheWrite'): number => models.reduce((all, { tokens }) => all + tokens[of], 0);
      const tokens = { input: sum('input'), output: sum('output'), cacheRead: sum('cacheRead'), cacheWrite: sum('cacheWrite') };
      return {
        ...none,
        ...{ seq, kind: 'transcript', id: session, wallUs: us(at), session, repo: repository?.id ?? null, agent, tokens },
        ...texts(record.data, null),
      };
    }
  }
}

const texts = (header: object, body: object | null) => ({ header: { ...header }, body: body === null ? null : JSON.stringify(body) });
