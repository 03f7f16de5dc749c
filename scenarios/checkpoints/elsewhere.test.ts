import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeScene, environment, fire, git, openWatchedScene, piton, turnTo } from './setup.ts';

/** A session in `work`, and a repository beside it, `other`, in which somebody is in the middle of something. */
let root: string;
beforeEach(() => {
  ({ root } = openWatchedScene());
  const other = turnTo('other').work;
  mkdirSync(join(other, 'src'), { recursive: true });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(other, 'src', 'kept.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  expect(piton('init', '--agent', 'claude', '--yes').status).toBe(0);
  writeFileSync(join(other, 'src', 'kept.txt'), 'mine\n');
  writeFileSync(join(other, 'new.txt'), 'mine too\n');
  turnTo('work');
});
afterEach(closeScene);

const there = (name: string): string => readFileSync(join(root, 'other', name), 'utf8');

/** What an agent's tool would do, between the two events that tell of it. */
function runs(tool: string, input: object, line: string, id = 't1'): void {
  const call = { tool_name: tool, tool_use_id: id, tool_input: input };
  fire('PreToolUse', call);
  execFileSync('sh', ['-c', line], { cwd: join(root, 'work'), env: { ...environment(), HOME: root } });
  fire('PostToolUse', { ...call, tool_response: {} });
}

/** It looks there after its answer, while the model thinks. */
async function hasLeft(): Promise<void> {
  const state = join(root, 'piton', 'state', 'checkpoints');
  const open = () => readdirSync(state).flatMap((place) => readdirSync(join(state, place, 'turns')));
  expect(await eventually(() => open().length === 1)).toBe(true);
}

/** A server that is told to go finishes first; the next event starts another. */
const settle = () => expect(piton('server', 'stop').status).toBe(0);

interface Listed {
  readonly kind: string;
  readonly by: string;
  readonly name: string;
  readonly turn: string | null;
  readonly files: readonly string[] | null;
}
function listed(place: string): Listed[] {
  turnTo(place);
  const { stdout } = piton('checkpoints', 'list', '--json');
  turnTo('work');
  return JSON.parse(stdout) as Listed[];
}

const WAYS: readonly (readonly [string, string])[] = [
  ['goes there', 'cd ../other && git checkout . && git clean -fdq'],
  ['names a file in it', "sed -i 's/mine/AGENT/' ../other/src/kept.txt && rm ../other/new.txt"],
  // Not ../*/, which is Piton's own home as well here: the built-in guard denies that.
  ['goes through all of them', 'for d in ../work ../other; do (cd "$d" && git checkout -q . && rm -f new.txt); done'],
  ['searches the folder that it is in', "find .. -path '*/other/src/kept.txt' -exec sed -i 's/mine/AGENT/' {} +"],
  ['goes there by a link', 'cd ../link && git checkout -q . && rm new.txt'],
];

describe('a command that leaves its repository', () => {
  it.each(WAYS)('and %s can be taken back there, with every byte that was not committed', (_how, line) => {
    symlinkSync('other', join(root, 'link'));
    fire('UserPromptSubmit', { prompt: 'tidy up' });
    runs('Bash', { command: line }, line);
    expect(there('src/kept.txt')).not.toBe('mine\n');
    fire('Stop', { stop_hook_active: false });
    settle();
    const [before, ...work] = listed('other');
    expect(before).toMatchObject({ kind: 'prompt', by: 'human', name: 'Before: tidy up' });
    expect(work.at(-1)).toMatchObject({ kind: 'stop', name: 'tidy up' });
    expect(work.map(({ by }) => by)).not.toContain('human');
    turnTo('other');
    expect(piton('rewind', '--yes').status).toBe(0);
    expect([there('src/kept.txt'), there('new.txt')]).toEqual(['mine\n', 'mine too\n']);
  });

  it('by a field beside it can be taken back there, and so can what a tool of any kind says it goes to', () => {
    fire('UserPromptSubmit', { prompt: 'tidy up' });
    runs('Bash', { command: 'git checkout .', workdir: '../other' }, 'cd ../other && git checkout -q .', 't1');
    runs('mcp__files__write', { target: { path: join(root, 'other', 'new.txt') } }, 'echo agent > ../other/new.txt', 't2');
    settle();
    expect(listed('other').map(({ kind, files }) => [kind, files])).toEqual([
      ['prompt', null],
      ['stop', ['src/kept.txt']],
      ['stop', ['new.txt']],
    ]);
  });

  it('is over there when it ends: what you do after it is yours, and what it only read makes no checkpoint', async () => {
    fire('UserPromptSubmit', { prompt: 'look around' });
    // What it does is not known by its name, so there is a look before it.
    runs('Bash', { command: 'awk 1 ../other/src/kept.txt' }, 'awk 1 ../other/src/kept.txt', 't1');
    await hasLeft();
    appendFileSync(join(root, 'other', 'src', 'kept.txt'), 'mine again\n');
    runs('Bash', { command: 'echo agent >> ../other/new.txt' }, 'echo agent >> ../other/new.txt', 't2');
    await hasLeft();
    appendFileSync(join(root, 'other', 'src', 'kept.txt'), 'and again\n');
    fire('Stop', { stop_hook_active: false });
    settle();
    expect(listed('other').map(({ kind, by, files }) => [kind, by, files])).toEqual([
      ['prompt', 'human', null],
      ['prompt', 'human', ['src/kept.txt']],
      ['stop', 'agent', ['new.txt']],
    ]);
    expect(listed('work').filter(({ kind }) => kind === 'stop')).toEqual([]);
    turnTo('other');
    const by = JSON.parse(piton('blame', 'src/kept.txt', '--json').stdout) as { by: string }[];
    expect(by.map((line) => line.by)).toEqual(['human', 'human', 'human']);
  });

  it('beside another that is there as well: the later one ends it', () => {
    const call = (id: string, command: string) => ({ tool_name: 'Bash', tool_use_id: id, tool_input: { command } });
    fire('UserPromptSubmit', { prompt: 'both' });
    const [one, two] = [call('t1', 'cd ../other && make'), call('t2', 'rm ../other/new.txt')];
    fire('PreToolUse', one);
    fire('PreToolUse', two);
    execFileSync('rm', [join(root, 'other', 'new.txt')]);
    fire('PostToolUse', { ...two, tool_response: {} });
    writeFileSync(join(root, 'other', 'src', 'kept.txt'), 'agent\n');
    fire('PostToolUseFailure', { ...one, error: 'exit 2' });
    settle();
    expect(listed('other').map(({ kind, files }) => [kind, files])).toEqual([
      ['prompt', null],
      ['part', ['src/kept.txt']],
      ['stop', ['new.txt']],
    ]);
  });

  it('in a working tree of the same repository is a checkpoint there', () => {
    git('worktree', 'add', '-q', '../tree', '-b', 'tree');
    writeFileSync(join(root, 'tree', 'a.txt'), 'mine\n');
    fire('UserPromptSubmit', { prompt: 'tidy up' });
    runs('Bash', { command: 'cd ../tree && git checkout .' }, 'cd ../tree && git checkout -q .');
    settle();
    turnTo('tree');
    expect(piton('rewind', '--yes').status).toBe(0);
    expect(readFileSync(join(root, 'tree', 'a.txt'), 'utf8')).toBe('mine\n');
  });
});

describe('a turn that was interrupted while it was at work elsewhere', () => {
  const edit = { tool_name: 'Write', tool_use_id: 't1', tool_input: { file_path: '../other/agent.txt', content: 'agent\n' } };
  const command = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'cd ../other && make' } };

  it.each([
    ['for an edit', edit, () => {}, 'agent'],
    ['for a command', command, () => {}, 'shared'],
    ['and its server was started anew', edit, settle, 'agent'],
  ])('%s is over there with the next prompt: what you do and commit then is yours', async (_how, call, meanwhile, by) => {
    fire('UserPromptSubmit', { prompt: 'one' });
    fire('PreToolUse', call);
    writeFileSync(join(root, 'other', 'agent.txt'), 'agent\n');
    meanwhile();
    fire('UserPromptSubmit', { prompt: 'two' });
    await hasLeft();
    writeFileSync(join(root, 'other', 'yours.txt'), 'yours\n');
    turnTo('other');
    git('add', 'yours.txt');
    git('commit', '-qm', 'Yours');
    expect(git('log', '-1', '--format=%B').trim()).toBe('Yours');
    turnTo('work');
    fire('Stop', { stop_hook_active: false });
    settle();
    expect(listed('other').map(({ kind, by, files }) => [kind, by, files])).toEqual([
      ['prompt', 'human', null],
      ['stop', by, ['agent.txt']],
    ]);
  });
});

