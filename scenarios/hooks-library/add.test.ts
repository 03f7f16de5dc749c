import { appendFileSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runForwarder, type TestHome } from '@piton/testing';
import { describe, expect, it } from 'vitest';
import { piton, write } from '../hooks-test/setup.ts';
import { LIBRARY, NAMES, newHome } from './setup.ts';

const GUARD = 'block-destructive-commands';
const bash = (home: TestHome, command: string) =>
  runForwarder(home, 'PreToolUse', {
    session_id: 's',
    cwd: home.work,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: command,
  });
const folderOf = (home: TestHome, name: string): string => join(home.places.config, 'artifacts', name);

describe('hooks add', () => {
  it('lists the library when it is given alone', async () => {
    const { code, stdout } = await piton(newHome(), ['hooks', 'add', '--json']);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { name: string; standing: string }[]).map(({ name, standing }) => [name, standing])).toEqual(
      NAMES.map((name) => [name, '']),
    );
  });

  it('adds a guard that decides from then on, and says how to try and remove it', async () => {
    const home = newHome();
    const { code, stdout } = await piton(home, ['hooks', 'add', GUARD]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/hooks test block-destructive-commands/);
    expect(stdout).toMatch(/hooks remove block-destructive-commands/);
    expect(statSync(join(folderOf(home, GUARD), 'guard.mjs')).mode & 0o777).toBe(0o600);
    expect((await bash(home, 'rm -rf ~')).stdout).toContain('Remove only the files that you made');
    expect((await bash(home, 'rm -rf node_modules')).stdout).toBe('{}');
  });

  it('puts one on trial, where it decides nothing', async () => {
    const home = newHome();
    await piton(home, ['hooks', 'add', GUARD, '--mode', 'shadow']);
    expect(readFileSync(join(folderOf(home, GUARD), 'ARTIFACT.md'), 'utf8')).toContain('mode: shadow');
    expect((await bash(home, 'rm -rf ~')).stdout).toBe('{}');
    await piton(home, ['hooks', 'add', GUARD, '--mode', 'enforce']);
    expect(readFileSync(join(folderOf(home, GUARD), 'ARTIFACT.md'), 'utf8')).not.toContain('mode:');
  });

  it('says so when it is there already, and keeps its mode', async () => {
    const home = newHome();
    await piton(home, ['hooks', 'add', GUARD, '--mode', 'shadow']);
    const [again] = JSON.parse((await piton(home, ['hooks', 'add', GUARD, '--json'])).stdout) as { did: string; mode: string }[];
    expect(again).toMatchObject({ did: 'nothing', mode: 'shadow' });
  });

  it('never overwrites what somebody changed, and shows what would be lost', async () => {
    const home = newHome();
    await piton(home, ['hooks', 'add', 'protect-paths']);
    const list = join(folderOf(home, 'protect-paths'), 'paths.txt');
    appendFileSync(list, 'my-own-secret\n');
    const { code, stderr } = await piton(home, ['hooks', 'add', 'protect-paths']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/- my-own-secret/);
    expect(readFileSync(list, 'utf8')).toContain('my-own-secret');
    expect((await piton(home, ['hooks', 'add', 'protect-paths', '--force'])).code).toBe(0);
    expect(readFileSync(list, 'utf8')).not.toContain('my-own-secret');
  });

  it('brings an untouched one to a newer version, with the cases that were written beside it', async () => {
    const home = newHome();
    const own = join(home.root, 'my-guard');
    cpSync(join(LIBRARY, 'project-context'), own, { recursive: true });
    await piton(home, ['hooks', 'add', own, '--yes']);
    write(join(folderOf(home, 'my-guard'), 'tests', 'mine.json'), '[]');
    const file = join(own, 'ARTIFACT.md');
    write(file, readFileSync(file, 'utf8').replace('version: 1.0.0', 'version: 1.1.0'));
    const { stdout } = await piton(home, ['hooks', 'add', own, '--yes']);
    expect(stdout).toContain('1.0.0 → 1.1.0');
    expect(existsSync(join(folderOf(home, 'my-guard'), 'tests', 'mine.json'))).toBe(true);
  });

  it('adds to a project what it then trusts, and nothing else there', async () => {
    const home = newHome();
    write(join(home.work, '.piton', 'hooks', 'pre-tool-use', '10-other'), '#!/bin/sh\nexit 2\n', 0o755);
    expect((await piton(home, ['hooks', 'add', GUARD, '--scope', 'project'])).code).toBe(0);
    const trusted = JSON.parse((await piton(home, ['trust', '--json'])).stdout) as { id: string; trusted: string }[];
    expect(Object.fromEntries(trusted.map((one) => [one.id, one.trusted]))).toEqual({
      [`project:artifacts/${GUARD}`]: 'yes',
      'project:pre-tool-use/10-other': 'no',
    });
    expect((await bash(home, 'git reset --hard')).stdout).toContain('git stash');
  });

  it('refuses a folder of one’s own that lint would keep out', async () => {
    const home = newHome();
    const own = join(home.root, 'broken');
    write(
      join(own, 'ARTIFACT.md'),
      '---\ntype: hook\nversion: 1.0.0\ndescription: Nothing that could run.\nhook_event: no_such_event\nhook_action: "true"\n---\n',
    );
    const { code, stderr } = await piton(home, ['hooks', 'add', own, '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain('no_such_event');
    expect(existsSync(folderOf(home, 'broken'))).toBe(false);
  });

  it('refuses a folder of which it could not take all, and says what', async () => {
    const home = newHome();
    const own = join(home.root, 'linked');
    cpSync(join(LIBRARY, 'notify'), own, { recursive: true });
    mkdirSync(join(own, 'parts'));
    symlinkSync('../ARTIFACT.md', join(own, 'parts', 'shared.md'));
    const { code, stderr } = await piton(home, ['hooks', 'add', own, '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain('parts/shared.md (a symbolic link)');
    expect(stderr).toContain('fix');
    expect(existsSync(folderOf(home, 'linked'))).toBe(false);
  });

  it('refuses an ARTIFACT.md that is not UTF-8, which it would damage', async () => {
    const home = newHome();
    const own = join(home.root, 'latin');
    cpSync(join(LIBRARY, 'notify'), own, { recursive: true });
    appendFileSync(join(own, 'ARTIFACT.md'), Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x0a]));
    const { code, stderr } = await piton(home, ['hooks', 'add', own, '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain('UTF-8');
    expect(stderr).toContain(join(own, 'ARTIFACT.md'));
    expect(existsSync(folderOf(home, 'latin'))).toBe(false);
  });

  it('takes no link away that somebody put beside it, without --force', async () => {
    const home = newHome();
    const own = join(home.root, 'mine');
    cpSync(join(LIBRARY, 'notify'), own, { recursive: true });
    expect((await piton(home, ['hooks', 'add', own, '--yes'])).code).toBe(0);
    const link = join(folderOf(home, 'mine'), 'notes');
    symlinkSync('/etc/hostname', link);
    appendFileSync(join(own, 'ARTIFACT.md'), 'More.\n');
    const again = await piton(home, ['hooks', 'add', own, '--yes']);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('notes (a symbolic link)') });
    expect((await piton(home, ['hooks', 'remove', 'mine', '--yes'])).code).toBe(1);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect((await piton(home, ['hooks', 'add', own, '--force', '--yes'])).code).toBe(0);
  });

  it('and removes at the same time as others do, and each is remembered', async () => {
    const home = newHome();
    const names = Array.from({ length: 8 }, (_, at) => `one-${at}`);
    const folders = names.map((name) => join(home.root, name));
    for (const folder of folders) cpSync(join(LIBRARY, 'notify'), folder, { recursive: true });
    const remembered = (): string[] =>
      Object.keys(JSON.parse(readFileSync(join(home.places.home, 'added-hooks.json'), 'utf8')) as object).sort();
    const added = await Promise.all(folders.map((folder) => piton(home, ['hooks', 'add', folder, '--yes'])));
    expect(added.map(({ code }) => code)).toEqual(names.map(() => 0));
    expect(remembered()).toEqual(names.map((name) => folderOf(home, name)));
    const removed = await Promise.all(names.slice(1).map((name) => piton(home, ['hooks', 'remove', name, '--yes'])));
    expect(removed.map(({ code }) => code)).toEqual(names.slice(1).map(() => 0));
    expect(remembered()).toEqual([folderOf(home, 'one-0')]);
  });

  it('suggests a name, and adds none where one is wrong', async () => {
    const home = newHome();
    const { code, stderr } = await piton(home, ['hooks', 'add', 'notify', 'protect-path']);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean protect-paths');
    expect(existsSync(folderOf(home, 'notify'))).toBe(false);
  });

  it('adds nothing for an agent', async () => {
    const home = newHome();
    const { code, stderr } = await piton(home, ['hooks', 'add', 'notify'], { env: { PITON_ALLOW_UNDER_AGENT: '', CLAUDECODE: '1' } });
    expect(code).toBe(1);
    expect(stderr).toContain('under an agent');
    expect(existsSync(folderOf(home, 'notify'))).toBe(false);
  });
});

