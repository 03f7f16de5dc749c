import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CLI, closeScene, environment, fire, git, openScene, piton, pitonIn } from './setup.ts';

let work: string;

const read = (name: string): string => readFileSync(join(work, name), 'utf8');

/** An agent appends a line to both files by a shell command, in a turn of its own. */
async function agentAppends(line: string): Promise<void> {
  const tool = { tool_name: 'Bash', tool_use_id: line, tool_input: { command: 'x' } };
  fire('UserPromptSubmit', { prompt: `append ${line}` });
  fire('PreToolUse', tool);
  for (const name of ['a.txt', 'sub/a.txt']) appendFileSync(join(work, name), `${line}\n`);
  fire('PostToolUse', { ...tool, tool_response: {} });
  fire('Stop', { stop_hook_active: false });
  await eventually(() => piton('checkpoints', 'list', '--json').stdout.includes(`"name": "append ${line}"`));
}

beforeEach(() => {
  ({ work } = openScene());
  mkdirSync(join(work, 'sub'));
  for (const name of ['a.txt', 'sub/a.txt', 'mine.txt']) writeFileSync(join(work, name), 'one\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  expect(piton('init', '--agent', 'claude', '--yes').status).toBe(0);
});
afterEach(closeScene);

it('takes back the latest turn and not the one before, however it was called', async () => {
  await agentAppends('first');
  await agentAppends('second');
  expect(piton('checkpoints').stdout).toMatch(/append second +a\.txt, sub\/a\.txt\n/);
  expect(JSON.parse(piton('checkpoints', 'list', '--json').stdout).at(-1).files).toEqual(['a.txt', 'sub/a.txt']);
  writeFileSync(join(work, 'it is.txt'), 'mine\n');
  const unasked = piton('rewind', '--all', '--path', 'a.txt', 'it is.txt');
  expect(unasked.stderr).toContain("--all --path a.txt 'it is.txt' --yes");
  expect(piton('rewind', '--yes').status).toBe(0);
  expect([read('a.txt'), read('sub/a.txt')]).toEqual(['one\nfirst\n', 'one\nfirst\n']);

  const before = piton('rewind', '--undo', '--dry-run');
  expect({ status: before.status, text: before.stdout }).toMatchObject({ status: 0, text: expect.stringContaining('+second') });
  expect(read('a.txt')).toBe('one\nfirst\n');
  for (const more of [['--path', 'a.txt'], ['--all'], ['7QK2M0XA']]) {
    const refused = piton('rewind', '--undo', ...more);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('--undo reverts the whole last rewind')]);
  }
  expect(read('a.txt')).toBe('one\nfirst\n');
  expect(piton('rewind', '--undo').status).toBe(0);
  expect(read('a.txt')).toBe('one\nfirst\nsecond\n');

  const unknown = piton('checkpoints', '--session', 'other');
  expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining('no session starts with "other"')]);
  const nowhere = piton('rewind', '--yes', '--path', '../elsewhere');
  expect([nowhere.status, nowhere.stderr]).toEqual([1, expect.stringContaining('not in this repository')]);
  expect(pitonIn('sub', 'rewind', '--yes', '--path', 'a.txt').status).toBe(0);
  expect([read('a.txt'), read('sub/a.txt')]).toEqual(['one\nfirst\nsecond\n', 'one\nfirst\n']);
  expect(pitonIn('sub', 'rewind', '--yes', '--path', '..').status).toBe(0);
  expect(read('a.txt')).toBe('one\nfirst\n');
});

it('says in JSON that there is nothing to do, and in words what it left alone', async () => {
  await agentAppends('first');
  expect(piton('rewind', '--yes').status).toBe(0);
  expect(JSON.parse(piton('rewind', '--yes', '--json').stdout)).toMatchObject({ written: [], deleted: [], failed: [] });
  expect(piton('rewind', '--undo').stdout).toContain('2 files written');
  expect(read('a.txt')).toBe('one\nfirst\n');
  expect(piton('rewind', '--yes').status).toBe(0);
  appendFileSync(join(work, 'mine.txt'), 'mine\n');
  const { stdout } = piton('rewind', '--yes');
  expect(stdout).toMatch(/Nothing to restore/);
  expect(stdout).toMatch(/keep {4}mine\.txt: you changed it since/);
  expect(stdout).not.toContain('the files match');
  expect(piton('rewind', '--undo', '--yes').status).toBe(0);
  appendFileSync(join(work, 'a.txt'), 'mine\n');
  const shown = piton('rewind').stdout;
  expect(shown).toMatch(/write {3}a\.txt {2}includes your changes since\n {2}write {3}sub\/a\.txt {2}shared: may include your changes\n/);
  const { PITON_ALLOW_UNDER_AGENT: _, ...own } = environment();
  const agent = spawnSync(process.execPath, [CLI, 'rewind', '--undo', '--yes'], {
    cwd: work,
    env: { ...own, CLAUDECODE: '1' },
    encoding: 'utf8',
  });
  expect([agent.status, agent.stderr]).toEqual([1, expect.stringContaining('under an agent')]);
  expect(read('a.txt')).toBe('one\nfirst\nmine\n');
});

