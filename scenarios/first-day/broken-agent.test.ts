import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENTS } from '@piton/agents';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
  box.write(box.settings, '{}\n');
});
afterEach(() => box.end());

const droid = () => join(box.home, '.factory/settings.json');
const codex = () => join(box.home, '.codex/hooks.json');
const gemini = () => join(box.home, '.gemini/settings.json');

/** Each leaves in the file's place what nobody can edit, and says what of it must be told. */
const BROKEN: Readonly<Record<string, { readonly make: (path: string) => void; readonly told: RegExp }>> = {
  'is no JSON': { make: (path) => writeFileSync(path, '{ "model": "x",\n  oops }'), told: /line 2/ },
  'is a directory': { make: (path) => mkdirSync(path), told: /it is a directory/ },
  'is not UTF-8': { make: (path) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d])), told: /UTF-8/ },
  'is a link to itself': { make: (path) => symlinkSync(path, path), told: /loop/ },
};

interface Failed {
  readonly agent: string;
  readonly error: string;
  readonly where: string | null;
  readonly remedy: string | null;
}
interface Reported {
  readonly changed: boolean;
  readonly agents: readonly { readonly agent: string }[];
  readonly failed: readonly Failed[];
}

function breakFile(path: string, make: (path: string) => void): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  make(path);
}