describe('a server that comes in the middle of a turn', () => {
  const line = 'git checkout -q . && git clean -fdq';
  const mine = () => {
    writeFileSync(join(root, 'work', 'a.txt'), 'mine\n');
    writeFileSync(join(root, 'work', 'new.txt'), 'mine too\n');
  };
  const here = (name: string): string => readFileSync(join(root, 'work', name), 'utf8');

  it('and has received no prompt saves a checkpoint before the first tool runs', () => {
    mine();
    runs('Bash', { command: line }, line);
    fire('Stop', { stop_hook_active: false });
    settle();
    expect(listed('work')).toMatchObject([
      { kind: 'prompt', by: 'human', name: 'Before: work without a prompt' },
      { kind: 'stop', by: 'shared' },
    ]);
    expect(piton('rewind', '--yes').status).toBe(0);
    expect([here('a.txt'), here('new.txt')]).toEqual(['mine\n', 'mine too\n']);
  });

  it('ends it wherever it is at work', () => {
    const edit = { tool_name: 'Write', tool_use_id: 't1', tool_input: { file_path: join(root, 'other', 'new.txt'), content: 'x' } };
    fire('UserPromptSubmit', { prompt: 'from afar' });
    fire('PreToolUse', edit);
    settle();
    writeFileSync(join(root, 'other', 'new.txt'), 'agent\n');
    fire('PostToolUse', { ...edit, tool_response: {} });
    fire('Stop', { stop_hook_active: false });
    settle();
    expect(listed('other')).toMatchObject([
      { kind: 'prompt', by: 'human', name: 'Before: from afar' },
      { kind: 'stop', by: 'agent', files: ['new.txt'] },
    ]);
  });

  it('takes what the agent has done by then for the agent’s, where the way back was laid', () => {
    mine();
    fire('UserPromptSubmit', { prompt: 'go' });
    runs('Bash', { command: 'echo agent > agent.txt' }, 'echo agent > agent.txt', 't1');
    settle();
    runs('Bash', { command: line }, line, 't2');
    fire('Stop', { stop_hook_active: false });
    settle();
    expect(listed('work').map(({ kind, by }) => [kind, by])).toEqual([
      ['prompt', 'human'],
      ['part', 'agent'],
      ['stop', 'shared'],
    ]);
    expect(piton('rewind', '--yes').status).toBe(0);
    expect([here('a.txt'), here('new.txt')]).toEqual(['mine\n', 'mine too\n']);
  });
});
