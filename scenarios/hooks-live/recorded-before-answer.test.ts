import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ask,
  createTestHome,
  eventually,
  killServers,
  removeHome,
  runForwarder,
  selectAll,
  startServer,
  type TestHome,
  writeHook,
} from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

const CALL = { session_id: 's1', tool_use_id: 't1', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: {} };
const NATIVE = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}';
const rows = (sql: string) => selectAll(home.places.store, sql);

/** A hook that speaks the agent's own language. */
function writeNative(): void {
  mkdirSync(home.places.config, { recursive: true });
  const hook = { event: 'pre_tool_use', name: 'own', wants: 'native', command: `printf '%s' '${NATIVE}'` };
  writeFileSync(join(home.places.config, 'settings.json'), JSON.stringify({ hooks: [hook] }));
}

const END = `#!/bin/sh\nprintf '%s' '{"continue":false,"stopReason":"enough"}'\n`;
const MESSAGE = `#!/bin/sh\nprintf '%s' '{"systemMessage":"enough"}'\n`;

it.each<[string, string, () => void, string]>([
  ['ends the run', 'PostToolUse', () => writeHook(home, 'post-tool-use', 'own', END), 'enough'],
  ['tells the person something', 'PreToolUse', () => writeHook(home, 'pre-tool-use', 'own', MESSAGE), 'enough'],
  ['denies in the agent’s own language', 'PreToolUse', writeNative, NATIVE],
])('what a hook said that %s is on record, should the server die right after the answer', async (_what, event, write, told) => {
  await startServer(home);
  await runForwarder(home, 'SessionStart', { session_id: 's1', hook_event_name: 'SessionStart', cwd: home.work });
  await eventually(() => killServers(home) === 0);
  write();
  const crashAt = join(home.places.environment, 'crash-at');
  writeFileSync(crashAt, 'after-answer 1');
  await startServer(home);
  expect((await runForwarder(home, event, { ...CALL, hook_event_name: event, cwd: home.work })).stdout).toContain(told);
  rmSync(crashAt);
  rmSync(join(home.places.environment, 'backoff'), { force: true });
  await runForwarder(home, 'SessionEnd', { session_id: 's1', hook_event_name: 'SessionEnd', cwd: home.work });
  await eventually(async () => {
    await ask(home, 'POST', '/v1/flush');
    return rows("SELECT 1 FROM events WHERE event != 'session_start'").length === 2;
  });
  expect(rows("SELECT late FROM events WHERE event LIKE '%_tool_use'")).toEqual([{ late: 0 }]);
  expect(rows('SELECT exit_code FROM hook_runs')).toEqual([{ exit_code: 0 }]);
});
