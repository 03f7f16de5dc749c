import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandCall, runPiton, runPitonSync } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-command-test-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const callIn = (name: string, more: Record<string, string> = {}): CommandCall => {
  const cwd = join(root, name);
  mkdirSync(cwd, { recursive: true });
  return { cwd, env: { PATH: process.env.PATH, HOME: cwd, PITON_HOME: join(cwd, 'piton'), PITON_ALLOW_UNDER_AGENT: '1', ...more } };
};

// The first call of each is a process, as a person starts it: what the resident leaves must be the same.
it.each([
  ['prints', ['schema', 'envelope'], 0],
  ['finds something wrong', ['doctor', '--json'], 1],
  ['fails', ['rewind', 'nothing'], 1],
  ['refuses a word', ['statsu'], 2],
  ['refuses an option', ['agents', '--nonsense'], 2],
  ['shows help', ['settings', '--help'], 0],
])('a command that %s leaves the same, whether it is a process or not', async (_what, args, code) => {
  const call = callIn('home');
  const process = await runPiton(args, call);
  expect(process.code).toBe(code);
  expect(process.stdout + process.stderr).not.toBe('');
  expect(await runPiton(args, call)).toEqual(process);
  expect(runPitonSync(args, call)).toEqual(process);
  expect(await runPiton(args, call)).toEqual(process);
});

/** Outside of a repository it says where, and fails. */
const PLACE = ['init', '--project', '--yes'];

it('each call has its own directory, variables and exit code', async () => {
  const [one, other] = [callIn('one'), callIn('other')];
  for (const call of [one, other, one, other]) {
    const { code, stderr } = await runPiton(PLACE, call);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(call.cwd) });
    const settings = join(call.cwd, 'piton', 'config', 'settings.json');
    rmSync(settings, { force: true });
    expect(runPitonSync(['settings', 'set', 'hooks_enabled', 'true'], call).status).toBe(0);
    expect(existsSync(settings)).toBe(true);
  }
});

it('several at a time do not meet', async () => {
  const calls = ['a', 'b', 'c', 'd'].map((name) => callIn(name));
  for (let round = 0; round < 2; round += 1) {
    const ends = await Promise.all(calls.map((call) => runPiton(PLACE, call)));
    for (const [at, { stderr }] of ends.entries()) expect(stderr).toContain(calls[at]?.cwd);
  }
});
