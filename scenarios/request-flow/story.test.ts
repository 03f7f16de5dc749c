import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ask,
  createTestHome,
  eventually,
  killServers,
  removeHome,
  runForwarder,
  selectAll,
  type TestHome,
  writeHook,
} from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// The story of seed 002: the plugin declares, the command wraps, the server handles; two decisions and seven fields.
const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.mjs');
let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

const SEVEN = ['event', 'payload', 'projectPath', 'provider', 'providerRef', 'receivedAt', 'schemaVersion'];
const envelope = (more: object = {}) => ({
  schemaVersion: 1,
  provider: 'claude',
  event: 'session_start',
  providerRef: 'abc',
  projectPath: home.work,
  receivedAt: '2026-01-02T03:04:05.678Z',
  payload: { session_id: 'abc', hook_event_name: 'SessionStart', source: 'startup', cwd: home.work },
  ...more,
});
const post = (body: unknown) => ask<Record<string, unknown>>(home, 'POST', '/v1/envelopes', body);
const startSession = () =>
  runForwarder(home, 'SessionStart', { session_id: 's1', hook_event_name: 'SessionStart', source: 'startup', cwd: home.work });

async function flushed(): Promise<void> {
  await ask(home, 'POST', '/v1/flush');
}

describe('the five steps, from a hook event to the agent’s answer', () => {
  it('observe: the event is recorded in silence, and the agent reads {}', async () => {
    const stop = { session_id: 's1', hook_event_name: 'Stop', stop_hook_active: false, cwd: home.work };
    expect(await runForwarder(home, 'Stop', stop)).toEqual({ code: 0, stdout: '{}', stderr: '' });
    await flushed();
    expect(selectAll(home.places.store, 'SELECT native_event, late FROM events')).toEqual([{ native_event: 'Stop', late: 0 }]);
  });

  it('replace: content reaches the context at session start, in the agent’s own form', async () => {
    writeHook(home, 'session-start', '10-overview', '#!/bin/sh\necho "apps/ and packages/ are the rooms"\n');
    const { stdout } = await startSession();
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'apps/ and packages/ are the rooms' },
    });
  });

  it('on PreCompact nothing at all is printed, and a handoff is delivered at the next session start', async () => {
    writeHook(home, 'pre-compact', '10-handoff', '#!/bin/sh\necho \'{"decision":"replace","content":"the plan was X"}\'\n');
    const compact = { session_id: 's1', hook_event_name: 'PreCompact', trigger: 'auto', custom_instructions: null, cwd: home.work };
    expect(await runForwarder(home, 'PreCompact', compact)).toEqual({ code: 0, stdout: '', stderr: '' });
    const { stdout } = await runForwarder(home, 'SessionStart', {
      session_id: 's1',
      hook_event_name: 'SessionStart',
      source: 'compact',
      cwd: home.work,
    });
    expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toBe('the plan was X');
    expect((await startSession()).stdout).toBe('{}');
  });
});

describe('the envelope', () => {
  it('has exactly seven fields, as piton schema prints them', () => {
    const { stdout } = spawnSync(process.execPath, [CLI, 'schema', 'envelope'], { encoding: 'utf8' });
    const schema = JSON.parse(stdout) as { required: string[]; properties: object; additionalProperties: boolean; $schema: string };
    expect(schema.required.sort()).toEqual(SEVEN);
    expect(Object.keys(schema.properties).sort()).toEqual(SEVEN);
    expect(schema.additionalProperties).toBe(false);
    expect(schema.$schema).toContain('2020-12');
  });

  it('wraps what a forwarder sent: the stored one has these fields and the payload as it was', async () => {
    const payload = {
      session_id: 's1',
      hook_event_name: 'SessionStart',
      source: 'startup',
      cwd: home.work,
      unknown_field: { kept: [1, null, 'ü'] },
    };
    await runForwarder(home, 'SessionStart', payload);
    await flushed();
    const [{ event_id: id } = {}] = selectAll(home.places.store, 'SELECT event_id FROM events');
    const { stdout } = spawnSync(process.execPath, [CLI, 'events', 'show', String(id), '--json'], {
      encoding: 'utf8',
      env: { ...process.env, HOME: home.root, PITON_HOME: home.root },
    });
    const shown = JSON.parse(stdout) as { envelope: Record<string, unknown> };
    expect(Object.keys(shown.envelope).sort()).toEqual(SEVEN);
    expect(shown.envelope).toMatchObject({
      schemaVersion: 1,
      provider: 'claude',
      event: 'session_start',
      providerRef: 's1',
      projectPath: home.work,
      payload,
    });
    expect(String(shown.envelope.receivedAt)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('posted whole, is answered with the bare decision', async () => {
    await startSession();
    expect(await post(envelope())).toEqual({ status: 200, body: { decision: 'observe' } });
    await flushed();
    const rows = selectAll(home.places.store, "SELECT received_at, provider_ref FROM events WHERE provider_ref = 'abc'");
    expect(rows).toEqual([{ received_at: '2026-01-02T03:04:05.678Z', provider_ref: 'abc' }]);
  });

  it('posted where commands must run, is decided through a forwarder that attaches', async () => {
    await startSession();
    writeHook(home, 'session-start', '10-context', '#!/bin/sh\necho hello from a command\n');
    const answer = await post(envelope());
    expect(answer?.status).toBe(202);
    const { stdout, status } = spawnSync(home.places.forwarder, ['--attach', String(answer?.body.attach)], {
      encoding: 'utf8',
      cwd: home.work,
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ decision: 'replace', content: 'hello from a command' });
  });

  it('of a newer version gets a clear error and a decision that changes nothing', async () => {
    await startSession();
    const answer = await post(envelope({ schemaVersion: 2 }));
    expect(answer?.status).toBe(422);
    expect(answer?.body).toMatchObject({ decision: 'observe', error: expect.stringMatching(/version 2 is newer.*upgrade/) });
  });

  for (const [what, body, error] of [
    ['an eighth field', { extra: 1 }, /extra/],
    ['an unknown event', { event: 'sesion_start' }, /event/],
    ['a relative project path', { projectPath: 'here' }, /projectPath/],
    ['a time that is none', { receivedAt: 'yesterday' }, /receivedAt/],
    ['an agent that nobody knows', { provider: 'nobody' }, /nobody/],
  ] as const) {
    it(`with ${what} is refused, naming it`, async () => {
      await startSession();
      const answer = await post(envelope(body));
      expect(answer?.status).toBe(400);
      expect(answer?.body).toMatchObject({ decision: 'observe', error: expect.stringMatching(error) });
    });
  }

  it('of the first release is still read', async () => {
    await startSession();
    const sample = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../packages/contracts/samples/1/envelope.json'), 'utf8'),
    ) as object;
    expect((await post(sample))?.status).toBe(200);
  });
});

it('the clock of the envelope is the forwarder’s: what waited for a server keeps its own time', async () => {
  await startSession();
  killServers(home);
  const before = Date.now();
  await runForwarder(home, 'Notification', { session_id: 's1', hook_event_name: 'Notification', message: 'm', cwd: home.work });
  const after = Date.now();
  await eventually(async () => {
    await flushed();
    return selectAll(home.places.store, 'SELECT 1 FROM events').length === 2;
  });
  const [row] = selectAll(home.places.store, "SELECT wall_us FROM events WHERE native_event = 'Notification'");
  expect(Number(row?.wall_us) / 1000).toBeGreaterThanOrEqual(before - 1);
  expect(Number(row?.wall_us) / 1000).toBeLessThanOrEqual(after + 1);
});
