import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ask, eventually, killServers, pause, runForwarder, type TestHome } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkpoints, closeTree, file, git, inShell, type ListedCheckpoint, openTree, piton, read } from './agent-tree.ts';

let home: TestHome;
let session = 0;

beforeEach(() => {
  home = openTree({ 'src/kept.txt': 'one\ntwo\n', 'src/gone.txt': 'gone\n', '.gitignore': 'ignored/\n' });
  session += 1;
});
afterEach(closeTree);

const event = (name: string, more: object = {}) => ({ session_id: `s${session}`, hook_event_name: name, cwd: home.work, ...more });
const prompt = (text: string) => runForwarder(home, 'UserPromptSubmit', event('UserPromptSubmit', { prompt: text }));
const tool = (id: string, name: string, input: object) => ({ tool_name: name, tool_input: input, tool_use_id: id });
const calling = (id: string, name: string, input: object) => runForwarder(home, 'PreToolUse', event('PreToolUse', tool(id, name, input)));
const called = (id: string, name: string, input: object, response: object = {}) =>
  runForwarder(home, 'PostToolUse', event('PostToolUse', { ...tool(id, name, input), tool_response: response }));
const stop = () => runForwarder(home, 'Stop', event('Stop', { stop_hook_active: false }));
/** The next event starts another server; one that was killed three times in a row only after a while. */
const stopServer = () => expect(piton('server', 'stop').status).toBe(0);
const killServer = () => expect(killServers(home)).toBe(1);

const kinds = async (...expected: string[]): Promise<ListedCheckpoint[]> => {
  let found: ListedCheckpoint[] = [];
  await eventually(() => {
    found = checkpoints();
    return found.length >= expected.length;
  });
  expect(found.map(({ kind }) => kind)).toEqual(expected);
  return found;
};

/** What waits for the end of a subagent: one of its call, and one of itself. */
const notes = (): string[] => {
  const state = join(home.places.home, 'checkpoints');
  return readdirSync(state).flatMap((place) => readdirSync(join(state, place, 'notes')));
};

