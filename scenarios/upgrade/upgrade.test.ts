import { cpSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ask, createTestHome, eventually, pause, removeHome, runForwarder, selectAll, serverPids, type TestHome } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

it('a new version in place takes over once, and no event is lost on the way', async () => {
  const sent: string[] = [];
  const send = async () => {
    const id = `call-${sent.length}`;
    sent.push(id);
    const { code } = await runForwarder(home, 'PreToolUse', {
      session_id: 's',
      hook_event_name: 'PreToolUse',
      cwd: home.work,
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_use_id: id,
    });
    expect(code).toBe(0);
  };
  await send();
  const [old] = serverPids(home);
  // As `piton init` does it: the new files first, then one rename.
  cpSync(join(home.places.runtime, 'test'), join(home.places.runtime, 'newer'), { recursive: true, verbatimSymlinks: true });
  symlinkSync('newer', join(home.places.runtime, 'next'));
  renameSync(join(home.places.runtime, 'next'), home.places.current);
  const until = Date.now() + 100_000;
  while (Date.now() < until && serverPids(home).includes(old as number)) await send();
  for (let i = 0; i < 5; i++) await send();
  const pids = serverPids(home);
  expect(pids).toHaveLength(1);
  expect(pids).not.toContain(old);
  const read = () => selectAll(home.places.store, 'SELECT tool_use_id FROM events').map((row) => row.tool_use_id);
  await eventually(async () => {
    await ask(home, 'POST', '/v1/flush');
    return read().length >= sent.length;
  });
  expect(read().sort()).toEqual(sent.sort());
});

it('a forwarder that is still reading its payload when the server retires is answered by the next', async () => {
  await runForwarder(home, 'SessionStart', { session_id: 's', hook_event_name: 'SessionStart', cwd: home.work });
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slow = runForwarder(
    home,
    'PreToolUse',
    {
      session_id: 's',
      hook_event_name: 'PreToolUse',
      cwd: home.work,
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_use_id: 'slow',
    },
    { gate },
  );
  await pause(300);
  await ask(home, 'POST', '/v1/retire');
  expect(await eventually(() => serverPids(home).length === 0)).toBe(true);
  open();
  expect(await slow).toEqual({ code: 0, stdout: '{}', stderr: '' });
  await ask(home, 'POST', '/v1/flush');
  expect(selectAll(home.places.store, "SELECT late FROM events WHERE tool_use_id = 'slow'")).toEqual([{ late: 0 }]);
});
