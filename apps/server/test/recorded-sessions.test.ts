import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import { type EventRecord, openStore, type Store } from '@piton/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixturesOf } from '../../../packages/agents/test/fixtures-of.ts';
import { lifeOf, memorySessions } from '../../../packages/store/test/memory-sessions.ts';
import { CONTINUED, DENIED, event, shuffle } from '../../../packages/store/test/records.ts';

let directory: string;
let store: Store;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'piton-recorded-'));
  const opened = await openStore({ kind: 'sqlite', file: join(directory, 'piton.db') });
  if (!opened.ok) throw new Error(opened.error);
  store = opened.store;
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The recorded payloads of a real agent as records, in order. For some of them a hook decided something. */
function recordsOf(agent: Agent): EventRecord[] {
  return fixturesOf(agent.id).recorded.map(({ payload, context }, at) => {
    const { event: name, sessionId, cwd, source, prompt, model, transcriptPath } = agent.decode(payload, context);
    const outcome = name === 'stop' && at % 3 === 0 ? CONTINUED : name === 'pre_tool_use' && at % 4 === 0 ? DENIED : undefined;
    return event(at + 1, {
      ...{ event: name, agent: agent.id, session: sessionId, cwd, pid: 100 + at },
      // Sessions of these recordings never change their id.
      ...(at % 3 === 0 && { branch: `branch-${at}`, repo: `/repo-${at}` }),
      ...(source !== undefined && { source }),
      ...(prompt !== undefined && { prompt }),
      ...(model !== undefined && { model }),
      ...(transcriptPath !== undefined && { transcriptPath }),
      ...(outcome !== undefined && { outcome }),
    });
  });
}

const agentsSource = join(import.meta.dirname, '../../../packages/agents/src');
const withRecordings = AGENTS.filter(({ id }) => existsSync(join(agentsSource, id, 'fixtures/recorded')));

describe.each(withRecordings.map((agent) => [agent.id, agent] as const))('what %s was recorded to send', (_id, agent) => {
  it.each([0, 1, 2])('folds without a database into the sessions that SQLite has (order %i)', async (seed) => {
    const folded = memorySessions();
    const records = recordsOf(agent);
    // In order, or shuffled with some late ones.
    const late = records.filter((_, at) => at % 5 === 0).map((record) => ({ ...record, late: true, outcome: null }));
    const order = seed === 0 ? records : [...shuffle(late, seed), ...shuffle(records, seed)];
    for (let at = 0; at < order.length; at += 7) {
      const batch = order.slice(at, at + 7);
      folded.record(batch, await store.record(batch));
    }
    const list = await store.sessions({ limit: 1000 });
    const lives = [];
    for (const { id } of list) {
      const session = await store.session(id);
      if (session.found === 'one') lives.push(lifeOf(session.value));
    }
    expect(lives.length).toBeGreaterThan(0);
    expect(lives.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(folded.lives());
  });
});
