import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ask, createTestHome, eventually, removeHome, runForwarder, selectAll, serverPids, type TestHome, writeHook } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

let home: TestHome;
let log: string;
beforeEach(() => {
  home = createTestHome();
  log = join(home.root, 'log');
});
afterEach(() => removeHome(home));

const NOOP = { code: 0, stdout: '{}', stderr: '' };
const prompt = (text: string) => ({ session_id: 's1', hook_event_name: 'UserPromptSubmit', cwd: home.work, prompt: text });
const shell = (command: string) => ({
  ...{ session_id: 's1', hook_event_name: 'PreToolUse', cwd: home.work, tool_use_id: command },
  ...{ tool_name: 'Bash', tool_input: { command } },
});
const rows = (sql: string) => selectAll(home.places.store, sql);
const flush = () => ask(home, 'POST', '/v1/flush');

it('a hook that says nothing is on record with all that it did', async () => {
  writeHook(home, 'user-prompt-submit', 'quiet', `#!/bin/sh\ncat >> ${log}\necho aside >&2\n`);
  expect(await runForwarder(home, 'UserPromptSubmit', prompt('hello'))).toEqual(NOOP);
  expect(JSON.parse(readFileSync(log, 'utf8'))).toMatchObject({ prompt: 'hello' });
  await eventually(async () => {
    await flush();
    return rows('SELECT 1 FROM hook_runs').length > 0;
  });
  expect(rows('SELECT hook, exit_code, failed FROM hook_runs')).toEqual([
    { hook: 'user:user-prompt-submit/quiet', exit_code: 0, failed: null },
  ]);
  expect(rows("SELECT late FROM events WHERE event = 'user_prompt_submit'")).toEqual([{ late: 0 }]);
});

it('a hook that ends the server and says nothing runs once, and the agent has its answer', async () => {
  await runForwarder(home, 'UserPromptSubmit', prompt('first'));
  const [pid] = serverPids(home);
  writeHook(home, 'user-prompt-submit', 'killer', `#!/bin/sh\necho ran >> ${log}\nkill -9 ${pid}\n`);
  expect(await runForwarder(home, 'UserPromptSubmit', prompt('second'))).toEqual(NOOP);
  expect(readFileSync(log, 'utf8')).toBe('ran\n');
  // The next event starts a server, which finds the one before in the journal.
  rmSync(join(home.places.config, 'hooks'), { recursive: true });
  expect(await runForwarder(home, 'UserPromptSubmit', prompt('third'))).toEqual(NOOP);
  await eventually(async () => {
    await flush();
    return rows("SELECT 1 FROM events WHERE event = 'user_prompt_submit'").length === 3;
  });
  expect(serverPids(home)).not.toContain(pid);
});

it('a hook that says nothing does not speak for a later one that denies', async () => {
  writeHook(home, 'pre-tool-use', '10-quiet', '#!/bin/sh\nexit 0\n');
  writeHook(home, 'pre-tool-use', '20-no', '#!/bin/sh\necho never >&2; exit 2\n');
  const { stdout } = await runForwarder(home, 'PreToolUse', shell('ls'));
  expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'deny', permissionDecisionReason: 'never' });
});

it('a hook that says nothing does not speak for the built-in guard', async () => {
  writeHook(home, 'pre-tool-use', 'quiet', '#!/bin/sh\nexit 0\n');
  const { stdout } = await runForwarder(home, 'PreToolUse', shell('rm -rf .piton'));
  expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' });
});

it('a hook that makes its first decision after many runs without one takes effect', async () => {
  writeHook(home, 'user-prompt-submit', 'seldom', '#!/bin/sh\ngrep -q secret && echo "mind the secret"\nexit 0\n');
  for (const text of ['one', 'two']) expect(await runForwarder(home, 'UserPromptSubmit', prompt(text))).toEqual(NOOP);
  const { stdout } = await runForwarder(home, 'UserPromptSubmit', prompt('the secret'));
  expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toContain('mind the secret');
});
