import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
  mkdirSync(join(box.home, '.gemini'));
  mkdirSync(join(box.home, '.claude'));
});
afterEach(() => box.end());

const addHook = (event: string) => box.write(join(box.config, `hooks/${event}/watch`), '#!/bin/sh\nexit 0\n', 0o755);
const register = async (agent: string): Promise<void> => expect((await box.piton(['init', '--agent', agent, '--yes'])).code).toBe(0);
async function stateOf(id: string): Promise<{ status: string; why: string | null } | undefined> {
  const { hooks } = await box.json<{ hooks: { id: string; status: string; why: string | null }[] }>(['hooks', 'list']);
  const hook = hooks.find((each) => each.id === id);
  return hook && { status: hook.status, why: hook.why };
}

it('a hook whose event no agent has registered is not called ready, until init registers it', async () => {
  await register('gemini');
  addHook('pre-compact');
  const state = await stateOf('user:pre-compact/watch');
  expect(state).toEqual({ status: 'never', why: expect.stringContaining('PreCompress is not registered in Gemini CLI') });
  expect((await box.piton(['hooks'])).stdout).toContain('--agent gemini');
  await register('gemini');
  expect(await stateOf('user:pre-compact/watch')).toEqual({ status: 'ready', why: null });
});

it('one that another agent hears of is ready, and the list says where it waits', async () => {
  await register('gemini');
  await register('claude');
  addHook('pre-compact');
  addHook('stop');
  expect(await stateOf('user:pre-compact/watch')).toEqual({
    status: 'ready',
    why: expect.stringMatching(/PreCompress is not registered in Gemini CLI: piton init --agent gemini/),
  });
  expect(await stateOf('user:stop/watch')).toEqual({ status: 'ready', why: null });
});

it('one for an agent alone says so where that agent does not hear of it', async () => {
  await register('gemini');
  await register('claude');
  box.write(
    join(box.config, 'artifacts/short/ARTIFACT.md'),
    '---\ntype: hook\nversion: 1.0.0\ndescription: Before a compaction\nhook_event: pre_compact\nhook_action: "true"\ntarget_harnesses: [gemini]\n---\n',
  );
  expect(await stateOf('user:artifacts/short')).toMatchObject({ status: 'never' });
});

it('nothing is said where Piton is registered with no agent', async () => {
  addHook('pre-compact');
  expect(await stateOf('user:pre-compact/watch')).toEqual({ status: 'ready', why: null });
});
