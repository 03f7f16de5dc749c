import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentFor } from '@piton/agents';
import { ulid } from '@piton/contracts';
import { createRedactor } from '@piton/redact';
import { openStore, type Store } from '@piton/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { endCrashedSessions } from '../../src/record/crashed-sessions.ts';
import { recordOf } from '../../src/record/event-record.ts';
import { frame } from '../frames.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 1) });
let directory: string;
let store: Store;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'piton-crashed-'));
  const opened = await openStore({ kind: 'sqlite', file: join(directory, 'piton.db') });
  if (!opened.ok) throw new Error(opened.error);
  store = opened.store;
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

it('ends every session after a reboot, however many there are', async () => {
  const count = 450;
  const records = Array.from({ length: count }, (_, n) => {
    const random = Buffer.alloc(10);
    random.writeUInt32BE(n, 6);
    const stamp = ulid(1_790_000_000_000, random);
    const prompt = { session_id: `s${n}`, hook_event_name: 'UserPromptSubmit', prompt: 'go', cwd: '/' };
    // Many have the same time: a page that starts in the middle of them must not lose any.
    const received = frame(prompt, { stamp, bootId: 'a-boot-that-is-over', wallUs: 1_790_000_000_000_000n + BigInt(Math.floor(n / 7)) });
    return recordOf(received, { stamp, kind: 'late' }, agentFor, redactor);
  });
  await store.record(records.flat());
  expect(await store.sessions({ phase: 'active', limit: 1000 })).toHaveLength(count);
  await endCrashedSessions(store, redactor, Date.now());
  expect(await store.sessions({ phase: 'active', limit: 1000 })).toEqual([]);
  expect(await store.sessions({ phase: 'ended', limit: 1000 })).toHaveLength(count);
});