it('asks before it takes back a rewind after which much was done, says which one that was, and loses nothing', {
  timeout: 120_000,
}, async () => {
  await agentAppends('first');
  expect(piton('rewind', '--yes').status).toBe(0);
  appendFileSync(join(work, 'mine.txt'), 'mine\n');
  await agentAppends('second');
  const since = [read('a.txt'), read('sub/a.txt'), read('mine.txt')];

  const refused = piton('rewind', '--undo');
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('piton rewind --undo --yes')]);
  expect(refused.stdout).toMatch(/^Undo the rewind of [\d :-]+ \(\d+ s ago\) to \w{12} \(Before: append first\):\n/);
  expect(refused.stdout).toMatch(/write {3}a\.txt {2}includes changes since\n/);
  expect(refused.stdout).toContain('Changed since that rewind: a.txt, mine.txt, sub/a.txt.\n');
  expect([read('a.txt'), read('sub/a.txt'), read('mine.txt')]).toEqual(since);
  const planned = JSON.parse(piton('rewind', '--undo', '--dry-run', '--json').stdout);
  expect(planned.undoes).toMatchObject({ name: 'Before: append first', changedSince: ['a.txt', 'mine.txt', 'sub/a.txt'] });

  expect(piton('rewind', '--undo', '--yes').status).toBe(0);
  expect([read('a.txt'), read('mine.txt')]).toEqual(['one\nfirst\n', 'one\nmine\n']);
  // Nothing was done since: this needs no second word, and brings back what was there.
  expect(piton('rewind', '--undo').status).toBe(0);
  expect([read('a.txt'), read('sub/a.txt'), read('mine.txt')]).toEqual(since);
});

it('refuses a path that neither the checkpoint nor the working tree has', async () => {
  await agentAppends('first');
  const before = piton('checkpoints', 'list', '--json').stdout;
  for (const more of [['--yes'], ['--json'], ['--dry-run'], ['--dry-run', '--json']]) {
    const { status, stdout, stderr } = pitonIn('sub', 'rewind', '--path', 'a.txt', 'nope', ...more);
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringContaining('neither the checkpoint nor the working tree has "sub/nope"'),
    ]);
  }
  expect(read('sub/a.txt')).toBe('one\nfirst\n');
  expect(piton('checkpoints', 'list', '--json').stdout).toBe(before);
  // One of the two has these.
  rmSync(join(work, 'sub'), { recursive: true });
  mkdirSync(join(work, 'empty'));
  expect(piton('rewind', '--yes', '--path', 'sub', 'empty').status).toBe(0);
  expect(read('sub/a.txt')).toBe('one\n');
  expect(piton('rewind', '--yes', '--path', 'empty').stdout).toContain('Nothing to restore');
});

it('lists what one can go back to, the latest first, and does nothing', async () => {
  expect(piton('rewind', '--list').stdout).toContain('No checkpoints yet.');
  await agentAppends('first');
  await agentAppends('second');
  const all = JSON.parse(piton('checkpoints', 'list', '--json').stdout);
  expect(all.map(({ name }: { name: string }) => name)).toEqual(['Before: append first', 'append first', 'append second']);
  expect(JSON.parse(piton('rewind', '--list', '--json').stdout)).toEqual(all.toReversed());
  expect(JSON.parse(piton('rewind', '--list', '--limit', '1', '--json').stdout)).toEqual(all.slice(-1));
  const [title, ...rows] = piton('checkpoints').stdout.trimEnd().split('\n').slice(0, -1);
  expect(piton('rewind', '--list').stdout.trimEnd().split('\n')).toEqual([title, ...rows.toReversed()]);
  expect(rows[2]).toMatch(/append second +a\.txt, sub\/a\.txt$/);
  const few = piton('rewind', '--list', '--limit', '2').stdout;
  expect(few).toContain('append second');
  expect(few).not.toContain('Before: append first');
  expect(few).toMatch(/\n1 older checkpoint\b/);

  appendFileSync(join(work, 'mine.txt'), 'mine\n');
  for (const more of [['--path', 'a.txt'], ['--all'], ['--undo'], ['--dry-run'], ['--yes']])
    expect(piton('rewind', '--list', ...more)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('--list') });
  expect(piton('rewind', all[0].id, '--list')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('--list') });
  expect([read('a.txt'), JSON.parse(piton('checkpoints', 'list', '--json').stdout)]).toEqual(['one\nfirst\nsecond\n', all]);
});

