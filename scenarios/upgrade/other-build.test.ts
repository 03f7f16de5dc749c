import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandEnd, execute, removeHomeNow, runPitonSync, selectAll } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };

let root: string;
let work: string;
let runtime: string;
let env: Record<string, string>;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-other-build-')));
  work = join(root, 'work');
  runtime = join(root, 'piton', 'state', 'runtime');
  for (const folder of [work, join(root, '.claude')]) mkdirSync(folder);
  env = { PATH: process.env.PATH ?? '', HOME: root, PITON_HOME: join(root, 'piton'), NO_COLOR: '1', PITON_ALLOW_UNDER_AGENT: '1' };
  init();
});
afterEach(() => removeHomeNow(root, join(root, 'piton', 'state'), join(root, 'piton', 'config')));

const piton = (...args: string[]): CommandEnd => runPitonSync(args, { cwd: work, env });
function init(...args: string[]): void {
  const { code, stderr } = piton('init', '--yes', '--agent', 'claude', ...args);
  if (code !== 0) throw new Error(stderr);
}
const current = (): string => readlinkSync(join(runtime, 'current'));

/** As if what is installed were another build of another version. */
function pretend(name: string): void {
  renameSync(join(runtime, current()), join(runtime, name));
  writeFileSync(join(runtime, name, 'build-id'), 'of another build\n');
  rmSync(join(runtime, 'current'));
  symlinkSync(name, join(runtime, 'current'));
}

/** Every file and link below, with what it holds. Who reads a store writes into the memory that its readers share. */
function treeOf(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => !name.endsWith('-shm'));
  const held = (path: string): string | undefined => {
    const stat = lstatSync(path);
    return stat.isSymbolicLink() ? readlinkSync(path) : stat.isFile() ? readFileSync(path).toString('base64') : undefined;
  };
  return Object.fromEntries(
    names.flatMap((name) => (held(join(directory, name)) === undefined ? [] : [[name, held(join(directory, name)) ?? '']])),
  );
}

describe('a command whose agents run another build of Piton', () => {
  it('says so once, on stderr, until init has moved them', () => {
    expect(piton('sessions').stderr).toBe('');
    pretend('0.0.9-11111111');
    const { stdout, stderr, code } = piton('sessions', '--json');
    expect(stderr).toMatch(
      new RegExp(`^note: your agents still run Piton 0\\.0\\.9, and this is ${version}\\. To move them to this one: .* init\n$`),
    );
    expect({ code, sessions: JSON.parse(stdout) }).toMatchObject({ code: 0 });
    expect(piton('init', '--yes', '--agent', 'claude').stderr).toBe('');
    expect(piton('sessions').stderr).toBe('');
    expect(current()).toMatch(new RegExp(`^${version}-`));
  });

  it('sees it where only the build differs', () => {
    pretend(`${version}-11111111`);
    expect(piton('sessions').stderr).toContain(`your agents still run another build of Piton ${version} than this command`);
  });

  it('is the one to update if agents run a newer one, and doctor does not go back by itself', () => {
    pretend('99.0.0-11111111');
    expect(piton('sessions').stderr).toContain('npm install -g @piton/cli@99.0.0');
    expect(piton('doctor', '--fix').stdout).toContain('update this command: npm install -g @piton/cli@99.0.0');
    expect(current()).toBe('99.0.0-11111111');
  });

  it('is found beside a link to the runtime that comes first', () => {
    const packaged = join(root, 'lib/node_modules/@piton/cli');
    mkdirSync(packaged, { recursive: true });
    writeFileSync(join(packaged, 'package.json'), '{ "version": "99.0.0" }');
    writeFileSync(join(packaged, 'piton.cjs'), '', { mode: 0o755 });
    mkdirSync(join(root, 'bin'));
    symlinkSync(join(packaged, 'piton.cjs'), join(root, 'bin/piton'));
    const run = (): string =>
      execFileSync('sh', ['-c', `'${runtime}/current/piton' sessions 2>&1`], {
        env: { ...env, PATH: `${join(root, 'bin')}:${env.PATH}` },
        encoding: 'utf8',
      });
    expect(run()).toContain(
      `Piton 99.0.0 is installed in ${join(root, 'bin')}, and your agents still run ${version}. To move them: ~/bin/piton init`,
    );
    writeFileSync(join(packaged, 'package.json'), '{ "version": "0.0.1" }');
    expect(run()).not.toContain('is installed in');
  });
});

