import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agent as agentOf, closeTree, file, git, listedCalls as listed, openTree, piton, read } from './agent-tree.ts';

beforeEach(() => void openTree({ 'src/kept.txt': 'one\ntwo\n', 'a.txt': 'a\n', '.gitignore': 'ignored/\n' }));
afterEach(closeTree);

const rewind = (...args: string[]): void => {
  const { status, stderr } = piton('rewind', ...args, '--yes');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
};

describe('a way back before every call', () => {
  it('has what the person edited and added in mid-turn, before the agent threw it away', async () => {
    const agent = agentOf('s1');
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
    const agent = agentOf('s1');
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
    const agent = agentOf('s1');
    await agent.prompt('write it');
    await agent.write('a.txt', 'agent\n');
    writeFileSync(file('src/kept.txt'), 'mine\n');
    await agent.write('a.txt', 'agent again\n');
    await agent.stop();
    rewind('--call', '1');
    expect([read('a.txt'), read('src/kept.txt')]).toEqual(['a\n', 'mine\n']);
  });

  it('has the open turn of another session that this one destroys', async () => {
    const [ann, bob] = [agentOf('ann'), agentOf('bob')];
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
    const agent = agentOf('s1');
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
    const agent = agentOf('s1');
    await agent.prompt('look');
    for (const command of ['ls', 'git status', 'git log --oneline | head -3', 'cat a.txt 2>/dev/null']) await agent.shell(command);
    expect(listed()).toEqual([]);
    await agent.shell('touch x');
    expect(listed()).toMatchObject([{ number: 1, what: 'touch x' }]);
  });

  it('holds images under one ref of the working tree, which git gc and prune leave alone', async () => {
    const agent = agentOf('s1');
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
    const agent = agentOf('s1');
    await agent.prompt('work');
    await agent.shell('echo x > a.txt; echo x > src/kept.txt');
    const dry = piton('rewind', '--call', '1', '--dry-run');
    expect(dry.stdout).toContain('+one');
    rewind('--call', '1', '--path', 'src');
    expect([read('a.txt'), read('src/kept.txt')]).toEqual(['x\n', 'one\ntwo\n']);
  });

  it('says which calls there are when asked for another', async () => {
    const agent = agentOf('s1');
    await agent.prompt('work');
    await agent.shell('echo x > a.txt');
    const { status, stderr } = piton('rewind', '--call', '7', '--yes');
    expect(status).toBe(2);
    expect(stderr).toContain('no call "7" in the latest turn, which has 1');
  });
});

describe('no way back', () => {
  it('is said at the call, in the list and by rewind, which does not take the turn before', async () => {
    const agent = agentOf('s1');
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

it('a rewind names the files of which nobody can tell whether you changed them', async () => {
  const agent = agentOf('s1');
  await agent.prompt('build it');
  const build = await agent.begin('Bash', { command: 'make everything' });
  writeFileSync(file('built.txt'), 'built\n');
  await build.end();
  await agent.write('a.txt', 'agent\n');
  await agent.stop();
  expect(JSON.parse(piton('rewind', '--dry-run', '--json').stdout)).toMatchObject({
    delete: ['built.txt'],
    write: ['a.txt'],
    shared: ['built.txt'],
  });
  expect(piton('rewind', '--dry-run').stderr).toBe('Shared, may include your changes: built.txt.\n');
  expect(piton('rewind', '--yes').stdout).toMatch(/delete {2}built\.txt {2}shared: may include your changes\n/);
});