describe('hooks remove', () => {
  it('removes what was added and nothing beside it', async () => {
    const home = newHome();
    await piton(home, ['hooks', 'add', GUARD, 'notify']);
    expect((await bash(home, 'rm -rf ~')).stdout).toContain('deny');
    expect((await piton(home, ['hooks', 'remove', GUARD, '--yes'])).code).toBe(0);
    expect(existsSync(folderOf(home, GUARD))).toBe(false);
    expect(existsSync(folderOf(home, 'notify'))).toBe(true);
    expect((await bash(home, 'rm -rf  ~')).stdout).toBe('{}');
  });

  it('leaves what somebody changed, wrote by hand, or keeps cases in', async () => {
    const home = newHome();
    await piton(home, ['hooks', 'add', 'protect-paths', 'notify']);
    appendFileSync(join(folderOf(home, 'protect-paths'), 'paths.txt'), 'x\n');
    write(join(folderOf(home, 'notify'), 'tests', 'mine.json'), '[]');
    cpSync(join(LIBRARY, 'project-context'), folderOf(home, 'by-hand'), { recursive: true });
    for (const name of ['protect-paths', 'notify', 'by-hand']) {
      expect([name, (await piton(home, ['hooks', 'remove', name, '--yes'])).code]).toEqual([name, 1]);
      expect(existsSync(folderOf(home, name))).toBe(true);
    }
  });

  it('takes the trust of a project’s hook with it', async () => {
    const home = newHome();
    await piton(home, ['hooks', 'add', GUARD, '--scope', 'project']);
    expect((await piton(home, ['hooks', 'remove', GUARD, '--scope', 'project', '--yes'])).code).toBe(0);
    expect((await bash(home, 'git reset --hard')).stdout).toBe('{}');
  });

  it('needs a yes', async () => {
    const home = newHome();
    await piton(home, ['hooks', 'add', 'notify']);
    const said = await piton(home, ['hooks', 'remove', 'notify']);
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('hooks remove notify --yes') });
    expect(existsSync(folderOf(home, 'notify'))).toBe(true);
  });

  it('says to give what was given: without its scope it would be another hook', async () => {
    const home = newHome();
    await piton(home, ['hooks', 'add', 'notify', '--scope', 'project']);
    const { stderr } = await piton(home, ['hooks', 'remove', 'notify', '--scope', 'project', '--force']);
    expect(stderr).toContain('hooks remove notify --scope project --force --yes');
  });
});
