import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAllHeld } from '../src/images/held-image.ts';
import { linkCommit } from '../src/links/link.ts';
import { rewind } from '../src/rewind/rewind.ts';
import { take } from '../src/snapshot/take.ts';
import { dropOldNotes, noteTask, splitChanges, takeTask } from '../src/subagents/task-notes.ts';
import { todoName, todoStep } from '../src/todos/todos.ts';
import { takeAtBoundary } from '../src/turns/boundary-checkpoint.ts';
import { beginTurn } from '../src/turns/open-turns.ts';
import { endTurn, openTurns } from '../src/turns/turn-file.ts';
import { WaitingEvents } from '../src/waiting/waiting-events.ts';
import { scratch } from './scratch.ts';

const ABOUT = { name: 'Do it', session: 's1', agent: 'someone', turn: 't1' } as const;

describe('the before-image', () => {
  it('has a held file as it was when it was held, whatever happens to it before the checkpoint is made', async () => {
    const user = scratch();
    user.write('new.txt', 'untracked\n');
    user.write('src/main.ts', 'mine\n');
    const worktree = await user.worktree();
    // A git that is slow to look: the agent edits meanwhile.
    let start = () => {};
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const slow = {
      ...worktree,
      git: async (...call: Parameters<typeof worktree.git>) => {
        if (call[0][0] === 'status') await started;
        return worktree.git(...call);
      },
    };
    const waiting = new WaitingEvents(user.home, async () => {});
    const image = beginTurn({ ...slow, waiting: waiting.of(user.root, user.root) }, ABOUT);
    const names = ['new.txt', 'src/main.ts', 'README.md', 'made.txt', 'debug.log'].map((name) => user.path(name));
    waiting.add(user.root, { files: await readAllHeld(user.root, names) });
    user.remove('new.txt');
    user.shell('git checkout --quiet src/main.ts');
    user.write('README.md', 'agent\n');
    user.write('made.txt', 'agent\n');
    user.write('debug.log', 'agent\n');
    start();
    const taken = await image.done;
    if (taken.result !== 'made') throw new Error(JSON.stringify(taken));
    const { ref } = taken.checkpoint;
    expect(user.git('show', `${ref}:new.txt`)).toBe('untracked');
    expect(user.git('show', `${ref}:src/main.ts`)).toBe('mine');
    expect(user.git('show', `${ref}:README.md`)).toBe('read me');
    expect(user.git('ls-tree', '-r', '--name-only', ref).split('\n')).not.toEqual(expect.arrayContaining(['made.txt']));
    expect(user.git('ls-tree', '-r', '--name-only', ref)).not.toContain('debug.log');
    await take(worktree, { ...ABOUT, kind: 'stop', by: 'agent' });
    await rewind(worktree, taken.checkpoint.id);
    expect([user.read('new.txt'), user.read('src/main.ts'), user.read('README.md')]).toEqual(['untracked\n', 'mine\n', 'read me\n']);
  });

  it('says whose changes came before: a person’s, or nobody knows while another turn is open', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const first = await beginTurn(worktree, ABOUT).done;
    expect(first.result === 'made' && first.checkpoint.by).toBe('human');
    user.write('README.md', 'somebody\n');
    const second = await beginTurn(worktree, { ...ABOUT, session: 's2' }).done;
    expect(second.result === 'made' && second.checkpoint.by).toBe('shared');
    expect((await openTurns(worktree)).map(({ session }) => session).sort()).toEqual(['s1', 's2']);
    await endTurn(worktree, 's1');
    expect((await openTurns(worktree)).map(({ session }) => session)).toEqual(['s2']);
  });
});