describe('an agent whose file', () => {
  for (const [name, { make, told }] of Object.entries(BROKEN)) {
    it(`${name} is named by init, and the others are done`, async () => {
      breakFile(gemini(), make);
      const said = await box.piton(['init', '--agents', 'gemini,claude']);
      expect(said.code).toBe(1);
      expect(said.stderr).toContain('Gemini CLI');
      expect(said.stderr).toContain(gemini());
      expect(said.stderr).toMatch(told);
      expect(said.stderr).toContain('fix');
      expect(said.stderr).not.toMatch(/^ +at /m);
      expect(said.stdout).toContain('Claude Code');
      expect(said.stdout).not.toContain('Gemini');
      expect(box.read(box.settings)).toContain('piton-forward');
    });

    it(`${name} is named by uninstall, and the others are done`, async () => {
      expect((await box.piton(['init', '--agents', 'gemini,claude,codex'])).code).toBe(0);
      breakFile(gemini(), make);
      const said = await box.piton(['uninstall', '--yes']);
      expect(said.code).toBe(1);
      expect(said.stderr).toContain('Gemini CLI');
      expect(said.stderr).toContain(gemini());
      expect(said.stderr).toMatch(told);
      expect(said.stderr).toContain('fix');
      expect(box.read(box.settings)).toBe('{}\n');
      expect(existsSync(codex())).toBe(false);
    });
  }

  it('is broken is carried by --json, in init and in uninstall, also in a dry run', async () => {
    breakFile(droid(), (path) => writeFileSync(path, 'oops'));
    const names = ['init', '--agents', 'claude,droid'];
    const failed = [
      {
        agent: 'droid',
        error: expect.stringContaining('Droid'),
        where: droid(),
        remedy: expect.stringContaining('fix the file'),
      },
    ];
    expect(await box.json<Reported>([...names, '--dry-run'])).toMatchObject({ agents: [{ agent: 'claude' }], failed });
    expect(existsSync(box.state)).toBe(false);
    expect(await box.json<Reported>(names)).toMatchObject({ changed: true, agents: [{ agent: 'claude' }], failed });
    writeFileSync(droid(), '{}');
    expect(await box.json<Reported>(names)).toMatchObject({ changed: true, failed: [] });
    writeFileSync(droid(), readFileSync(droid(), 'utf8').slice(0, -3));
    const out = await box.json<Reported>(['uninstall', '--yes']);
    expect(out).toMatchObject({ changed: true, agents: [{ agent: 'claude' }], failed });
    expect((await box.piton(['uninstall', '--yes', '--json'])).code).toBe(1);
  });

  it('is the only one: nothing is laid out, and --json says so too', async () => {
    writeFileSync(box.settings, 'oops');
    const said = await box.piton(['init', '--json']);
    expect(said.code).toBe(1);
    expect(JSON.parse(said.stdout)).toMatchObject({ changed: false, agents: [], failed: [{ agent: 'claude', where: box.settings }] });
    expect(existsSync(box.state)).toBe(false);
  });

  it('was only found, not named, keeps none of the others from being done', async () => {
    breakFile(join(box.home, '.codex/config.toml'), (path) => writeFileSync(path, '[broken\n'));
    breakFile(codex(), (path) => mkdirSync(path));
    const said = await box.piton(['init']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('Codex');
    expect(box.read(box.settings)).toContain('piton-forward');
  });

  it('is broken, and Piton was never in it, is none of uninstall’s business', async () => {
    expect((await box.piton(['init', '--agent', 'claude'])).code).toBe(0);
    breakFile(gemini(), (path) => writeFileSync(path, 'oops'));
    expect(await box.piton(['uninstall', '--yes'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('still names Piton keeps purge from deleting what is needed to give the file back', async () => {
    box.write(gemini(), '{ "mine": 1 }\n');
    expect((await box.piton(['init', '--agents', 'gemini,claude'])).code).toBe(0);
    const registered = box.read(gemini());
    writeFileSync(gemini(), `${registered}oops`);
    const said = await box.piton(['uninstall', '--purge', '--yes']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain(gemini());
    expect(existsSync(box.state)).toBe(true);
    expect(box.read(box.settings)).toBe('{}\n');
    writeFileSync(gemini(), registered);
    expect((await box.piton(['uninstall', '--purge', '--yes'])).code).toBe(0);
    expect(box.read(gemini())).toBe('{ "mine": 1 }\n');
    expect(existsSync(box.state)).toBe(false);
  });
});

describe('of all agents at once, where each main file', () => {
  const KINDS: typeof BROKEN = {
    ...BROKEN,
    'is of somebody else': { make: (path) => writeFileSync(path, 'mine, and no file of Piton’s {\n'), told: /./ },
    'is a pipe': { make: (path) => void execFileSync('mkfifo', [path]), told: /not a regular file/ },
    'is a link to a directory': { make: (path) => symlinkSync(dirname(path), path), told: /it is a directory/ },
    'is a link to nothing, into a file': { make: (path) => symlinkSync('/dev/null/none', path), told: /./ },
  };
  for (const [name, { make, told }] of Object.entries(KINDS)) {
    it(`${name}, each is named with its file, nothing of it changes, and another agent is done`, async () => {
      const others = AGENTS.filter(({ id }) => id !== 'claude');
      const files = others.map(({ installer }) => join(box.home, installer.configFiles('user', {})[0].path));
      for (const path of new Set(files)) breakFile(path, make);
      const before = files.map((path) => contentOf(path));
      const names = ['claude', ...others.map(({ id }) => id)].join(',');
      const said = await box.json<Reported>(['init', '--agents', names, '--yes']);
      expect(said.agents.map(({ agent }) => agent)).toEqual(['claude']);
      expect(said.failed.map(({ agent }) => agent)).toEqual(others.map(({ id }) => id));
      for (const [at, failed] of said.failed.entries()) {
        const { id, title, installer } = others[at] ?? { id: '', title: '', installer: undefined };
        expect(failed.error, id).toContain(`${title}'s `);
        expect(failed.where, id).toBe(files[at]);
        if (!/JSON|UTF/.test(name)) expect(failed.error, id).toMatch(told);
        expect(failed.remedy, id).toBeTruthy();
        // A plugin and a program of hooks are no settings.
        if (installer?.isEdited !== undefined) expect(failed.error).toContain('plugin file');
        else if (installer?.configFiles('user', {})[0].executable) expect(failed.error).toContain('hook files');
      }
      expect(files.map((path) => contentOf(path))).toEqual(before);
      expect(box.read(box.settings)).toContain('piton-forward');
      const gone = await box.piton(['uninstall', '--yes']);
      expect(gone.stderr).not.toMatch(/^ +at /m);
      expect(files.map((path) => contentOf(path))).toEqual(before);
      expect(box.read(box.settings)).toBe('{}\n');
    });
  }
});

function contentOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'none';
  return stat.isSymbolicLink() ? `link to ${readlinkSync(path)}` : stat.isFile() ? readFileSync(path, 'latin1') : `mode ${stat.mode}`;
}
