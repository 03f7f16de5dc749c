import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, createTestHome, eventually, removeHome, runForwarder, selectAll, type TestHome, writeHook } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let home: TestHome;
let log: string;
beforeEach(() => {
  home = createTestHome();
  log = join(home.root, 'log');
  writeHook(home, 'pre-tool-use', '10-guard', '#!/bin/sh\n[ "$PITON_TOOL_COMMAND" = make ] || exit 0\necho "not here" >&2; exit 2\n');
  for (const event of ['permission-denied', 'post-tool-use-failure'])
    writeHook(home, event, '10-log', `#!/bin/sh\ncat >> ${log}.${event}; echo >> ${log}.${event}\n`);
});
afterEach(() => removeHome(home));

const call = (event: string, more: object = {}) => ({
  session_id: 's1',
  hook_event_name: event,
  cwd: home.work,
  tool_name: 'Bash',
  tool_input: { command: 'make' },
  tool_use_id: 'call-1',
  ...more,
});
const logged = (event: string): Record<string, unknown>[] =>
  existsSync(`${log}.${event}`)
    ? readFileSync(`${log}.${event}`, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    : [];
const both = (): number[] => ['permission-denied', 'post-tool-use-failure'].map((event) => logged(event).length);

describe('a call that a hook denied', () => {
  it('runs the hooks on permission_denied and post_tool_use_failure, after the answer', async () => {
    expect((await runForwarder(home, 'PreToolUse', call('PreToolUse'))).stdout).toContain('not here');
    expect(await eventually(() => both().join() === '1,1')).toBe(true);
    expect(logged('permission-denied')[0]).toMatchObject({
      hook_event_name: 'PermissionDenied',
      tool_name: 'Bash',
      tool_input: { command: 'make' },
      tool_use_id: 'call-1',
      reason: 'not here',
      piton: { event: 'permission_denied', derived: true },
    });
    expect(logged('post-tool-use-failure')[0]).toMatchObject({ hook_event_name: 'PostToolUseFailure', error: 'not here' });
    await ask(home, 'POST', '/v1/flush');
    expect(await eventually(() => selectAll(home.places.store, 'SELECT hook FROM hook_runs').length === 3)).toBe(true);
  });

  it('runs them once where the agent reports the failure itself', async () => {
    await runForwarder(home, 'PreToolUse', call('PreToolUse'));
    expect(await eventually(() => both().join() === '1,1')).toBe(true);
    await runForwarder(home, 'PostToolUseFailure', call('PostToolUseFailure', { error: 'denied by a hook' }));
    await runForwarder(home, 'PostToolUseFailure', call('PostToolUseFailure', { tool_use_id: 'call-2', error: 'of its own' }));
    expect(await eventually(() => logged('post-tool-use-failure').length === 2)).toBe(true);
    expect(logged('post-tool-use-failure').map(({ error }) => error)).toEqual(['not here', 'of its own']);
  });

  it('runs none of them where nothing was denied', async () => {
    await runForwarder(home, 'PreToolUse', call('PreToolUse', { tool_input: { command: 'ls' }, tool_use_id: 'call-0' }));
    await runForwarder(home, 'PreToolUse', call('PreToolUse'));
    expect(await eventually(() => both().join() === '1,1')).toBe(true);
    expect(logged('permission-denied')[0]).toMatchObject({ tool_use_id: 'call-1' });
  });
});

describe('what a hook decides on an event that takes no answer', () => {
  it('is on record as dropped', async () => {
    writeHook(home, 'stop-failure', '10-context', '#!/bin/sh\nprintf \'{"decision":"replace","content":"remember"}\'\n');
    await runForwarder(home, 'StopFailure', { session_id: 's1', hook_event_name: 'StopFailure', cwd: home.work, error: 'rate_limit' });
    const notes = () => selectAll(home.places.store, "SELECT note FROM hook_runs WHERE hook LIKE '%10-context'");
    expect(
      await eventually(async () => {
        await ask(home, 'POST', '/v1/flush');
        return notes().length === 1;
      }),
    ).toBe(true);
    expect(notes()).toEqual([{ note: 'its replace was dropped: this event takes no answer' }]);
  });
});
