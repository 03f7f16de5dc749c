import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWhere, eventually, type TestHome } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  agent,
  closeTree,
  dead,
  event,
  file,
  type ListedCall,
  listedCalls as listed,
  openTree,
  piton,
  read,
  stalled,
} from './agent-tree.ts';

let home: TestHome;
beforeEach(() => {
  home = openTree({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
});
afterEach(closeTree);

const summary = () =>
  listed()
    .map(({ tool, wayBack }) => `${tool} ${wayBack}`)
    .reverse();
const kept = (): string[] => (existsSync(join(home.places.home, 'kept')) ? readdirSync(join(home.places.home, 'kept')) : []);

describe('a server that does not answer', () => {
  it('stalls over a prompt and a command: no state before them is made up afterwards, and everybody is told', async () => {
    const one = agent('s1');
    await one.prompt('first');
    await one.shell('echo first > a.txt');
    await one.stop();
    writeFileSync(file('u.txt'), 'untracked, mine\n');
    let said = '';
    await stalled(async () => {
      await one.prompt('second');
      said = await one.shell('rm u.txt; echo x > x.txt');
    });
    expect(JSON.parse(said)).toMatchObject({ systemMessage: expect.stringContaining('no way back before this call (Bash)') });
    await eventually(() => summary().includes('turn none'));
    expect(summary()).toEqual(['Bash image', 'turn none', 'Bash none']);
    const refused = piton('rewind', '--yes');
    expect(refused.stderr).toContain('no way back before the latest turn');
    expect([refused.status, read('a.txt'), read('x.txt')]).toEqual([1, 'first\n', 'x\n']);
    const checkpoints = JSON.parse(piton('checkpoints', '--json').stdout) as { name: string; by: string }[];
    expect(checkpoints.filter(({ name }) => name.startsWith('Before: second'))).toEqual([]);
    expect(piton('doctor').stdout).toContain('no way back before 1 turn and 1 call');
    // What comes next has its own way back again, and the notice of the turn is said once.
    const next = await one.shell('echo more >> x.txt');
    expect(next).toContain('no way back before this turn');
    expect(next).not.toContain('this call');
    expect(await one.shell('echo more >> x.txt')).not.toContain('no way back');
    await one.stop();
    expect(piton('rewind', '--yes').stderr).toContain('no way back before the latest turn');
    await one.prompt('third');
    await one.shell('echo third > a.txt');
    await one.stop();
    expect(piton('rewind', '--yes').status).toBe(0);
    expect(read('a.txt')).toBe('first\n');
  });

  it('stalls over a prompt alone: the state before the first call is the state before the turn', async () => {
    const one = agent('s1');
    await one.prompt('first');
    await one.shell('echo first > a.txt');
    await one.stop();
    await stalled(async () => void (await one.prompt('second')));
    await eventually(() => summary().includes('turn none'));
    await one.shell('echo second > a.txt; echo new > new.txt');
    await one.stop();
    expect(piton('rewind', '--yes').status).toBe(0);
    expect([read('a.txt'), read('new.txt')]).toEqual(['first\n', null]);
  });

  it('stalls over an edit: the stand-in has kept the file, for nobody else to read', async () => {
    const one = agent('s1');
    await one.prompt('first');
    await one.shell('true > made.txt');
    writeFileSync(file('a.txt'), 'mine\n');
    let said = '';
    await stalled(async () => {
      said = await one.write('a.txt', 'over\n');
      await one.write('new/file.txt', 'new\n');
      const [first = ''] = kept().filter((name) => !name.startsWith('.'));
      const place = join(home.places.home, 'kept', first);
      const modes = [join(place, '..'), place, join(place, '0'), join(place, 'call.json')].map((path) => statSync(path).mode & 0o777);
      expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
    });
    expect(said).not.toContain('no way back');
    await eventually(() => summary().length === 3);
    expect(summary()).toEqual(['Bash image', 'Write files', 'Write files']);
    expect(kept()).toEqual([]);
    await one.stop();
    expect(piton('rewind', '--call', '2', '--yes').status).toBe(0);
    expect([read('a.txt'), read('new/file.txt')]).toEqual(['mine\n', null]);
  });

  it('is dead for a turn: what edits named comes back, commands are told, and no turn before it is taken instead', async () => {
    const one = agent('s1');
    await one.prompt('first');
    await one.shell('echo first > a.txt');
    await one.stop();
    let said: string[] = [];
    await dead(async () => {
      await one.prompt('second');
      await one.write('b.txt', 'over\n');
      said = [await one.shell('rm a.txt'), await one.shell('echo again > again.txt')];
      await one.stop();
    });
    expect(said.map((text) => text.includes('no way back before this call (Bash)'))).toEqual([true, false]);
    // Without a server the command takes up what was kept.
    expect(summary()).toEqual(['Bash image', 'Write files', 'Bash none', 'Bash none']);
    expect(piton('rewind', '--yes').stderr).toContain('no way back before the latest turn');
    expect(read('a.txt')).toBe(null);
    await event('s2', 'SessionStart', { source: 'startup' });
    await eventually(() => summary().includes('turn none'));
    expect(piton('rewind', '--yes').stderr).toContain('no way back before the latest turn');
    const write = listed().find(({ tool }) => tool === 'Write') as ListedCall;
    const done = piton('rewind', write.id, '--yes');
    expect([done.status, read('b.txt')]).toEqual([0, 'b\n']);
    expect(done.stdout).toContain('Nothing was kept before Bash: rm a.txt');
  });

  it('keeps files also where the built-in guard is off', async () => {
    writeFileSync(join(home.places.config, 'settings.json'), JSON.stringify({ guard: 'off' }));
    const one = agent('s1');
    await one.prompt('first');
    await dead(async () => void (await one.write('b.txt', 'over\n')));
    expect(summary()).toEqual(['Write files']);
    expect(piton('rewind', '--call', '1', '--yes').status).toBe(0);
    expect(read('b.txt')).toBe('b\n');
  });
});

const [MOUNT, UNMOUNT] = ['mount', 'umount'];
const run = (...args: readonly string[]): void => void execFileSync(args[0] ?? '', args.slice(1), { stdio: 'pipe' });

/** Only root may mount, and not everywhere. */
function whyNoMount(): string | null {
  const place = mkdtempSync(join(tmpdir(), 'piton-mount-'));
  try {
    run(MOUNT, '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place);
    run(UNMOUNT, place);
    return null;
  } catch {
    return 'mounting a file system is not permitted here';
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const readOnly = (place: string): void => {
  run(MOUNT, '--bind', place, place);
  run(MOUNT, '-o', 'remount,ro,bind', place);
};

describeWhere(whyNoMount(), 'a place that cannot be written', () => {
  const mounted: string[] = [];
  afterEach(() => {
    for (const place of mounted.splice(0).reverse()) run(UNMOUNT, '-l', place);
  });

  /** The repository lies on a small disk of its own. */
  const onSmallDisk = (): void => {
    run('cp', '-a', `${home.work}/.`, file('../copy'));
    run(MOUNT, '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', home.work);
    mounted.push(home.work);
    run('cp', '-a', `${file('../copy')}/.`, home.work);
    writeFileSync(file('.git/info/exclude'), 'filler\n');
  };
  const fill = (): void => {
    try {
      writeFileSync(file('filler'), Buffer.alloc(4 * 1024 * 1024));
    } catch {
      // it is full
    }
  };

  it.each<[string, () => void, () => void, () => void]>([
    ['a full disk', onSmallDisk, fill, () => rmSync(file('filler'))],
    [
      'a read-only .git',
      () => {},
      () => {
        readOnly(file('.git'));
        mounted.push(file('.git'));
      },
      () => run(UNMOUNT, '-l', mounted.pop() ?? ''),
    ],
    [
      'a read-only home of ours',
      () => {},
      () => {
        readOnly(home.places.home);
        mounted.push(home.places.home);
      },
      () => run(UNMOUNT, '-l', mounted.pop() ?? ''),
    ],
  ])('%s is said at the call and by rewind, leaves nothing behind, and is over when it is over', async (_name, before, breakIt, mend) => {
    mkdirSync(file('../copy'));
    before();
    const one = agent('s1');
    await one.prompt('first');
    await one.shell('echo first > a.txt');
    await one.stop();
    expect(summary()).toEqual(['Bash image']);
    writeFileSync(file('mine.txt'), 'mine, and in no object\n');
    breakIt();
    await one.prompt('second');
    const said = await one.shell('rm mine.txt');
    expect(said).toContain('no way back before this call (Bash)');
    writeFileSync(file('b.txt'), 'B\n');
    expect(await one.shell('rm b.txt')).not.toContain('no way back before this call (Bash)');
    const refused = piton('rewind', '--yes');
    expect([refused.status, read('a.txt')]).toEqual([1, 'first\n']);
    expect(readdirSync(file('.git')).filter((name) => name.startsWith('fast_import_crash'))).toEqual([]);
    mend();
    await one.stop();
    expect(summary()).toEqual(['Bash image', 'turn none', 'Bash none', 'Bash none']);
    expect(piton('rewind', '--yes').stderr).toContain('no way back before the latest turn');
    expect(piton('doctor').stdout).toContain('no way back before 1 turn and 2 calls');
    await one.prompt('third');
    await one.shell('echo third > a.txt');
    await one.stop();
    expect(piton('rewind', '--yes').status).toBe(0);
    expect(read('a.txt')).toBe('first\n');
  });

  it('an edit on a full disk is said with the next answer', async () => {
    mkdirSync(file('../copy'));
    onSmallDisk();
    const one = agent('s1');
    await one.prompt('first');
    await one.shell('echo first > made.txt');
    writeFileSync(file('a.txt'), 'mine\n'.repeat(1000));
    fill();
    const call = await one.beginWrite('a.txt', 'over\n');
    writeFileSync(file('a.txt'), 'over\n');
    // That is the answer to its end already, if the disk was found to be full by then.
    const atItsEnd = await call.end();
    await eventually(() => summary().includes('Write none'));
    expect(atItsEnd + (await one.shell('true > b.txt'))).toContain('no way back before this call (Write)');
  });
});

it('a folder with too many files is named by rewind, by the list of calls, in JSON and by doctor', async () => {
  mkdirSync(file('cache'));
  for (let at = 0; at < 10_050; at++) writeFileSync(file(`cache/${at}`), '');
  writeFileSync(file('mine.txt'), 'mine\n');
  const one = agent('s1');
  await one.prompt('clean');
  await one.shell('rm mine.txt');
  await one.stop();
  expect(piton('rewind', '--calls').stdout).toContain('all files but cache/');
  const [call] = JSON.parse(piton('rewind', '--calls', '--json').stdout) as { leftOut: object[] }[];
  expect(call?.leftOut).toEqual([{ path: 'cache', reason: 'too-many', bytes: 0, files: 10_050 }]);
  expect(piton('doctor').stdout).toContain('in no checkpoint: cache/ (10,050 untracked files, more than a checkpoint holds)');
  const done = piton('rewind', '--yes');
  expect(done.stdout).toContain('Not in the checkpoint, so not restored: cache/ (10,050 untracked files');
  expect(read('mine.txt')).toBe('mine\n');
});
