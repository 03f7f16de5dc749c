import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeScene, fire, openWatchedScene, piton } from './setup.ts';

let root: string;
let work: string;
beforeEach(() => {
  ({ root, work } = openWatchedScene());
});
afterEach(closeScene);

function writes(name: string): void {
  const call = { tool_name: 'Write', tool_use_id: `write-${name}`, tool_input: { file_path: join(work, name), content: 'x\n' } };
  fire('PreToolUse', call);
  writeFileSync(join(work, name), 'x\n');
  fire('PostToolUse', { ...call, tool_response: {} });
}

const called = (tool_name: string, tool_use_id: string, tool_input: object, tool_response: object = {}) =>
  fire('PostToolUse', { tool_name, tool_use_id, tool_input, tool_response });

/** A server that is told to go finishes first; the next event starts another. */
const restart = () => expect(piton('server', 'stop').status).toBe(0);

const names = (): string[] =>
  (JSON.parse(piton('checkpoints', 'list', '--json').stdout) as { kind: string; name: string }[])
    .filter(({ kind }) => kind === 'todo')
    .map(({ name }) => name);

it('the list is known after a restart of the server: what was done before is not done again', () => {
  const list = (b: string) => ({
    todos: [
      { content: 'Schema', status: 'completed' },
      { content: 'Login logic', status: b },
    ],
  });
  fire('UserPromptSubmit', { prompt: 'login' });
  writes('schema.txt');
  called('TodoWrite', 't1', list('in_progress'));
  restart();
  writes('login.txt');
  called('TodoWrite', 't2', list('in_progress'));
  restart();
  expect(names()).toEqual(['Completed: Schema']);
  called('TodoWrite', 't3', list('completed'));
  restart();
  expect(names()).toEqual(['Completed: Schema', 'Completed: Login logic']);
});

it('an item has its name after a restart of the server', () => {
  fire('UserPromptSubmit', { prompt: 'login' });
  called('TaskCreate', 't1', { subject: 'Login logic', description: 'x' }, { task: { id: '1', subject: 'Login logic' } });
  restart();
  writes('login.txt');
  called('TaskUpdate', 't2', { taskId: '1', status: 'completed' }, { success: true, taskId: '1' });
  restart();
  expect(names()).toEqual(['Completed: Login logic']);
});

it('a prompt that comes while the end of the last turn waits in line takes nothing from that turn', async () => {
  // A checkpoint takes a while: whatever follows waits.
  const begun = join(work, '.git', 'begun');
  const slow = join(root, 'slow-git');
  const line = `case " $* " in *fast-import*) [ -e .git/slow ] && touch '${begun}' && sleep 2 ;; esac; exec git "$@"`;
  writeFileSync(slow, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  const place = join(root, 'piton', 'state', 'place.json');
  writeFileSync(place, JSON.stringify({ ...JSON.parse(readFileSync(place, 'utf8')), git: slow }));
  restart();
  fire('UserPromptSubmit', { prompt: 'first' });
  writes('slow.txt');
  expect(await eventually(() => piton('checkpoints', 'list', '--json').stdout.includes('Before: first'))).toBe(true);
  writeFileSync(join(work, '.git', 'slow'), '');
  called('TodoWrite', 't1', { todos: [{ content: 'Slow', status: 'completed' }] });
  expect(await eventually(() => existsSync(begun))).toBe(true);
  writes('late.txt');
  fire('Stop', { stop_hook_active: false });
  fire('UserPromptSubmit', { prompt: 'second' });
  restart();
  const all = JSON.parse(piton('checkpoints', 'list', '--json').stdout) as { kind: string; by: string; name: string; files: string[] }[];
  expect(all.map(({ kind, by, name }) => [kind, by, name])).toEqual([
    ['prompt', 'human', 'Before: first'],
    ['todo', 'agent', 'Completed: Slow'],
    ['stop', 'agent', 'first'],
  ]);
  expect(all.at(-1)?.files).toEqual(['late.txt']);
});