it('goes back before a turn, or to a checkpoint, by a prefix of its ID or by @', async () => {
  await agentAppends('first');
  await agentAppends('second');
  await agentAppends('third');
  const all: { id: string; turn: string; name: string }[] = JSON.parse(piton('checkpoints', 'list', '--json').stdout);
  const [, , second] = all;
  const plan = (ref: string): string | undefined => {
    const { checkpoint } = JSON.parse(piton('rewind', ref, '--dry-run', '--json').stdout);
    return all.find(({ id }) => id === checkpoint)?.name;
  };
  expect(second?.name).toBe('append second');
  // Nothing was changed between both turns, so the end of the first is the state before the second.
  expect(plan(second?.turn.slice(0, 12).toLowerCase() ?? '')).toBe('append first');
  expect(plan('@~1')).toBe('append second');
  const [, ...rows] = piton('checkpoints').stdout.trimEnd().split('\n').slice(0, -1);
  expect(rows.map((row) => plan(row.split(' ')[0] ?? ''))).toEqual(all.map(({ name }) => name));
  for (const args of [
    ['show', '@'],
    ['show', all.at(-1)?.turn ?? ''],
  ])
    expect(JSON.parse(piton('checkpoints', ...args, '--json').stdout)).toMatchObject({ name: 'append third' });
  expect(piton('rewind', all[0]?.id.slice(0, 6) ?? '', '--dry-run')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('append'),
  });
  expect(piton('rewind', '@~9', '--dry-run')).toMatchObject({ status: 1, stderr: expect.stringContaining('no checkpoint "@~9"') });
});

it('says which files the checkpoint has left out and cannot bring back', async () => {
  mkdirSync(join(work, 'big'));
  writeFileSync(join(work, 'big/one.bin'), Buffer.alloc(6 * 1024 * 1024));
  writeFileSync(join(work, '.env'), 'A=1\n');
  // By what it holds, not by its name; put together here, so that no scanner takes this file for a leak.
  const state = `{"outputs":{"token":"gh${'p_'}${'Zx9'.repeat(12)}"}}\n`;
  writeFileSync(join(work, 'terraform.tfstate'), state);
  writeFileSync(join(work, 'config.json'), '{"token_type":"bearer"}\n');
  await agentAppends('first');
  rmSync(join(work, 'big'), { recursive: true });
  const line =
    'Not in the checkpoint, so not restored: .env (looks like it holds a secret), terraform.tfstate (looks like it holds a secret), big/one.bin (too large).\n';
  const leftOut = [
    { path: '.env', reason: 'looks-secret', bytes: 4 },
    { path: 'terraform.tfstate', reason: 'looks-secret', bytes: state.length },
    { path: 'big/one.bin', reason: 'too-large', bytes: 6 * 1024 * 1024 },
  ];
  // What goes to a pipe is a patch, and no more.
  const preview = piton('rewind', '--dry-run');
  expect([preview.stdout.startsWith('diff --git'), preview.stdout.includes('Not in the checkpoint'), preview.stderr]).toEqual([
    true,
    false,
    `Shared, may include your changes: a.txt, sub/a.txt.\n${line}`,
  ]);
  expect(JSON.parse(piton('rewind', '--dry-run', '--json').stdout)).toMatchObject({ leftOut });
  expect(JSON.parse(piton('rewind', '--dry-run', '--path', 'a.txt', '--json').stdout)).toMatchObject({ leftOut: [] });
  expect(piton('rewind', '--dry-run', '--path', 'big').stdout).toContain('not restored: big/one.bin (too large).\n');
  expect(piton('rewind', '--yes').stdout).toContain(`  ${line}`);
  expect(piton('rewind', '--undo').stdout).not.toContain('Not in the checkpoint');
  expect(JSON.parse(piton('rewind', '--yes', '--json').stdout)).toMatchObject({ written: ['a.txt', 'sub/a.txt'], leftOut });
});
