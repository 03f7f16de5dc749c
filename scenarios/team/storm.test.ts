import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TeamCloudEvent } from '@piton/contracts/team';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startMachine } from '../../apps/cli/test/team/machine.ts';
import { event } from '../../packages/store/test/records.ts';
import { postgresHere } from '../../scripts/postgres.mjs';
import { teamStage } from './setup.ts';

const { Client } = createRequire(new URL('../../packages/store/package.json', import.meta.url))('pg') as {
  readonly Client: new (options: {
    connectionString: string;
  }) => {
    connect(): Promise<void>;
    query(sql: string): Promise<{ rows: Record<string, unknown>[] }>;
    end(): Promise<void>;
  };
};

const MACHINES = 20;
const EVENTS = 60;
const HOUR_MS = 3_600_000;

/** A row of numbers that follow from the seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

const name = `${MACHINES} machines with wrong clocks, three replicas and PostgreSQL killed at random`;
if (postgresHere() === undefined) console.log(`skipped, for want of PostgreSQL (node scripts/postgres.mjs): ${name}`);

describe.skipIf(postgresHere() === undefined)(name, () => {
  let stage: Awaited<ReturnType<typeof teamStage>>;
  let machines: Awaited<ReturnType<typeof startMachine>>[];
  beforeAll(async () => {
    stage = await teamStage(3);
  }, 60_000);
  afterAll(async () => {
    await Promise.all((machines ?? []).map((machine) => machine.remove()));
    await stage.end();
  }, 60_000);

  it('what the senders have sent is what the tables hold: nothing lost, nothing doubled', async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 100_000);
    console.log(`storm: SEED=${seed}`);
    const random = randomFrom(seed);
    const own = stage.store.tenant(stage.tenant);
    const said: Map<string, TeamCloudEvent>[] = [];
    machines = await Promise.all(
      Array.from({ length: MACHINES }, async (_, at) => {
        const log = new Map<string, TeamCloudEvent>();
        said.push(log);
        const code = await own.makeJoinCode({ person: stage.admin, seconds: 600 });
        return startMachine(
          { url: stage.url, tenant: { id: stage.tenant } },
          {
            ...{ join: code, now: () => Date.now() + (at % 5) * 700 * HOUR_MS - 1400 * HOUR_MS },
            onKeep: (text) => {
              for (const record of JSON.parse(text) as TeamCloudEvent[]) log.set(`${record.id}\n${JSON.stringify(record.data)}`, record);
            },
          },
        );
      }),
    );
    for (const machine of machines) machine.start();
    const recording = machines.map(async (machine, at) => {
      for (let n = 0; n < EVENTS; n += 10) {
        const batch = Array.from({ length: 10 }, (_, of) =>
          event(at * 1000 + n + of, { event: 'pre_tool_use', session: `ref-${at}-${of % 3}` }),
        );
        expect(await machine.store.record(batch)).toMatchObject({ ok: true });
        await sleep(300 + random(500));
      }
    });
    const killing = (async () => {
      for (let round = 0; round < 6; round++) {
        await sleep(300 + random(400));
        const victim = stage.replicas[random(stage.replicas.length)];
        await victim?.end('SIGKILL');
        if (round === 2 || round === 4) {
          await stage.postgres.kill();
          await sleep(random(300));
          await stage.postgres.start();
        }
        await victim?.start();
      }
    })();
    await Promise.all([...recording, killing]);
    await vi.waitFor(
      async () => {
        for (const machine of machines) {
          const { seq } = await machine.store.lastChange();
          expect(Math.max(machine.state().position, machine.state().scanned)).toBe(seq);
        }
      },
      { timeout: 40_000, interval: 100 },
    );

    const client = new Client({ connectionString: stage.owner });
    await client.connect();
    const { rows } = await client.query('SELECT machine_id::text AS machine, epoch, seq::text AS seq, kind, id, header FROM piton.changes');
    const { rows: twice } = await client.query('SELECT machine_id, epoch, seq FROM piton.changes GROUP BY 1, 2, 3 HAVING count(*) > 1');
    await client.end();
    expect(twice).toEqual([]);
    for (const [at, machine] of machines.entries()) {
      const stored = rows.filter((row) => row.machine === machine.machine);
      // Every row is a record that this machine had in its own log, under that number and with that content.
      const sent = [...(said[at]?.values() ?? [])];
      for (const row of stored) {
        const same = sent.filter((record) => record.id === `${row.epoch}/${row.seq}`);
        expect(same.some(({ data }) => isSame(row.header, data))).toBe(true);
      }
      // And what the machine's store holds now is there, under its number.
      const changes = (await machine.store.changesSince(0, 10_000)).filter(({ kind }) => kind === 'event' || kind === 'session');
      const numbers = new Set(stored.map(({ seq }) => seq));
      expect(changes.filter(({ seq }) => !numbers.has(String(seq)))).toEqual([]);
      expect(stored.filter(({ kind }) => kind === 'event')).toHaveLength(EVENTS);
    }
    expect(rows.length).toBeGreaterThanOrEqual(MACHINES * EVENTS);
  }, 100_000);
});

/** The body stands apart in the tables. */
const isSame = (header: unknown, data: object): boolean => {
  const { body: _, ...rest } = data as Record<string, unknown>;
  const sorted = (value: unknown): string =>
    JSON.stringify(value, (__, each) =>
      each !== null && typeof each === 'object' && !Array.isArray(each) ? Object.fromEntries(Object.entries(each).sort()) : each,
    );
  return sorted(header) === sorted(rest);
};
