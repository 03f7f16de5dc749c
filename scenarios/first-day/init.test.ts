import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canMount, readOnly } from './read-only.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
});
afterEach(() => box.end());

const OWN =
  '// mine\n{\n  "model": "opus", // keep this\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] }\n}\n';

interface Handler {
  readonly command: string;
  readonly args?: readonly string[];
}
type Settings = { hooks: Record<string, { hooks: Handler[] }[]> };

const commandsIn = (text: string, event: string): string[] =>
  (JSON.parse(text) as Settings).hooks[event]?.flatMap((group) =>
    group.hooks.map(({ command, args }) => [command, ...(args ?? [])].join(' ')),
  ) ?? [];

describe('piton init', () => {
  it('registers with an agent that is found by its directory, and says what it did and what next', async () => {
    mkdirSync(join(box.home, '.claude'));
    const said = await box.piton(['init']);
    expect(said).toMatchObject({ code: 0, stderr: '' });
    expect(said.stdout).toContain('Claude Code');
    expect(said.stdout).toContain(box.settings);
    expect(said.stdout).toContain('piton status');
    const [line] = commandsIn(box.read(box.settings), 'PreToolUse');
    expect(line).toContain(join(box.state, 'runtime', 'current', 'piton-forward'));
    expect(line).toContain('claude PreToolUse user');
  });

  it('finds an agent by its program on PATH', async () => {
    box.write('bin/claude', '#!/bin/sh\n', 0o755);
    expect((await box.piton(['init'], { env: { PATH: `${join(box.home, 'bin')}:${box.env.PATH}` } })).code).toBe(0);
    expect(existsSync(box.settings)).toBe(true);
  });

  it('says where it looked when it finds no agent, and touches nothing', async () => {
    const said = await box.piton(['init']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('no agent found');
    expect(said.stderr).toContain('--agent claude');
    expect(readdirSync(box.home)).toEqual([]);
  });

  it('does nothing the second time, and says so', async () => {
    await box.piton(['init', '--agent', 'claude']);
    const first = { text: box.read(box.settings), time: statSync(box.settings).mtimeMs, runtime: readdirSync(join(box.state, 'runtime')) };
    const again = await box.piton(['init', '--agent', 'claude']);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toMatch(/nothing to do/i);
    expect({
      text: box.read(box.settings),
      time: statSync(box.settings).mtimeMs,
      runtime: readdirSync(join(box.state, 'runtime')),
    }).toEqual(first);
    expect(await box.json(['init', '--agent', 'claude'])).toMatchObject({ changed: false });
  });

  it('lays the runtime out whole, private, and behind a link', async () => {
    await box.piton(['init', '--agent', 'claude']);
    const runtime = join(box.state, 'runtime');
    const name = readlinkSync(join(runtime, 'current'));
    expect(name).toMatch(/^\d+\.\d+\.\d+-[0-9a-f]{8}$/);
    expect(readdirSync(join(runtime, name))).toEqual(
      expect.arrayContaining(['piton-forward', 'client.cjs', 'server.cjs', 'recorder.cjs', 'fallback.cjs', 'node', 'node_modules']),
    );
    expect(statSync(join(runtime, name, 'piton-forward')).mode & 0o777).toBe(0o700);
    expect(statSync(join(runtime, name, 'server.cjs')).mode & 0o777).toBe(0o600);
    for (const directory of [box.state, runtime, join(runtime, name)]) expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(runtime, name, 'node'), 'utf8')).toBe(`${realpathSync(process.execPath)}\n`);
    const { config, git, bwrap = '/bwrap' } = JSON.parse(readFileSync(join(box.state, 'place.json'), 'utf8')) as Record<string, string>;
    expect([config, git, bwrap]).toEqual([box.config, expect.stringMatching(/^\/.*\/git$/), expect.stringMatching(/^\/.*bwrap$/)]);
    const prebuilds = join(runtime, name, 'node_modules', '@photostructure', 'sqlite', 'prebuilds');
    expect(readdirSync(prebuilds)).toEqual([`${process.platform}-${process.arch}`]);
  });

  it('keeps the runtime before this one and removes older ones', async () => {
    await box.piton(['init', '--agent', 'claude']);
    const runtime = join(box.state, 'runtime');
    const now = readlinkSync(join(runtime, 'current'));
    for (const old of ['0.0.1-aaaaaaaa', '0.0.2-bbbbbbbb']) mkdirSync(join(runtime, old));
    execFileSync('ln', ['-sfn', '0.0.2-bbbbbbbb', join(runtime, 'current')]);
    const said = await box.piton(['init', '--agent', 'claude']);
    expect(said.code).toBe(0);
    expect(readlinkSync(join(runtime, 'current'))).toBe(now);
    expect(readdirSync(runtime).sort()).toEqual(['0.0.2-bbbbbbbb', 'current', now].sort());
  });

  it('leaves comments, order, mode and foreign hooks as they are', async () => {
    box.write(box.settings, OWN, 0o640);
    expect((await box.piton(['init'])).code).toBe(0);
    const text = box.read(box.settings);
    expect(text).toContain('// mine\n');
    expect(text).toContain('"model": "opus", // keep this');
    expect(text).toContain('"say done"');
    expect(text.indexOf('"model"')).toBeLessThan(text.indexOf('"hooks"'));
    expect(statSync(box.settings).mode & 0o777).toBe(0o640);
  });

  it('changes nothing in a dry run', async () => {
    box.write(box.settings, OWN);
    const said = await box.piton(['init', '--dry-run']);
    expect(said.code).toBe(0);
    expect(said.stdout).toContain('dry run');
    expect(said.stdout).toContain(box.settings);
    expect(box.read(box.settings)).toBe(OWN);
    expect(existsSync(box.state)).toBe(false);
  });

  it('refuses a settings file that is broken, names the place in it, and lays out nothing', async () => {
    box.write(box.settings, '{ "model": "opus",\n  oops }');
    const said = await box.piton(['init']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain(box.settings);
    expect(said.stderr).toMatch(/2/);
    expect(said.stderr).toContain('fix:');
    expect(box.read(box.settings)).toBe('{ "model": "opus",\n  oops }');
    expect(existsSync(box.state)).toBe(false);
  });

  it('follows a settings file that is a link, and keeps the link', async () => {
    const real = box.write('dotfiles/claude.json', '{}\n');
    mkdirSync(join(box.home, '.claude'));
    symlinkSync(real, box.settings);
    expect((await box.piton(['init'])).code).toBe(0);
    expect(readlinkSync(box.settings)).toBe(real);
    expect(box.read(real)).toContain('piton-forward');
  });

  it('refuses a configuration directory that is a link out of the home', async () => {
    const outside = sandbox();
    symlinkSync(outside.home, join(box.home, '.claude'));
    const said = await box.piton(['init', '--agent', 'claude']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('symbolic link');
    expect(readdirSync(outside.home)).toEqual([]);
    await outside.end();
  });

  it('refuses a directory that it cannot write to, and leaves no draft behind', async () => {
    box.write(box.settings, '{}\n');
    const said = await box.piton(['init'], { env: { PITON_HOME: '/proc/piton' } });
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('PITON_HOME');
    expect(readdirSync(join(box.home, '.claude'))).toEqual(['settings.json']);
    // Node's own recursive mkdir would go round for ever here.
    expect((await box.piton(['init'], { env: { PITON_HOME: '/proc' } })).code).toBe(1);
  });

  it('says in words that a configuration directory cannot be looked at', async () => {
    symlinkSync('.claude', join(box.home, '.claude'));
    const said = await box.piton(['init', '--agent', 'claude']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('ELOOP');
    expect(said.stderr).toContain('fix:');
    expect(said.stderr).not.toMatch(/^ +at /m);
  });

  it('says what is missing when there is no HOME', async () => {
    const said = await box.piton(['init', '--agent', 'claude'], { env: { HOME: '/nonexistent-home' } });
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('HOME');
  });
});

describe('piton init --project', () => {
  it('writes a line that anybody can carry, and an ignore file for what is one person’s', async () => {
    const repository = box.repository();
    const said = await box.piton(['init', '--agent', 'claude', '--project'], { cwd: repository });
    expect(said).toMatchObject({ code: 0, stderr: '' });
    const [line] = commandsIn(box.read(join(repository, '.claude/settings.json')), 'PreToolUse');
    expect(line).toContain('$HOME');
    expect(line).not.toContain(box.home);
    expect(box.read(join(repository, '.piton/.gitignore')).split('\n')).toEqual(expect.arrayContaining(['local/', 'settings.local.json']));
    expect(existsSync(box.settings)).toBe(false);
  });

  it('works from a directory below the root', async () => {
    const repository = box.repository();
    mkdirSync(join(repository, 'deep/er'), { recursive: true });
    await box.piton(['init', '--agent', 'claude', '--project'], { cwd: join(repository, 'deep/er') });
    expect(existsSync(join(repository, '.claude/settings.json'))).toBe(true);
  });

  it('refuses where the repository is the home itself', async () => {
    box.repository('.');
    const said = await box.piton(['init', '--agent', 'claude', '--project']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('is your home');
  });

  it('comes out whole when several run at once', async () => {
    const said = await Promise.all(Array.from({ length: 4 }, () => box.piton(['init', '--agent', 'claude'])));
    // One may meet the other in the middle of writing the settings, and says so; none leaves anything half done.
    expect(said.some(({ code }) => code === 0)).toBe(true);
    expect((await box.piton(['init', '--agent', 'claude'])).stdout).toMatch(/nothing to do|done/i);
    expect(readdirSync(join(box.state, 'runtime')).filter((name) => name.startsWith('.'))).toEqual([]);
    expect(readdirSync(join(box.home, '.claude'))).toEqual(['settings.json']);
    expect((await box.piton(['status'])).code).toBe(0);
  });

  it('refuses outside a repository', async () => {
    const said = await box.piton(['init', '--agent', 'claude', '--project']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('not in a git repository');
  });

  it('refuses a second level for one agent, whichever came first', async () => {
    const repository = box.repository();
    await box.piton(['init', '--agent', 'claude', '--project'], { cwd: repository });
    // Also from elsewhere: in that repository it would fire twice.
    const second = await box.piton(['init', '--agent', 'claude']);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(join(repository, '.claude/settings.json'));
    expect(second.stderr).toContain('piton uninstall --project');
    expect(existsSync(box.settings)).toBe(false);

    expect((await box.piton(['uninstall', '--project', '--yes'], { cwd: repository })).code).toBe(0);
    expect((await box.piton(['init', '--agent', 'claude'])).code).toBe(0);
    const third = await box.piton(['init', '--agent', 'claude', '--project'], { cwd: repository });
    expect(third.code).toBe(1);
    expect(third.stderr).toContain(box.settings);
  });

  it('refuses a settings file that leads out of the repository', async () => {
    const repository = box.repository();
    const victim = box.write('.bashrc', '# mine\n');
    mkdirSync(join(repository, '.claude'));
    symlinkSync(victim, join(repository, '.claude/settings.json'));
    const said = await box.piton(['init', '--agent', 'claude', '--project'], { cwd: repository });
    expect(said.code).toBe(1);
    expect(box.read(victim)).toBe('# mine\n');
  });
});

describe('a home on a read-only file system', () => {
  it.skipIf(!canMount)('is named with what to do, and nothing is half done', async () => {
    box.write(box.settings, '{}\n');
    const said = await readOnly(box, ['init']);
    expect(said.code).toBe(1);
    expect(said.stderr).toMatch(/read-only/i);
    expect(said.stderr).toContain('PITON_HOME');
    expect(box.read(box.settings)).toBe('{}\n');
    expect(existsSync(box.state)).toBe(false);
  });

  it.skipIf(!canMount)('is named also where Piton can keep its own things and the agent’s settings cannot be written', async () => {
    box.write(box.settings, '{}\n');
    const elsewhere = sandbox();
    const said = await readOnly(box, ['init'], { PITON_HOME: elsewhere.home });
    expect(said.code).toBe(1);
    expect(said.stderr).toContain(box.settings);
    expect(readdirSync(join(box.home, '.claude'))).toEqual(['settings.json']);
    await elsewhere.end();
  });
});
