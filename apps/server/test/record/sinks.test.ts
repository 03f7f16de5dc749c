import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { encodeFrame } from '@piton/contracts';
import { type Changed, openStore } from '@piton/store';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { everythingIn } from '../../../../packages/store/test/follower.ts';
import { stampOf } from '../../../../packages/store/test/records.ts';
import { journalRecord, RECORD } from '../../src/journal/journal-record.ts';
import { type Recorder, startRecorder } from '../../src/record/recorder.ts';
import { frame } from '../frames.ts';

let home: string;
let script: string;
let recorder: Recorder;
const SEGMENT = '00000001.log';

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'piton-sinks-'));
  script = join(home, 'recorder.cjs');
  const native = createRequire(join(import.meta.dirname, '../../../../packages/store/package.json')).resolve('@photostructure/sqlite');
  await build({
    ...{ entryPoints: [join(import.meta.dirname, '../programs/recorder-with-sinks.ts')], outfile: script, logLevel: 'error' },
    ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20', mainFields: ['module', 'main'] },
    plugins: [
      { name: 'native', setup: (api) => api.onResolve({ filter: /^@photostructure\/sqlite$/ }, () => ({ path: native, external: true })) },
    ],
  });
  for (const name of ['journal', 'config']) mkdirSync(join(home, name));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const target = () => ({ kind: 'sqlite', file: join(home, 'piton.db') }) as const;
const start = (): Recorder =>
  startRecorder({
    script,
    data: {
      ...{ home, config: join(home, 'config'), store: target(), journal: join(home, 'journal') },
      ...{ environment: home, quarantine: join(home, 'aside') },
    },
    onMessage: () => {},
    reportProblem: () => {},
  });

/** Frames with their outcomes, and one of Piton's events, as the server journals them. */
function journal(from: number, to: number): void {
  const path = join(home, 'journal', SEGMENT);
  for (let n = from; n <= to; n++) {
    const stamp = stampOf(n);
    const payload = { session_id: 's', prompt: `prompt ${n}`, hook_event_name: 'UserPromptSubmit' };
    appendFileSync(path, journalRecord(RECORD.frame, encodeFrame(frame(payload, { stamp, monotonicUs: BigInt(n) }))));
    appendFileSync(path, journalRecord(RECORD.outcome, Buffer.from(JSON.stringify({ stamp, kind: 'late' }))));
  }
  const event = {
    ...{ event: 'session-ended', id: stampOf(to + 1), time: '2026-01-05T12:00:00.000Z', checkpoint_id: null, commit_sha: null },
    ...{ session_id: 's', agent: 'claude', branch: null, repo: null, reason: null },
  };
  const own = { cwd: '/w', sessionRoot: null, child: false, attempt: 1, waits: false, event };
  appendFileSync(path, journalRecord(RECORD.pitonEvent, Buffer.from(JSON.stringify(own))));
  recorder.send({ kind: 'grown', segment: SEGMENT, size: statSync(path).size, sealed: false });
}

const idOf = ({ kind, value }: Changed): string =>
  kind === 'event' ? value.eventId : kind === 'piton-event' ? value.event.id : 'id' in value ? value.id : '';

/** The latest version of everything that a sink received. */
function logOf(name: string): Map<string, unknown> {
  const path = join(home, `${name}.log`);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  return new Map(
    lines.map((line) => {
      const [kind, value] = JSON.parse(line) as [Changed['kind'], Changed['value']];
      return [`${kind} ${idOf({ kind, value } as Changed)}`, { kind, value }];
    }),
  );
}

async function inStore(): Promise<Map<string, unknown>> {
  const opened = await openStore(target(), { readonly: true });
  if (!opened.ok) throw new Error(opened.error);
  const all = await everythingIn(opened.store);
  await opened.store.close();
  return new Map([...all].map(([key, value]) => [key, JSON.parse(JSON.stringify(value))]));
}

/** The store may still end sessions by itself, so both are read again. */
const hasAll = (name: string) =>
  expect.poll(async () => isDeepStrictEqual(logOf(name), await inStore()), { timeout: 50_000, interval: 200 }).toBe(true);

it('a sink gets everything that is stored, and one that fails or hangs delays neither the store nor another', async () => {
  writeFileSync(join(home, 'stuck'), '');
  recorder = start();
  journal(1, 45);
  expect(await recorder.flush()).toBe(45);
  const stored = await inStore();
  expect([...stored.keys()].filter((key) => key.startsWith('event '))).toHaveLength(45);
  for (const name of ['good', 'failing']) await hasAll(name);
  expect(logOf('stuck').size).toBe(0);
  expect(await recorder.close()).toBe(true);
  // The next server: the sink that hung gets the same batch again, and the others continue.
  rmSync(join(home, 'stuck'));
  const before = readFileSync(join(home, 'good.log'), 'utf8');
  recorder = start();
  journal(60, 70);
  await recorder.flush();
  for (const name of ['good', 'failing', 'stuck']) await hasAll(name);
  expect(readFileSync(join(home, 'good.log'), 'utf8').slice(before.length)).not.toContain('["event",{"seq":3,');
  await recorder.close();
}, 120_000);
