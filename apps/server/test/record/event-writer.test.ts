import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FrameOutcome } from '@piton/lifecycle';
import { openStore } from '@piton/store';
import { execute, selectAll } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EventWriter } from '../../src/record/event-writer.ts';
import { liveRedactor } from '../../src/record/live-redactor.ts';
import type { FromRecorder } from '../../src/record/recorder-messages.ts';
import { frame } from '../frames.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'piton-writer-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('a derived event that the store rejects is quarantined with its reason, and its cause is stored', async () => {
  const path = join(directory, 'piton.db');
  const opened = await openStore({ kind: 'sqlite', file: path });
  if (!opened.ok) throw new Error(opened.error);
  execute(path, `CREATE TRIGGER none BEFORE INSERT ON events WHEN NEW.derived = 1 BEGIN SELECT RAISE(ABORT, 'not this one'); END`);
  const posted: FromRecorder[] = [];
  const quarantine = join(directory, 'aside');
  const redactor = liveRedactor(Buffer.alloc(32, 1), directory, () => {});
  const writer = new EventWriter({ redactor, quarantine, post: (message) => posted.push(message) });
  const call = frame(
    { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't', cwd: '/' },
    { nativeEvent: 'PreToolUse' },
  );
  const frameOutcome: FrameOutcome = {
    stamp: call.stamp,
    kind: 'decided',
    outcome: { decision: { decision: 'deny', verdict: 'deny', reason: 'no' }, delivered: [], trace: [] },
    serverUs: 1,
    depth: 0,
    parent: null,
    repo: null,
    branch: null,
    derived: ['permission_denied'],
  };
  await writer.write(opened.store, [{ frame: call, frameOutcome }], []);
  await opened.store.close();
  expect(selectAll(path, 'SELECT event FROM events')).toEqual([{ event: 'pre_tool_use' }]);
  const [why] = readdirSync(quarantine).filter((name) => name.endsWith('.why'));
  expect(readFileSync(join(quarantine, why ?? ''), 'utf8')).toContain('not this one');
  expect(posted).toContainEqual(expect.objectContaining({ kind: 'problem', what: expect.stringContaining('not this one') }));
});
