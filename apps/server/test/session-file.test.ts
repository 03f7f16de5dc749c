import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CanonicalEvent, EventName } from '@piton/contracts';
import { SessionMemory } from '@piton/lifecycle';
import { createRedactor } from '@piton/redact';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSessionFile } from '../src/session-file.ts';

const redactor = createRedactor({ key: Buffer.alloc(32, 1) });
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'piton-sessions-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const event = (name: EventName, more: Partial<CanonicalEvent> = {}): CanonicalEvent => ({
  event: name,
  names: [name],
  agent: 'claude',
  nativeEvent: name,
  sessionId: 's1',
  cwd: '/repo',
  portable: {},
  raw: {},
  ...more,
});

it('keeps deferred content across a restart, redacted, and returns it once', () => {
  const secret = `ghp${'_'}${'Rt5'.repeat(12)}`;
  new SessionMemory(openSessionFile(directory, redactor)).defer(event('pre_compact'), `the plan was X with ${secret}`);
  expect(readFileSync(join(directory, 'session-roots.jsonl'), 'utf8')).not.toContain(secret);
  const restarted = new SessionMemory(openSessionFile(directory, redactor));
  expect(restarted.takeDeferred(event('session_start'))).toMatch(/^the plan was X with \[redacted:github:/);
  expect(new SessionMemory(openSessionFile(directory, redactor)).takeDeferred(event('session_start'))).toBeUndefined();
});

it('writes no secret to disk, not even one in a path', () => {
  const secret = `ghp${'_'}${'Rt5'.repeat(12)}`;
  new SessionMemory(openSessionFile(directory, redactor)).rootOf(event('session_start', { sessionId: secret, cwd: `/tmp/${secret}` }));
  const kept = readFileSync(join(directory, 'session-roots.jsonl'), 'utf8');
  expect(kept).toContain('[redacted:github:');
  expect(kept).not.toContain(secret);
});
