import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

const CLI = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url));
let root: string;
let work: string;

const environment = () => ({
  ...{ PATH: process.env.PATH, HOME: root, PITON_HOME: join(root, 'piton'), NO_COLOR: '1', PITON_ALLOW_UNDER_AGENT: '1' },
  ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@e', GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@e' },
});
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: work, env: environment(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const pitonIn = (directory: string, ...args: string[]) =>
  spawnSync(process.execPath, [CLI, ...args], { cwd: join(work, directory), env: environment(), encoding: 'utf8' });
const piton = (...args: string[]) => pitonIn('.', ...args);
const read = (name: string): string => readFileSync(join(work, name), 'utf8');
const fire = (event: string, more: object) =>
  execFileSync(join(root, 'piton', 'state', 'runtime', 'current', 'piton-forward'), ['claude', event, 'user', '60000', '-'], {
    cwd: work,
    env: environment(),
    input: JSON.stringify({ session_id: 's1', hook_event_name: event, cwd: work, ...more }),
  });

/** An agent appends a line to both files by a shell command, in a turn of its own. */
async function agentAppends(line: string): Promise<void> {
  const tool = { tool_name: 'Bash', tool_use_id: line, tool_input: { command: 'x' } };
  fire('UserPromptSubmit', { prompt: `append ${line}` });
  fire('PreToolUse', tool);
  for (const name of ['a.txt', 'sub/a.txt']) appendFileSync(join(work, name), `${line}\n`);
  fire('PostToolUse', { ...tool, tool_response: {} });
  fire('Stop', { stop_hook_active: false });
  await eventually(() => piton('checkpoints', 'list', '--json').stdout.includes(`"name": "append ${line}"`), 20_000);
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-rewind-')));
  work = join(root, 'work');
  mkdirSync(join(work, 'sub'), { recursive: true });
  git('init', '-q', '-b', 'main');
  for (const name of ['a.txt', 'sub/a.txt', 'mine.txt']) writeFileSync(join(work, name), 'one\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  expect(piton('init', '--agent', 'claude', '--yes').status).toBe(0);
});
afterEach(() => {
  piton('server', 'stop');
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

it('takes back the latest turn and not the one before, however it was called', { timeout: 120_000 }, async () => {
  await agentAppends('first');
  await agentAppends('second');
  const unasked = piton('rewind', '--all', '--path', 'a.txt', 'it is.txt');
  expect(unasked.stderr).toContain("--all --path a.txt 'it is.txt' --yes");
  expect(piton('rewind', '--yes').status).toBe(0);
  expect([read('a.txt'), read('sub/a.txt')]).toEqual(['one\nfirst\n', 'one\nfirst\n']);

  const before = piton('rewind', '--undo', '--dry-run');
  expect({ status: before.status, text: before.stdout }).toMatchObject({ status: 0, text: expect.stringContaining('+second') });
  expect(read('a.txt')).toBe('one\nfirst\n');
  for (const more of [['--path', 'a.txt'], ['--all'], ['7QK2M0XA']]) {
    const refused = piton('rewind', '--undo', ...more);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('--undo takes back the whole of the last rewind')]);
  }
  expect(read('a.txt')).toBe('one\nfirst\n');
  expect(piton('rewind', '--undo').status).toBe(0);
  expect(read('a.txt')).toBe('one\nfirst\nsecond\n');

  expect(piton('checkpoints', '--session', 'other').stdout).toBe('No checkpoint here is of session other.\n');
  const nowhere = piton('rewind', '--yes', '--path', '../elsewhere');
  expect([nowhere.status, nowhere.stderr]).toEqual([1, expect.stringContaining('not in this repository')]);
  expect(pitonIn('sub', 'rewind', '--yes', '--path', 'a.txt').status).toBe(0);
  expect([read('a.txt'), read('sub/a.txt')]).toEqual(['one\nfirst\nsecond\n', 'one\nfirst\n']);
  expect(pitonIn('sub', 'rewind', '--yes', '--path', '..').status).toBe(0);
  expect(read('a.txt')).toBe('one\nfirst\n');
});

it('says in JSON that there is nothing to do, and in words what it left alone', { timeout: 120_000 }, async () => {
  await agentAppends('first');
  expect(piton('rewind', '--yes').status).toBe(0);
  expect(JSON.parse(piton('rewind', '--yes', '--json').stdout)).toMatchObject({ written: [], deleted: [], failed: [] });
  expect(piton('rewind', '--undo').stdout).toContain('2 files written');
  expect(read('a.txt')).toBe('one\nfirst\n');
  expect(piton('rewind', '--yes').status).toBe(0);
  appendFileSync(join(work, 'mine.txt'), 'mine\n');
  const { stdout } = piton('rewind', '--yes');
  expect(stdout).toMatch(/Nothing to put back/);
  expect(stdout).toMatch(/keep {4}mine\.txt: you changed it since/);
  expect(stdout).not.toContain('the files are as');
  expect(piton('rewind', '--undo').status).toBe(0);
  appendFileSync(join(work, 'a.txt'), 'mine\n');
  const shown = piton('rewind').stdout;
  expect(shown).toMatch(/write {3}a\.txt {2}with what you changed in it since\n {2}write {3}sub\/a\.txt\n/);
  const { PITON_ALLOW_UNDER_AGENT: _, ...own } = environment();
  const agent = spawnSync(process.execPath, [CLI, 'rewind', '--undo'], { cwd: work, env: { ...own, CLAUDECODE: '1' }, encoding: 'utf8' });
  expect([agent.status, agent.stderr]).toEqual([1, expect.stringContaining('this runs under an agent')]);
  expect(read('a.txt')).toBe('one\nfirst\nmine\n');
});
