import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, selectAll } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Stage } from '../repository-setup.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
  expect(stage.piton('init', '--agent', 'claude', '--yes').status).toBe(0);
});
afterEach(() => stage.end());

/** What the disk says, not what we say. */
const du = (path: string): number => Number(execFileSync('du', ['-s', '--block-size=1', path], { encoding: 'utf8' }).split('\t')[0]);
/** The same without what half-empty blocks take: a call may leave a pack of a few hundred bytes. */
const contents = (path: string): number =>
  Number(execFileSync('du', ['-s', '--apparent-size', '--block-size=1', path], { encoding: 'utf8' }).split('\t')[0]);
const clean = (...args: string[]) => {
  const { status, stdout, stderr } = stage.piton('clean', ...args);
  return { status, stdout, stderr };
};
const checkpoints = (): { name: string; session: string }[] => JSON.parse(stage.piton('checkpoints', 'list', '-n', '99', '--json').stdout);

it('says first what would go, does it with a yes, and gives the room back while the server runs', async () => {
  for (const at of [1, 2, 3]) await stage.turn('s1', `idea ${at}`, 'idea.ts', randomBytes(200_000).toString('hex'));
  rmSync(join(stage.work, 'idea.ts'));
  await stage.turn('s2', 'something good', 'good.ts', 'good\n');
  stage.commit('Good');
  await eventually(() => checkpoints().some(({ name }) => name === 'Good'));
  const [home, git] = [stage.home, join(stage.work, '.git')];
  const before = [du(home), du(git), checkpoints().length] as const;
  const shown = clean('--older-than', '0s');
  expect(shown).toMatchObject({ status: 0, stderr: '' });
  expect(shown.stdout).toContain('Nothing was deleted');
  expect(shown.stdout).toMatch(/payloads and hook output.*\d events/);
  expect([checkpoints().length, du(git)]).toEqual([before[2], before[1]]);

  const done = clean('--older-than', '0s', '--yes');
  expect(done).toMatchObject({ status: 0, stderr: '' });
  expect(done.stdout).toMatch(/freed: .* before, .* now/);
  // Three times 400 KB of it in events, and what no turn of s2 needs in git.
  expect(before[0] - du(home)).toBeGreaterThan(400_000);
  expect(before[1] - du(git)).toBeGreaterThan(200_000);
  expect(stage.git('fsck', '--full', '--no-dangling')).toBe('');
  expect(checkpoints().map(({ session }) => session)).toContain('s2');
  expect(JSON.parse(stage.piton('explain', 'HEAD', '--json').stdout)).toMatchObject({ agent: 1, human: 0 });
  // What was asked and done is still known, and the server goes on.
  expect(JSON.parse(stage.piton('export', 's1', '--json').stdout).sessions[0].turns[0].prompt).toBe('idea 1');
  await stage.turn('s2', 'and on', 'on.ts', 'on\n');
  expect(JSON.parse(stage.piton('sessions', '--json').stdout)).toHaveLength(2);
});

it('what it says beforehand is what goes', async () => {
  for (const at of [1, 2, 3]) await stage.turn('s1', `idea ${at}`, 'idea.ts', randomBytes(300_000).toString('hex'));
  rmSync(join(stage.work, 'idea.ts'));
  await stage.turn('s2', 'something good', 'good.ts', 'good\n');
  stage.commit('Good');
  await eventually(() => checkpoints().some(({ name }) => name === 'Good'));
  stage.settle();
  interface Report {
    readonly done: boolean;
    readonly parts: readonly { readonly name: string; readonly count: number; readonly bytes: number }[];
  }
  const run = (...more: string[]): Report => JSON.parse(clean('--older-than', '0s', '--json', ...more).stdout);
  const [git, listed] = [contents(join(stage.work, '.git')), checkpoints().length];
  const said = run('--dry-run');
  expect(said.done).toBe(false);
  expect([contents(join(stage.work, '.git')), checkpoints().length]).toEqual([git, listed]);
  const done = run('--yes');
  expect([done.done, done.parts]).toEqual([true, said.parts]);
  const part = said.parts.find(({ name }) => name === 'checkpoints');
  expect(listed - checkpoints().length).toBe(part?.count);
  const freed = git - contents(join(stage.work, '.git'));
  expect(Math.abs(freed - (part?.bytes ?? 0))).toBeLessThan(0.1 * freed);
  expect(run('--dry-run').parts.filter(({ name }) => name === 'checkpoints')).toEqual([]);
});

