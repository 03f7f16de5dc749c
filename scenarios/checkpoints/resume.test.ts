import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CLI, closeScene, environment, fire, git, openScene, piton } from './setup.ts';

let root: string;
let work: string;

beforeEach(async () => {
  ({ root, work } = openScene());
  mkdirSync(join(work, 'sub'));
  writeFileSync(join(work, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  expect(piton('init', '--agent', 'claude', '--yes').status).toBe(0);
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'bin', 'claude'), `#!/bin/sh\nprintf '%s\\n' "$PWD" "$@" > ${root}/ran\nexit 7\n`, { mode: 0o755 });
});
afterEach(closeScene);

/** As somebody who has Claude Code on their PATH. */
const resume = (...args: string[]) => {
  const env = { ...environment(), PATH: `${join(root, 'bin')}:${process.env.PATH}` };
  return spawnSync(process.execPath, [CLI, 'resume', ...args], { cwd: join(work, 'sub'), env, encoding: 'utf8' });
};
const ran = () => existsSync(join(root, 'ran'));

async function turnOf(session: string): Promise<void> {
  fire('UserPromptSubmit', { session_id: session, prompt: session });
  const edit = { session_id: session, tool_name: 'Write', tool_use_id: 'u', tool_input: { file_path: join(work, 'a.txt'), content: 'x' } };
  fire('PreToolUse', edit);
  writeFileSync(join(work, 'a.txt'), `${session}\n`);
  fire('PostToolUse', { ...edit, tool_response: {} });
  fire('Stop', { session_id: session, stop_hook_active: false });
  await eventually(() => piton('checkpoints', 'list', '--json').stdout.includes(`"name": "${session}"`));
}

it('prints the agent’s own command, or runs it at the root of the repository and ends as it ends', async () => {
  await turnOf('s1');
  expect(resume().stdout).toBe('claude --resume s1\n');
  expect(JSON.parse(resume('--json').stdout)).toEqual({
    agent: 'claude',
    session: 's1',
    argv: ['claude', '--resume', 's1'],
    directory: work,
  });
  expect(ran()).toBe(false);
  expect(resume('main', '--run').status).toBe(7);
  expect(readFileSync(join(root, 'ran'), 'utf8')).toBe(`${work}\n--resume\ns1\n`);
  rmSync(join(root, 'ran'));

  const both = resume('--run', '--json');
  expect([both.status, both.stdout, both.stderr]).toEqual([2, '', expect.stringContaining('--run and --json cannot be combined')]);
  expect(ran()).toBe(false);
  rmSync(join(root, 'bin', 'claude'));
  expect(resume('--run').stderr).toMatch(/could not be started[\s\S]*fix: claude --resume s1/);
});

it('hands no agent an id that it would take for an option', async () => {
  await turnOf('--dangerously-skip-permissions');
  for (const args of [[], ['--run'], ['--json']]) {
    const { status, stdout, stderr } = resume(...args);
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining('looks like an option')]);
  }
  expect(ran()).toBe(false);
});
