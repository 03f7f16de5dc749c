import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Stage } from '../repository-setup.ts';

// The story of seed 003: the senses of the system. What the agent does and what git does is heard, and each makes the right checkpoint.
let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.end());

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly session: string | null;
  readonly linked: string | null;
}
const S = 'sess-123';
const init = () => stage.piton('init', '--agent', 'claude', '--yes');
const listed = (): Listed[] => JSON.parse(stage.piton('checkpoints', 'list', '-n', '99', '--json').stdout) as Listed[];
const named = async (...names: string[]): Promise<Listed[]> => {
  await eventually(() => listed().length >= names.length);
  expect(listed().map(({ name }) => name)).toEqual(names);
  return listed();
};
const write = (name: string, text = `${name}\n`): void => writeFileSync(join(stage.work, name), text);
/** The files of a checkpoint that its base has not, as git itself tells. */
const filesOf = ({ id }: Listed): string[] => {
  const ref = `refs/piton/checkpoints/${id}`;
  return stage.git('diff-tree', '-r', '--name-only', `${ref}^`, ref).split('\n').filter(Boolean);
};
const task = {
  tool_name: 'Task',
  tool_use_id: 'toolu_1',
  tool_input: { description: 'write the form', prompt: 'x', subagent_type: 'writer' },
};
const todos = (...done: boolean[]) => ({
  tool_name: 'TodoWrite',
  tool_input: {
    todos: ['Login Logic', 'Database Schema', 'UI Button'].map((content, at) => ({
      content,
      status: done[at] ? 'completed' : 'pending',
      activeForm: content,
    })),
  },
});
const hooks = (): string[] =>
  readdirSync(join(stage.work, '.git', 'hooks'))
    .filter((name) => !name.endsWith('.sample'))
    .sort();

describe('agent hooks', () => {
  beforeEach(() => expect(init().status).toBe(0));

  it('the auto-save moment: the agent writes, says that it is done, and a checkpoint of its session is there', async () => {
    stage.fire('UserPromptSubmit', S, { prompt: 'write main.go' });
    stage.fire('PreToolUse', S, { tool_name: 'Write', tool_use_id: 'w', tool_input: { file_path: join(stage.work, 'main.go') } });
    write('main.go', 'package main\n');
    stage.fire('PostToolUse', S, { tool_name: 'Write', tool_use_id: 'w', tool_input: { file_path: join(stage.work, 'main.go') } });
    stage.fire('Stop', S, { stop_hook_active: false });
    const [, after] = await named('Before: write main.go', 'write main.go');
    expect(after).toMatchObject({ kind: 'stop', session: S });
    expect(filesOf(after as Listed)).toEqual(['main.go']);
  });

  it('before and after photo: what a subagent changed is told apart from what was there, and no change is no checkpoint', async () => {
    stage.fire('UserPromptSubmit', S, { prompt: 'a form' });
    write('mine.txt');
    stage.fire('PreToolUse', S, task);
    // The note is durable before the subagent may begin: a server that dies now has lost nothing.
    expect(stage.piton('server', 'stop').status).toBe(0);
    write('form.html');
    stage.fire('PostToolUse', S, { ...task, tool_response: {} });
    const [, made] = await named('Before: a form', 'Task: write the form');
    expect(made).toMatchObject({ kind: 'task', session: S });
    expect(filesOf(made as Listed)).toContain('form.html');
    stage.fire('PreToolUse', S, { ...task, tool_use_id: 'toolu_2' });
    stage.fire('PostToolUse', S, { ...task, tool_use_id: 'toolu_2', tool_response: {} });
    stage.fire('Stop', S, { stop_hook_active: false });
    stage.settle();
    await named('Before: a form', 'Task: write the form');
  });

  it('incremental progress: each finished to-do is a checkpoint that carries its name; no file, no checkpoint', async () => {
    stage.fire('UserPromptSubmit', S, { prompt: 'login' });
    const steps: [string, string, boolean[]][] = [
      ['login.ts', 'Completed: Login Logic', [true]],
      ['schema.sql', 'Completed: Database Schema', [true, true]],
      ['button.tsx', 'Completed: UI Button', [true, true, true]],
    ];
    stage.fire('PostToolUse', S, { ...todos(), tool_use_id: 'list', tool_response: {} });
    const names = ['Before: login'];
    for (const [file, name, done] of steps) {
      stage.fire('PreToolUse', S, { tool_name: 'Bash', tool_use_id: file, tool_input: { command: `make ${file}` } });
      write(file);
      stage.fire('PostToolUse', S, { ...todos(...done), tool_use_id: `todo-${file}`, tool_response: {} });
      names.push(name);
      await named(...names);
    }
    stage.fire('PostToolUse', S, { ...todos(true, true, true), tool_use_id: 'again', tool_response: {} });
    stage.settle();
    expect((await named(...names)).map(({ kind }) => kind)).toEqual(['prompt', 'todo', 'todo', 'todo']);
  });
});

describe('git hooks', () => {
  it('are installed once, small, executable and chained with what is there, and say how many they are', () => {
    const own = join(stage.work, '.git', 'hooks', 'prepare-commit-msg');
    writeFileSync(own, '#!/bin/sh\necho "mine: $2" >> ../told.txt\n', { mode: 0o755 });
    expect(init().stdout).toContain('5 git hooks installed.');
    expect(init().stdout).toContain('Its git hooks are already installed.');
    const standing = hooks().filter((name) =>
      ['prepare-commit-msg', 'commit-msg', 'post-commit', 'post-rewrite', 'pre-push'].includes(name),
    );
    expect(standing).toHaveLength(5);
    for (const name of standing) {
      const path = join(stage.work, '.git', 'hooks', name);
      expect(statSync(path).mode & 0o100).toBe(0o100);
      // Nothing else is in the others: git starts the program itself.
      if (path === own) expect(readFileSync(path, 'utf8')).toMatch(/^#!\/bin\/sh\n/);
      else expect(readlinkSync(path)).toMatch(/\/runtime\/current\/piton-forward$/);
    }
    write('a.txt', 'two\n');
    stage.commit('Mine');
    expect(readFileSync(join(stage.root, 'told.txt'), 'utf8')).toBe('mine: message\n');
  });

  it('attach the session to a commit that you make, and keep quiet where Piton is gone', async () => {
    expect(init().status).toBe(0);
    await stage.turn(S, 'write the login', 'login.ts', 'login\n');
    stage.commit('Add the login');
    const id = /^Piton-Checkpoint: ([0-9A-Z]{26})$/m.exec(stage.git('log', '-1', '--format=%B'))?.[1];
    await eventually(() => listed().some(({ kind }) => kind === 'commit'));
    expect(listed().find(({ kind }) => kind === 'commit')).toMatchObject({ id, session: S, linked: stage.git('rev-parse', 'HEAD').trim() });
    stage.git('init', '-q', '--bare', join(stage.root, 'remote.git'));
    stage.git('push', '-q', join(stage.root, 'remote.git'), 'HEAD');
    stage.piton('server', 'stop');
    rmSync(join(stage.root, 'piton'), { recursive: true, force: true, maxRetries: 5 });
    write('b.txt');
    stage.commit('Without Piton');
    expect([stage.git('log', '-1', '--format=%B').trim(), existsSync(join(stage.root, 'piton'))]).toEqual(['Without Piton', false]);
  });
});