it('does not promise the room of files that a checkpoint which stays holds as well', async () => {
  const large = 300_000;
  for (const at of [1, 2, 3]) await stage.turn('s1', `idea ${at}`, `idea-${at}.ts`, randomBytes(large).toString('base64'));
  for (const at of [1, 2, 3]) rmSync(join(stage.work, `idea-${at}.ts`));
  await stage.turn('s2', 'something good', 'good.ts', 'good\n');
  stage.commit('Good');
  await eventually(() => checkpoints().some(({ name }) => name === 'Good'));
  stage.settle();
  const said = JSON.parse(clean('--older-than', '0s', '--checkpoints', '--json', '--dry-run').stdout);
  expect(said.parts).toMatchObject([{ name: 'checkpoints', count: 3 }]);
  expect(said.parts[0].bytes).toBeLessThan(large);
});

it('takes one session and leaves the others', async () => {
  await stage.turn('s1', 'first', 'a.ts', 'a\n');
  await stage.turn('s2', 'second', 'b.ts', 'b\n');
  expect(clean('--sessions', 's1', '--yes').status).toBe(0);
  const texts = (session: string): unknown[] => {
    const { sessions } = JSON.parse(stage.piton('export', session, '--full', '--json').stdout);
    return [sessions[0].turns[0].answer, sessions[0].turns[0].tokens.output];
  };
  expect(texts('s1')).toEqual([null, 40]);
  expect(texts('s2')).toEqual(['Done: b.ts is written.', 40]);
  expect(clean('--sessions', 'nobody', '--yes').status).toBe(1);
  expect(clean('--sessions', 's2', '--checkpoints', '--yes')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--checkpoints'),
  });
});

it('deletes old logs, versions that nothing runs and copies that nobody trusts; quarantined files only with --aside', () => {
  stage.fire('Notification', 's1', { message: 'so that a server runs' });
  const [current = ''] = readdirSync(join(stage.home, 'runtime')).filter((name) => /^\d/.test(name));
  const old = {
    log: 'logs/old.log',
    runtime: 'runtime/0.0.1-deadbeef/server.cjs',
    copy: 'trust/objects/abc/hook',
    aside: 'env/x/aside/y.frame',
  };
  const path = (name: keyof typeof old): string => join(stage.home, old[name]);
  for (const name of Object.keys(old) as (keyof typeof old)[]) {
    mkdirSync(join(path(name), '..'), { recursive: true });
    writeFileSync(path(name), randomBytes(10_000));
    utimesSync(path(name), 1, 1);
  }
  const young = join(stage.home, 'logs', 'young.log');
  writeFileSync(young, 'x');
  const listed = JSON.parse(clean('--json', '--dry-run').stdout) as { done: boolean; parts: { name: string; bytes: number }[] };
  expect(listed.done).toBe(false);
  expect(listed.parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['logs', 'runtimes']));
  expect(listed.parts.map(({ name }) => name)).not.toContain('aside');
  expect(clean('--yes').status).toBe(0);
  expect([existsSync(path('log')), existsSync(path('runtime')), existsSync(path('aside')), existsSync(young)]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(statSync(join(stage.home, 'runtime', current, 'server.cjs')).isFile()).toBe(true);
  expect(clean('--aside', '--yes').stdout).toContain('freed');
  expect(existsSync(path('aside'))).toBe(false);
  expect(clean('--yes').stdout).toBe('Nothing to clean.\n');
});

it('deletes what rewinds replaced with --aside, and never what `--undo` would restore', async () => {
  const [file, put] = [join(stage.work, '.env'), (text: string) => writeFileSync(join(stage.work, '.env'), text)];
  put('A=1\n');
  stage.commit('With an environment');
  await stage.turn('s1', 'another environment', '.env', 'A=2\n');
  await eventually(() => checkpoints().length >= 2);
  const [target] = JSON.parse(stage.piton('checkpoints', 'list', '--json').stdout).filter(
    ({ kind }: { kind: string }) => kind === 'prompt',
  );
  stage.git('rm', '-q', '--cached', '.env');
  stage.git('commit', '-qm', 'Without it');
  for (const text of ['A=first\n', 'A=second\n']) {
    put(text);
    expect(stage.piton('rewind', target.id, '--all', '--yes')).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe('A=1\n');
  }
  const kept = (): string[] =>
    execFileSync('find', [join(stage.home, 'checkpoints'), '-path', '*/aside/*', '-type', 'f'], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
      .map((path) => readFileSync(path, 'utf8'))
      .sort();
  expect(kept()).toEqual(['A=first\n', 'A=second\n']);
  expect(clean('--aside', '--yes').stdout).toBe('Nothing to clean.\n');
  const shown = clean('--aside', '--older-than', '0s', '--dry-run');
  expect(shown.stdout).toMatch(/files that 1 rewind replaced \(no other copy\)/);
  expect(kept()).toHaveLength(2);
  expect(clean('--older-than', '0s', '--yes')).toMatchObject({ status: 0, stderr: '' });
  expect(kept()).toHaveLength(2);
  expect(clean('--aside', '--older-than', '0s', '--yes')).toMatchObject({ status: 0, stderr: '' });
  expect(kept()).toEqual(['A=second\n']);
  expect(clean('--aside', '--older-than', '0s', '--yes').stdout).toBe('Nothing to clean.\n');
  expect(stage.piton('rewind', '--undo', '--yes')).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(file, 'utf8')).toBe('A=second\n');
});