describe('the end of a turn', () => {
  it('has a checkpoint of its own, whenever that of the commit in it was taken', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await beginTurn(worktree, ABOUT).done;
    user.write('src/main.ts', 'agent\n');
    user.commit('By the agent');
    user.write('README.md', 'written before anybody looked\n');
    await linkCommit(worktree);
    const todo = await takeAtBoundary(worktree, { ...ABOUT, kind: 'todo', by: 'agent' });
    expect(todo).toMatchObject({ result: 'made', checkpoint: { kind: 'todo' } });
    expect(await takeAtBoundary(worktree, { ...ABOUT, kind: 'todo', by: 'agent' })).toMatchObject({ result: 'unchanged' });
    user.write('README.md', 'and more\n');
    expect(await takeAtBoundary(worktree, { ...ABOUT, kind: 'stop', by: 'agent' })).toMatchObject({
      result: 'made',
      checkpoint: { kind: 'stop' },
    });
  });

  it('has none where nothing happened since a person’s commit', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await beginTurn(worktree, ABOUT).done;
    user.write('src/main.ts', 'agent\n');
    await takeAtBoundary(worktree, { ...ABOUT, kind: 'stop', by: 'agent' });
    await endTurn(worktree, 's1');
    user.write('README.md', 'mine\n');
    user.commit('By a person');
    expect((await linkCommit(worktree))?.made).toHaveLength(1);
    await beginTurn(worktree, { ...ABOUT, turn: 't2' }).done;
    expect(await takeAtBoundary(worktree, { ...ABOUT, turn: 't2', kind: 'stop', by: 'agent' })).toMatchObject({ result: 'unchanged' });
  });
});

describe('a subagent', () => {
  const TASK = { session: 's1', toolUseId: 'toolu\n1' };

  it('is compared with the note that was on disk before it began, also after a restart, and the note is removed', async () => {
    const user = scratch();
    user.write('dirty.txt', 'dirty before\n');
    await noteTask(await user.worktree(), TASK);
    user.write('dirty.txt', 'changed by the subagent\n');
    user.write('new.txt', 'new\n');
    user.git('mv', 'run.sh', 'renamed.sh');
    user.remove('README.md');
    const worktree = await user.worktree();
    const taken = await takeTask(worktree, TASK, ABOUT);
    if (taken.result !== 'made') throw new Error(JSON.stringify(taken));
    expect(taken.changes).toEqual([
      { change: 'deleted', path: 'README.md' },
      { change: 'modified', path: 'dirty.txt' },
      { change: 'new', path: 'new.txt' },
      { change: 'renamed', path: 'renamed.sh', from: 'run.sh' },
    ]);
    expect([taken.checkpoint.kind, taken.checkpoint.by]).toEqual(['task', 'agent']);
    expect(readdirSync(join(worktree.state, 'notes'))).toEqual([]);
    expect(await takeTask(worktree, TASK, ABOUT)).toEqual({ result: 'no-note' });
  });

  it('has the name that it was called by, also after a restart and under its own id; no secret is written down', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    await noteTask(worktree, TASK, { name: `Task: log in with hunter2\n${'and so on '.repeat(100)}` });
    const itself = { session: 's1', agentId: 'a1' };
    await noteTask(worktree, itself, { like: TASK });
    for (const note of readdirSync(join(worktree.state, 'notes')))
      expect(readFileSync(join(worktree.state, 'notes', note), 'utf8')).toMatch(/Task: log in with \[redacted\] (and so on )+/);
    expect(user.shell(`grep -rl hunter2 '${worktree.state}' || true`)).toBe('');
    user.write('new.txt', 'new\n');
    const taken = await takeTask(await user.worktree(), itself, { ...ABOUT, name: 'Task: subagent' });
    expect(taken).toMatchObject({ result: 'made', checkpoint: { name: expect.stringMatching(/^Task: log in with \[redacted\] and so/) } });
    await noteTask(worktree, itself);
    user.write('new.txt', 'newer\n');
    expect(await takeTask(worktree, itself, ABOUT)).toMatchObject({ checkpoint: { name: ABOUT.name } });
  });

  it('that changed nothing makes none', async () => {
    const user = scratch();
    user.write('dirty.txt', 'dirty before\n');
    const worktree = await user.worktree();
    await noteTask(worktree, TASK);
    expect((await takeTask(worktree, TASK, ABOUT)).result).toBe('unchanged');
    expect(readdirSync(join(worktree.state, 'notes'))).toEqual([]);
  });

  it('that committed is known by its files all the same', async () => {
    const user = scratch();
    user.write('dirty.txt', 'dirty before\n');
    const worktree = await user.worktree();
    await noteTask(worktree, TASK);
    user.write('README.md', 'subagent\n');
    user.commit('by the subagent');
    const taken = await takeTask(worktree, TASK, ABOUT);
    expect(taken.result === 'made' && taken.changes).toEqual([{ change: 'modified', path: 'README.md' }]);
  });

  it('is known by its tool call, else its own id, else its order', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    const tasks = [
      TASK,
      { session: 's1', toolUseId: 'toolu_2' },
      { session: 's1', agentId: 'a1' },
      { session: 's1', order: 1 },
      { session: 's2', order: 1 },
    ];
    for (const task of tasks) await noteTask(worktree, task);
    expect(readdirSync(join(worktree.state, 'notes'))).toHaveLength(tasks.length);
    expect(await dropOldNotes(worktree, 60_000)).toBe(0);
    mkdirSync(join(worktree.state, 'convert-killed'));
    expect(await dropOldNotes({ ...worktree, now: () => Date.now() + 61_000 }, 60_000)).toBe(tasks.length + 1);
    expect(readdirSync(worktree.state).sort()).toEqual(['index', 'index.source', 'notes', 'suspects.index', 'suspects.json']);
  });

  it('is told from another at the same time by its own tool events; the rest is shared', () => {
    const changes = ['mine', 'theirs', 'both', 'shell'].map((path) => ({ change: 'modified' as const, path }));
    const { own, shared } = splitChanges(changes, new Set(['mine', 'both']), new Set(['theirs', 'both']));
    expect(own.map(({ path }) => path)).toEqual(['mine']);
    expect(shared.map(({ path }) => path)).toEqual(['both', 'shell']);
  });
});