describe('a turn', () => {
  it.each([
    ['git reset --hard && git clean -fd'],
    ["sed -i 's/one/ONE/' src/kept.txt && rm -f new.txt"],
    ['rm -rf src'],
    ['git checkout . && rm -f new.txt link run.sh'],
  ])('that begins with %s can be taken back, with every byte that was not ignored', async (line) => {
    writeFileSync(file('src/kept.txt'), 'one\ntwo\nmine\n');
    rmSync(file('src/gone.txt'));
    writeFileSync(file('new.txt'), Buffer.from([0, 1, 2, 255, 10]));
    writeFileSync(file('run.sh'), '#!/bin/sh\n');
    chmodSync(file('run.sh'), 0o755);
    symlinkSync('src/kept.txt', file('link'));
    mkdirSync(file('ignored'));
    writeFileSync(file('ignored/x'), 'mine too');

    await prompt('clean up');
    await calling('t1', 'Bash', { command: line });
    inShell(line);
    await called('t1', 'Bash', { command: line });
    await stop();
    await eventually(() => checkpoints().some(({ kind }) => kind === 'stop'));
    const [first] = checkpoints();
    expect(first).toMatchObject({ by: 'human', agent: 'claude', session: `s${session}` });

    const { status, stdout, stderr } = piton('rewind', '--yes');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('rewind --undo');
    expect(read('src/kept.txt')).toBe('one\ntwo\nmine\n');
    expect(existsSync(file('src/gone.txt'))).toBe(false);
    expect([...readFileSync(file('new.txt'))]).toEqual([0, 1, 2, 255, 10]);
    expect(git('ls-files', '-s', '--others', 'link', 'run.sh').trim().split('\n').sort()).toEqual(['link', 'run.sh']);
    expect(read('ignored/x')).toBe('mine too');
    expect(git('fsck', '--no-dangling')).toBe('');
  });

  it('of edits is a checkpoint of what they touched, and what you did since stays when it is taken back', async () => {
    await prompt('write it');
    await calling('t1', 'Write', { file_path: file('a.txt'), content: 'agent\n' });
    writeFileSync(file('a.txt'), 'agent\n');
    await called('t1', 'Write', { file_path: file('a.txt'), content: 'agent\n' });
    await stop();
    await kinds('prompt', 'stop');
    appendFileSync(file('src/kept.txt'), 'mine\n');
    expect(piton('rewind', '--dry-run').stdout).toMatch(/-agent/);
    expect(read('a.txt')).toBe('agent\n');
    expect(piton('rewind', '--yes').status).toBe(0);
    expect([read('a.txt'), read('src/kept.txt')]).toEqual([null, 'one\ntwo\nmine\n']);
    expect(piton('rewind', '--undo').status).toBe(0);
    expect(read('a.txt')).toBe('agent\n');
    const blamed = JSON.parse(piton('blame', 'a.txt', '--json').stdout) as { by: string; agent: string }[];
    expect(blamed).toMatchObject([{ by: 'agent', agent: 'claude' }]);
    expect(piton('explain', 'a.txt:1').stdout).toMatch(/written by claude.*write it/s);
    renameSync(file('a.txt'), file('src/moved.txt'));
    appendFileSync(file('src/moved.txt'), 'mine\n');
    const moved = JSON.parse(piton('blame', 'src/moved.txt', '--json').stdout) as { by: string; agent: string }[];
    expect(moved).toMatchObject([...blamed, { by: 'human', agent: null }]);
    expect(piton('explain', 'src/moved.txt:1').stdout).toMatch(/written by claude.*write it/s);
    expect(piton('explain', 'src/moved.txt:2').stdout).toMatch(/written by you, not committed yet/);
    expect(piton('resume').stdout).toBe(`claude --resume s${session}\n`);
  });

  it('that was interrupted ends with the next prompt: what its tools named is the agent’s, what you did since is yours', async () => {
    await prompt('one');
    await calling('t1', 'Write', { file_path: file('a.txt'), content: 'agent\n' });
    writeFileSync(file('a.txt'), 'agent\n');
    await called('t1', 'Write', { file_path: file('a.txt'), content: 'agent\n' });
    await kinds('prompt');
    writeFileSync(file('mine.txt'), 'mine\n');
    await prompt('two');
    const [first, , third] = await kinds('prompt', 'stop', 'prompt');
    expect(checkpoints().slice(1)).toMatchObject([
      { by: 'agent', name: 'one', files: ['a.txt'] },
      { by: 'human', name: 'Before: two', files: ['mine.txt'] },
    ]);
    expect(piton('explain', 'a.txt:1').stdout).toMatch(/written by claude.*prompt +one$/ms);
    expect(piton('rewind', '--dry-run', third?.id ?? '').stdout).not.toContain('a.txt');
    expect(piton('rewind', '--yes', first?.id ?? '').status).toBe(0);
    expect([read('a.txt'), read('mine.txt')]).toEqual([null, 'mine\n']);
  });

  it('that was interrupted and ran a command marks what cannot be attributed as shared', async () => {
    await prompt('one');
    await calling('t1', 'Write', { file_path: file('a.txt'), content: 'agent\n' });
    writeFileSync(file('a.txt'), 'agent\n');
    await called('t1', 'Write', { file_path: file('a.txt'), content: 'agent\n' });
    await calling('t2', 'Bash', { command: 'make > c.txt' });
    inShell('echo b > b.txt; echo c > c.txt');
    await called('t2', 'Bash', { command: 'make > c.txt' });
    await prompt('two');
    await kinds('prompt', 'stop', 'stop');
    expect(checkpoints().slice(1)).toMatchObject([
      { by: 'shared', name: 'one', files: ['b.txt'] },
      { by: 'agent', name: 'one', files: ['a.txt', 'c.txt'] },
    ]);
    expect(piton('explain', 'b.txt:1').stdout).toMatch(/written by you or claude \(shared\), not committed yet/);
    expect(JSON.parse(piton('blame', 'b.txt', '--json').stdout)).toMatchObject([{ by: 'shared', agent: 'claude' }]);
  });

  it('that is asked for the moment another ends takes nothing away from it', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `turn-${at}.txt`);
    for (const name of names) {
      await prompt(name);
      await calling(name, 'Write', { file_path: file(name), content: name });
      writeFileSync(file(name), `${name}\n`);
      await called(name, 'Write', { file_path: file(name), content: name });
      await stop();
    }
    stopServer();
    const found = checkpoints().slice(1);
    expect(found.map(({ kind, by, name, files }) => ({ kind, by, name, files }))).toEqual(
      names.map((name) => ({ kind: 'stop', by: 'agent', name, files: [name] })),
    );
  });

  it.each([
    ['', () => {}],
    [', also when the server is started anew meanwhile', () => stopServer()],
  ])('that is over leaves what you do until the session ends yours%s', async (_when, meanwhile) => {
    await prompt('go');
    await calling('t1', 'Bash', { command: 'make' });
    writeFileSync(file('agent.txt'), 'agent\n');
    await called('t1', 'Bash', { command: 'make' });
    await stop();
    await kinds('prompt', 'stop');
    meanwhile();
    writeFileSync(file('mine.txt'), 'mine\n');
    await stop();
    await runForwarder(home, 'SessionEnd', event('SessionEnd', { reason: 'exit' }));
    stopServer();
    await prompt('go on');
    const found = await kinds('prompt', 'stop', 'prompt');
    expect(found.map(({ by, files }) => [by, files])).toEqual([
      ['human', null],
      ['shared', ['agent.txt']],
      ['human', ['mine.txt']],
    ]);
  });

  it('in which nothing changes leaves no checkpoint behind', async () => {
    await prompt('look');
    await calling('t1', 'Bash', { command: 'ls' });
    await called('t1', 'Bash', { command: 'ls' });
    await stop();
    await ask(home, 'POST', '/v1/flush');
    await kinds('prompt');
    await prompt('look again');
    await stop();
    await pause(1000);
    await kinds('prompt');
  });

  it.each(['in another repository', 'in none'])('of a session %s that edits here is a checkpoint here', async (where) => {
    const other = join(home.root, 'other');
    mkdirSync(other);
    if (where === 'in another repository') git('-C', other, 'init', '-q');
    const there = (name: string, more: object = {}) => ({ ...event(name, more), cwd: other });
    writeFileSync(file('src/kept.txt'), 'one\ntwo\nmine\n');
    const edit = { ...tool('t1', 'Write', { file_path: file('src/kept.txt'), content: 'agent\n' }) };
    await runForwarder(home, 'UserPromptSubmit', there('UserPromptSubmit', { prompt: 'from afar' }));
    await runForwarder(home, 'PreToolUse', there('PreToolUse', edit));
    writeFileSync(file('src/kept.txt'), 'agent\n');
    await runForwarder(home, 'PostToolUse', there('PostToolUse', { ...edit, tool_response: {} }));
    await runForwarder(home, 'Stop', there('Stop', { stop_hook_active: false }));
    const found = await kinds('prompt', 'stop');
    expect(found.map(({ name }) => name)).toEqual(['Before: from afar', 'from afar']);
    expect(piton('rewind', '--yes').status).toBe(0);
    expect(read('src/kept.txt')).toBe('one\ntwo\nmine\n');
  });

  const background = ['start', 'return', 'work', 'stop'];
  it.each([
    ['waits for it', ['start', 'work', 'stop', 'return'], 'Task: make tests'],
    ['lets it work in the background', background, 'Task: make tests'],
    ['has begun it before it starts', ['return', 'start', 'work', 'stop'], 'Task: make tests'],
    ['waits for it while the server is started anew', ['start', 'work', 'restart', 'stop', 'restart', 'return'], 'Task: make tests'],
    ['lets it work on while the server is started anew', background.flatMap((step) => ['restart', step]), 'Task: make tests'],
    [
      'has begun it before it starts, and the server is started anew',
      ['return', 'start', 'restart', 'work', 'restart', 'stop'],
      'Task: make tests',
    ],
  ])('has one checkpoint of a subagent, whether its agent %s', async (_how, order, name) => {
    const call = ['t1', 'Task', { description: 'make tests', prompt: 'x', subagent_type: 'general-purpose' }] as const;
    const steps: Record<string, () => unknown> = {
      start: () => runForwarder(home, 'SubagentStart', event('SubagentStart', { agent_id: 'a1', agent_type: 'x' })),
      work: () => writeFileSync(file('tests.txt'), 'tested\n'),
      stop: () => runForwarder(home, 'SubagentStop', event('SubagentStop', { agent_id: 'a1', agent_type: 'x' })),
      return: () => called(...call),
      restart: stopServer,
    };
    await prompt('login');
    await calling(...call);
    for (const step of order) await steps[step]?.();
    await kinds('prompt', 'task');
    await stop();
    const [before, task] = await kinds('prompt', 'task');
    expect(task).toMatchObject({ name, turn: before?.turn });
    expect(before?.turn).toMatch(/./);
  });

  it('is the one that is taken back, also when the server is started anew in the middle of it', async () => {
    const writes = async (text: string, meanwhile: () => void): Promise<void> => {
      await prompt(text);
      await calling(text, 'Bash', { command: 'x' });
      writeFileSync(file('src/kept.txt'), text);
      meanwhile();
      await called(text, 'Bash', { command: 'x' });
      await stop();
    };
    await writes('first', () => {});
    await kinds('prompt', 'stop');
    await writes('second', stopServer);
    await kinds('prompt', 'stop', 'stop');
    expect(piton('rewind', '--yes').status).toBe(0);
    expect(read('src/kept.txt')).toBe('first');
  });

  it.each([
    ['', () => {}],
    [', also when the server is started anew meanwhile', stopServer],
    [', also when the server is killed meanwhile', killServer],
  ])(
    'tells subagents that work at the same time apart by their own tool calls, and marks the rest as shared%s',
    {
      timeout: 60_000,
    },
    async (_how, meanwhile) => {
      const task = (name: string) => ({ description: name, prompt: 'x', subagent_type: 'general-purpose' });
      const of = (agent: string, more: object = {}) => ({ agent_id: agent, agent_type: 'x', ...more });
      const writes = async (agent: string, name: string) => {
        const edit = tool(`edit-${name}`, 'Write', { file_path: file(name), content: `${agent}\n` });
        await runForwarder(home, 'PreToolUse', event('PreToolUse', of(agent, edit)));
        appendFileSync(file(name), `${agent}\n`);
        await runForwarder(home, 'PostToolUse', event('PostToolUse', of(agent, { ...edit, tool_response: {} })));
      };
      await prompt('both at once');
      for (const [call, agent] of [
        ['t1', 'one'],
        ['t2', 'two'],
        ['t3', 'idle'],
      ] as const) {
        await calling(call, 'Task', task(agent));
        await runForwarder(home, 'SubagentStart', event('SubagentStart', of(agent)));
      }
      await writes('one', 'one.txt');
      await writes('two', 'two.txt');
      meanwhile();
      const returns = async (call: string, agent: string, kindsThen: string[]) => {
        await runForwarder(home, 'SubagentStop', event('SubagentStop', of(agent)));
        await called(call, 'Task', task(agent));
        return (await kinds(...kindsThen)).at(-1);
      };
      // It did nothing that anybody knows of: what is new is the others'.
      await returns('t3', 'idle', ['prompt']);
      // Looked for after the answer: only then something new may come that is nobody's.
      expect(await eventually(() => notes().length === 4)).toBe(true);
      inShell('echo whose > whose.txt');
      expect(await returns('t1', 'one', ['prompt', 'task'])).toMatchObject({ name: 'Task: one', own: ['one.txt'], shared: ['whose.txt'] });
      meanwhile();
      await writes('two', 'two.txt');
      expect(await returns('t2', 'two', ['prompt', 'task', 'task'])).toMatchObject({
        name: 'Task: two',
        own: ['two.txt'],
        shared: ['whose.txt'],
      });
      expect(piton('checkpoints', 'show', checkpoints().at(-1)?.id ?? '').stdout).toMatch(/^shared +whose\.txt /m);
      expect(
        checkpoints()
          .slice(-2)
          .map(({ files }) => files),
      ).toEqual([
        ['one.txt', 'whose.txt'],
        ['two.txt', 'whose.txt'],
      ]);
      for (const name of ['one', 'two']) expect(piton('blame', `${name}.txt`).stdout).toContain(`Task: ${name}`);
      await stop();
      expect(await eventually(() => readdirSync(join(home.places.home, 'subagents')).length === 0)).toBe(true);
    },
  );

  it('with a subagent and a finished to-do has a checkpoint of each', async () => {
    await prompt('login');
    await calling('t1', 'Task', { description: 'make tests', prompt: 'x', subagent_type: 'general-purpose' });
    writeFileSync(file('test.txt'), 'test\n');
    await called('t1', 'Task', { description: 'make tests', prompt: 'x', subagent_type: 'general-purpose' });
    await kinds('prompt', 'task'); // taken after the answer, while the model thinks
    const todos = (status: string) => ({ todos: [{ content: 'Login logic', status, activeForm: 'x' }] });
    await called('t2', 'TodoWrite', todos('in_progress'));
    await calling('t4', 'Write', { file_path: file('login.txt'), content: 'login\n' });
    writeFileSync(file('login.txt'), 'login\n');
    await called('t4', 'Write', { file_path: file('login.txt'), content: 'login\n' });
    await called('t3', 'TodoWrite', todos('completed'));
    const found = await kinds('prompt', 'task', 'todo');
    expect(found.map(({ name }) => name)).toEqual(['Before: login', 'Task: make tests', 'Completed: Login logic']);
  });

  it('is recorded nowhere but in repositories where Piton was set up', async () => {
    writeFileSync(join(home.places.home, 'repositories'), '');
    await prompt('x');
    writeFileSync(file('a.txt'), 'x');
    await stop();
    await pause(500);
    expect(git('for-each-ref', 'refs/piton')).toBe('');
  });
});
