import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestHome, removeHome, runForwarder, runPitonSync, type TestHome } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let home: TestHome;

const environment = () => ({ PATH: process.env.PATH, HOME: home.root, PITON_HOME: home.root, GIT_CONFIG_NOSYSTEM: '1', NO_COLOR: '1' });
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
    cwd: home.work,
    env: environment(),
    encoding: 'utf8',
  });
const piton = (...args: string[]) => {
  const { status, stdout, stderr } = runPitonSync(args, { cwd: home.work, env: { ...environment(), PITON_ALLOW_UNDER_AGENT: '1' } });
  return { status, stdout, stderr };
};
const file = (name: string): string => join(home.work, name);
const read = (name: string): string | null => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : null);

beforeEach(() => {
  home = createTestHome();
  git('init', '-q', '-b', 'main');
  mkdirSync(file('src'));
  writeFileSync(file('src/kept.txt'), 'one\ntwo\n');
  writeFileSync(file('a.txt'), 'a\n');
  writeFileSync(file('.gitignore'), 'ignored/\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  writeFileSync(join(home.places.home, 'repositories'), `${home.work}\n`);
});
afterEach(() => removeHome(home));

let calls = 0;
/** An agent's session, as its hooks tell of it. */
const session = (id: string) => {
  const event = (name: string, more: object) =>
    runForwarder(home, name, { session_id: id, hook_event_name: name, cwd: home.work, ...more });
  const around = async (tool_name: string, tool_input: object, act: () => void): Promise<string> => {
    const call = { tool_name, tool_input, tool_use_id: `call-${++calls}` };
    const { stdout } = await event('PreToolUse', call);
    act();
    await event('PostToolUse', { ...call, tool_response: {} });
    return stdout;
  };
  return {
    prompt: (prompt: string) => event('UserPromptSubmit', { prompt }),
    stop: () => event('Stop', { stop_hook_active: false }),
    shell: (command: string) =>
      around('Bash', { command }, () => void execFileSync('sh', ['-c', command], { cwd: home.work, env: environment() })),
    write: (name: string, content: string) =>
      around('Write', { file_path: file(name), content }, () => {
        mkdirSync(join(file(name), '..'), { recursive: true });
        writeFileSync(file(name), content);
      }),
  };
};

interface Listed {
  readonly id: string;
  readonly number: number | null;
  readonly tool: string;
  readonly what: string;
  readonly wayBack: 'image' | 'files' | 'none';
  readonly why?: string;
}
const listed = (): Listed[] => JSON.parse(piton('rewind', '--calls', '--json').stdout) as Listed[];
const rewind = (...args: string[]): void => {
  const { status, stderr } = piton('rewind', ...args, '--yes');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
};

describe('a way back before every call', () => {
  it('has what the person edited and added in mid-turn, before the agent threw it away', async () => {
    const agent = session('s1');
    await agent.prompt('clean up');
    await agent.shell('ls');
    writeFileSync(file('src/kept.txt'), 'one\ntwo\nmine, in mid-turn\n');
    writeFileSync(file('new.bin'), Buffer.from([0, 255, 13, 10]));
    await agent.shell('git checkout . && git clean -fd');
    expect([read('src/kept.txt'), read('new.bin')]).toEqual(['one\ntwo\n', null]);

    expect(listed()).toMatchObject([{ number: 1, tool: 'Bash', what: 'git checkout . && git clean -fd', wayBack: 'image' }]);
    rewind('--call', '1');
    expect(read('src/kept.txt')).toBe('one\ntwo\nmine, in mid-turn\n');
    expect([...readFileSync(file('new.bin'))]).toEqual([0, 255, 13, 10]);
    rewind('--undo');
    expect([read('src/kept.txt'), read('new.bin')]).toEqual(['one\ntwo\n', null]);
  });

  it("has the person's edit that a Write went over, also where the turn has ended since", async () => {
    const agent = session('s1');
    await agent.prompt('write it');
    await agent.write('a.txt', 'agent, first\n');
    writeFileSync(file('a.txt'), 'agent, first\nand mine\n');
    await agent.write('a.txt', 'agent, second\n');
    await agent.stop();
    expect(listed().map(({ number, tool, wayBack }) => [number, tool, wayBack])).toEqual([
      [2, 'Write', 'files'],
      [1, 'Write', 'files'],
    ]);
    rewind('--call', '2');
    expect(read('a.txt')).toBe('agent, first\nand mine\n');
    rewind('--call', '1');
    expect(read('a.txt')).toBe('a\n');
  });

  it('leaves alone what the person did elsewhere between two edits', async () => {
    const agent = session('s1');
    await agent.prompt('write it');
    await agent.write('a.txt', 'agent\n');
    writeFileSync(file('src/kept.txt'), 'mine\n');
    await agent.write('a.txt', 'agent again\n');
    await agent.stop();
    rewind('--call', '1');
    expect([read('a.txt'), read('src/kept.txt')]).toEqual(['a\n', 'mine\n']);
  });

  it('has the open turn of another session that this one destroys', async () => {
    const [ann, bob] = [session('ann'), session('bob')];
    await bob.prompt('build');
    await bob.shell('mkdir -p made && echo bob > made/b.txt && echo more >> a.txt');
    await ann.prompt('tidy');
    await bob.shell('echo again >> made/b.txt');
    await ann.shell('git checkout . && git clean -fdq');
    expect([read('made/b.txt'), read('a.txt')]).toEqual([null, 'a\n']);
    const destroying = listed().find(({ what }) => what.startsWith('git checkout'));
    rewind(destroying?.id ?? '');
    expect([read('made/b.txt'), read('a.txt')]).toEqual(['bob\nagain\n', 'a\nmore\n']);
  });

  it("has the agent's own earlier work of the turn", async () => {
    const agent = session('s1');
    await agent.prompt('do and undo');
    await agent.write('made.txt', 'one\n');
    await agent.shell('echo two >> made.txt');
    await agent.shell('rm made.txt');
    rewind('--call', '3');
    expect(read('made.txt')).toBe('one\ntwo\n');
    rewind('--call', '2');
    expect(read('made.txt')).toBe('one\n');
    rewind('--call', '1');
    expect(read('made.txt')).toBe(null);
  });

  it('takes none for what is known to read', async () => {
    const agent = session('s1');
    await agent.prompt('look');
    for (const command of ['ls', 'git status', 'git log --oneline | head -3', 'cat a.txt 2>/dev/null']) await agent.shell(command);
    expect(listed()).toEqual([]);
    await agent.shell('touch x');
    expect(listed()).toMatchObject([{ number: 1, what: 'touch x' }]);
  });

  it('holds images under one ref of the working tree, which git gc and prune leave alone', async () => {
    const agent = session('s1');
    await agent.prompt('work');
    for (const n of [1, 2, 3, 4]) await agent.shell(`echo ${n} >> a.txt; echo ${n} > new-${n}.txt`);
    await agent.stop();
    const refs = git('for-each-ref', '--format=%(refname)', 'refs/piton/images').trim().split('\n');
    expect(refs).toEqual(['refs/piton/images/main']);
    git('reflog', 'expire', '--expire=now', '--all');
    git('gc', '-q', '--prune=now');
    rewind('--call', '3');
    expect([read('a.txt'), read('new-2.txt'), read('new-3.txt')]).toEqual(['a\n1\n2\n', '2\n', null]);
  });

  it('comes back with the files that the person named only, and as a patch first', async () => {
    const agent = session('s1');
    await agent.prompt('work');
    await agent.shell('echo x > a.txt; echo x > src/kept.txt');
    const dry = piton('rewind', '--call', '1', '--dry-run');
    expect(dry.stdout).toContain('+one');
    rewind('--call', '1', '--path', 'src');
    expect([read('a.txt'), read('src/kept.txt')]).toEqual(['x\n', 'one\ntwo\n']);
  });

  it('says which calls there are when asked for another', async () => {
    const agent = session('s1');
    await agent.prompt('work');
    await agent.shell('echo x > a.txt');
    const { status, stderr } = piton('rewind', '--call', '7', '--yes');
    expect(status).toBe(2);
    expect(stderr).toContain('no call "7" in the latest turn, which has 1');
  });
});

describe('no way back', () => {
  it('is said at the call, in the list and by rewind, which does not take the turn before', async () => {
    const agent = session('s1');
    await agent.prompt('first');
    await agent.shell('echo first > a.txt');
    await agent.stop();
    expect(listed()).toHaveLength(1);
    // No ref can be made, also by root, who may write anywhere.
    git('pack-refs', '--all');
    rmSync(file('.git/refs/piton'), { recursive: true, force: true });
    writeFileSync(file('.git/refs/piton'), git('rev-parse', 'HEAD'));
    writeFileSync(file('src/kept.txt'), 'mine\n');
    await agent.prompt('second');
    const said = await agent.shell('rm -f src/kept.txt');
    expect(JSON.parse(said)).toMatchObject({ systemMessage: expect.stringContaining('no way back before this call (Bash)') });
    const again = await agent.shell('rm -f a.txt');
    expect(again).not.toContain('no way back');
    await agent.stop();

    expect(
      listed()
        .filter(({ wayBack }) => wayBack === 'none')
        .map(({ tool }) => tool)
        .sort(),
    ).toEqual(['Bash', 'Bash', 'turn']);
    const { status, stderr } = piton('rewind', '--yes');
    expect(status).toBe(1);
    expect(stderr).toContain('no way back before the latest turn');
    expect(piton('rewind', '--call', '1', '--yes').stderr).toContain('no way back before this call');
    expect(read('a.txt')).toBe(null);
    expect(piton('doctor').stdout).toContain('no way back before a call');
    expect(readdirSync(file('.git')).filter((name) => name.startsWith('fast_import_crash'))).toEqual([]);
  });
});