describe('a to-do list', () => {
  type Payload = { tool_input?: unknown; tool_response?: unknown };
  const fixtures = JSON.parse(readFileSync(new URL('fixtures/todos.json', import.meta.url), 'utf8')) as Record<string, Payload>;
  const heard = (name: string) => fixtures[name] ?? {};
  const completedIn = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('in_progress', 'completed'));

  for (const [name, item] of [
    ['todo-write', 'Write validator'],
    ['update-plan', 'first'],
    ['write-todos', 'first'],
    ['todo-write-as-text', 'first'],
  ] as const) {
    it(`names the item that an update completed: ${name}`, () => {
      const begun = todoStep([], heard(name).tool_input);
      expect([todoName(begun), begun.list]).toEqual([null, [expect.objectContaining({ name: item, done: false })]]);
      const done = todoStep(begun.list, completedIn(heard(name).tool_input));
      expect(todoName(done)).toBe(`Completed: ${item}`);
      expect(todoName(todoStep(done.list, completedIn(heard(name).tool_input)))).toBe(null);
    });
  }

  it('names the item that an update completed: TaskCreate and TaskUpdate', () => {
    const made = todoStep([], heard('task-create').tool_input, heard('task-create').tool_response);
    expect(todoName(made)).toBe(null);
    expect(todoName(todoStep(made.list, heard('task-update').tool_input, heard('task-update').tool_response))).toBe('Completed: first');
  });

  it('names the item that an update completed: TodoCompleted, and once only', () => {
    const done = todoStep([{ id: '1', name: 'first', done: false }], heard('todo-completed'));
    expect(todoName(done)).toBe('Completed: first');
    expect(todoName(todoStep(done.list, heard('todo-completed')))).toBe(null);
  });

  it('names the last of several, and none where none was completed', () => {
    const list = (...done: string[]) => ({
      todos: ['a', 'b', 'c'].map((content) => ({ content, status: done.includes(content) ? 'completed' : 'pending' })),
    });
    const first = todoStep([], list('a'));
    expect(todoName(first)).toBe('Completed: a');
    expect(todoName(todoStep(first.list, list('a', 'b', 'c')))).toBe('Completed: c');
    expect(todoName(todoStep(first.list, list('a')))).toBe(null);
    expect(todoName(todoStep(first.list, { unrelated: 1 }))).toBe(null);
  });

  it('with ids that begin at 1 again is another list', () => {
    const first = todoStep([], { todos: [{ id: '1', content: 'a', status: 'completed' }] });
    expect(todoName(todoStep(first.list, { todos: [{ id: '1', content: 'b', status: 'completed' }] }))).toBe('Completed: b');
  });
});