describe('piton init over another build', () => {
  it('keeps the build before it, and removes what is older or left of an init that was killed', () => {
    pretend('0.0.8-11111111');
    init();
    const now = current();
    pretend('0.0.9-22222222');
    const [left, young] = ['.new-1', '.new-2'].map((name) => join(runtime, name)) as [string, string];
    for (const folder of [left, young]) mkdirSync(folder);
    utimesSync(left, 0, 0);
    init();
    expect(readdirSync(runtime).sort()).toEqual(['.new-2', '0.0.9-22222222', now, 'current']);
  });

  it('moves the runtime where agents are registered in projects alone, and registers none', () => {
    const project = join(root, 'project');
    execFileSync('git', ['init', '-q', project], { env });
    piton('uninstall', '--yes');
    expect(runPitonSync(['init', '--yes', '--project', '--agent', 'claude'], { cwd: project, env })).toMatchObject({ code: 0 });
    pretend('0.0.9-11111111');
    const before = treeOf(join(root, '.claude'));
    expect(piton('init', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(current()).toMatch(new RegExp(`^${version}-`));
    expect(treeOf(join(root, '.claude'))).toEqual(before);
    expect(piton('init', '--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('already has Piton at the project level') });
  });

  describe('that wrote the store', () => {
    const store = (): string => join(root, 'piton', 'state', 'piton.db');
    /** What a newer Piton leaves: a schema of its own, and the versions that may use it. */
    function recordedByNewer(...readers: number[]): void {
      const schema = Number(selectAll(store(), 'PRAGMA user_version')[0]?.user_version);
      execute(store(), 'DELETE FROM readers');
      for (const reader of [schema + 1, ...readers.map((back) => schema - back)])
        execute(store(), `INSERT INTO readers VALUES (${reader})`);
      execute(store(), `PRAGMA user_version = ${schema + 1}`);
      pretend('99.0.0-11111111');
    }
    beforeEach(() => {
      const call = { session_id: 'one', hook_event_name: 'SessionStart', cwd: work };
      execFileSync(join(runtime, 'current/piton-forward'), ['claude', 'SessionStart', 'user', '60000', '-'], {
        cwd: work,
        env,
        input: JSON.stringify(call),
      });
      piton('server', 'stop');
      expect(selectAll(store(), 'SELECT 1 FROM events')).toHaveLength(1);
    });

    it('is refused with a word before anything changes, if the store does not name this one as a reader', () => {
      recordedByNewer();
      const before = treeOf(root);
      for (const args of [
        ['init', '--yes', '--agent', 'claude'],
        ['init', '--dry-run', '--agent', 'claude'],
      ]) {
        const { code, stdout, stderr } = piton(...args);
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toContain(`cannot go back to Piton ${version}`);
        expect(stderr).toContain('keep 99.0.0');
      }
      expect(treeOf(root)).toEqual(before);
    });

    it('goes back if the store names it, and records go on in the same store', () => {
      recordedByNewer(0);
      init();
      expect(current()).toMatch(new RegExp(`^${version}-`));
      expect(piton('status')).toMatchObject({ code: 0 });
      expect(piton('events', '--json').stdout).toContain('session_start');
    });

    it('does not go back if doctor is to fix a runtime that is broken', () => {
      recordedByNewer();
      rmSync(join(runtime, 'current', 'server.cjs'));
      expect(piton('doctor', '--fix').stdout).toContain('--fix failed: cannot go back');
      expect(existsSync(join(runtime, 'current', 'server.cjs'))).toBe(false);
    });
  });
});