it('names the command that deletes what was shown, and no more', () => {
  const log = join(stage.home, 'logs', 'older.log');
  mkdirSync(join(log, '..'), { recursive: true });
  writeFileSync(log, randomBytes(10_000));
  utimesSync(log, 1, 1);
  for (const args of [['--dry-run'], []])
    expect(clean('--older-than', '12w', '--logs', ...args).stdout).toMatch(/ clean --older-than 12w --logs --yes`\n$/);
  expect(clean('--dry-run').stdout).toMatch(/ clean --yes`\n$/);
});

it('leaves the log of a server that lives, however long it has been silent, and takes it when the server is gone', () => {
  stage.fire('Notification', 's1', { message: 'so that a server runs' });
  const log = join(stage.home, 'logs', 'server.log');
  const old = join(stage.home, 'logs', 'old.log');
  for (const path of [log, old]) {
    writeFileSync(path, 'long ago\n', { flag: 'a' });
    utimesSync(path, 1, 1);
  }
  expect(clean('--logs', '--yes').status).toBe(0);
  expect([existsSync(log), existsSync(old)]).toEqual([true, false]);
  expect(stage.piton('server', 'stop').status).toBe(0);
  utimesSync(log, 1, 1);
  expect(clean('--logs', '--yes').status).toBe(0);
  expect(existsSync(log)).toBe(false);
});

it('deletes nothing on the word of an agent, and says what it does not understand', () => {
  stage.fire('Notification', 's1', { message: 'x' });
  const args = ['clean', '--older-than', '0s', '--yes'];
  const environment = { ...stage.environment, CLAUDECODE: '1', PITON_ALLOW_UNDER_AGENT: undefined };
  const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.mjs');
  expect(() => execFileSync(process.execPath, [cli, ...args], { cwd: stage.work, env: environment, stdio: 'pipe' })).toThrow(
    /under an agent/,
  );
  expect(selectAll(join(stage.home, 'piton.db'), 'SELECT count(*) AS n FROM events WHERE expired_us IS NOT NULL')).toEqual([{ n: 0 }]);
  expect(clean('--older-than', 'soon')).toMatchObject({ status: 2, stderr: expect.stringContaining('is not an age') });
});

it('a repository that git cannot read is reported, and the others are cleaned', async () => {
  await stage.turn('s1', 'idea', 'idea.ts', randomBytes(1000).toString('hex'));
  rmSync(join(stage.work, 'idea.ts'));
  await stage.turn('s2', 'another', 'other.ts', 'other\n');
  const broken = join(stage.root, 'broken');
  execFileSync('git', ['clone', '--quiet', stage.work, broken]);
  const listed = join(stage.home, 'repositories');
  writeFileSync(listed, `${broken}\n${readFileSync(listed, 'utf8')}`);
  // A ref of ours whose object is gone.
  mkdirSync(join(broken, '.git', 'refs', 'piton', 'checkpoints'), { recursive: true });
  writeFileSync(join(broken, '.git', 'refs', 'piton', 'checkpoints', '01K0A0A0A0A0A0A0A0A0A0A0A0'), `${'1'.repeat(40)}\n`);
  const done = clean('--checkpoints', '--older-than', '0s', '--yes', '--json');
  expect(done.status).toBe(1);
  const { done: isDone, problems, parts } = JSON.parse(done.stdout);
  expect(isDone).toBe(true);
  expect(problems).toEqual([expect.stringContaining(`${broken}: could not be read`)]);
  expect(parts).toMatchObject([{ name: 'checkpoints', where: stage.work }]);
  expect(clean('--checkpoints', '--older-than', '0s').stdout).toContain(`${broken}: could not be read`);
});

it('forgets how to read repositories that were deleted', async () => {
  await stage.turn('s1', 'something', 'a.ts', 'a\n');
  stage.settle();
  const kept = () => readdirSync(join(stage.home, 'git'));
  expect(kept()).toHaveLength(1);
  clean('--yes');
  expect(kept()).toHaveLength(1);
  rmSync(stage.work, { recursive: true });
  mkdirSync(stage.work);
  expect(clean('--yes').stdout).toContain('deleted repository');
  expect(kept()).toEqual([]);
});
