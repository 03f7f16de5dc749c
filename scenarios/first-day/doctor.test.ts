import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Places, placesOf } from '@piton/contracts/places';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claude, fire } from './payloads.ts';
import { canMount, readOnly } from './read-only.ts';
import { CLI, type Sandbox, sandbox } from './sandbox.ts';

interface Finding {
  readonly id: string;
  readonly kind: string;
  readonly what: string;
  readonly where?: string;
  readonly remedy: string;
  readonly fixed?: string;
}

let box: Sandbox;
let places: Places;
beforeEach(async () => {
  box = sandbox();
  mkdirSync(join(box.home, '.claude'));
  await box.piton(['init']);
  places = placesOf(box.state, box.config);
});
afterEach(() => box.end());

const look = async (args: readonly string[] = [], given: Parameters<Sandbox['piton']>[1] = {}): Promise<Finding[]> =>
  (await box.json<{ findings: Finding[] }>(['doctor', ...args], given)).findings.filter(({ id }) => id !== 'agent.lifted');
const ids = (findings: readonly Finding[]): string[] => findings.map(({ id }) => id);
const old = (path: string): void => utimesSync(path, new Date(Date.now() - 3_600_000), new Date(Date.now() - 3_600_000));

describe('piton doctor, when all is well', () => {
  it('says so and exits 0', async () => {
    const said = await box.piton(['doctor']);
    expect(said).toMatchObject({ code: 0, stderr: '' });
    expect(said.stdout).toContain('No problems found');
    expect(await look()).toEqual([]);
  });

  it('shows that an agent may say yes by itself here', async () => {
    expect((await box.piton(['doctor'])).stdout).toContain('PITON_ALLOW_UNDER_AGENT is set');
    expect((await box.piton(['doctor'], { env: { PITON_ALLOW_UNDER_AGENT: undefined } })).stdout).not.toContain('PITON_ALLOW_UNDER_AGENT');
  });
});

describe('piton doctor names what is wrong with the runtime, and mends it', () => {
  const breaks: Readonly<Record<string, readonly [string, () => void]>> = {
    'there is none': ['runtime.missing', () => rmSync(places.runtime, { recursive: true })],
    'a part is gone': ['runtime.incomplete', () => rmSync(join(places.current, 'client.cjs'))],
    'the forwarder is gone': ['runtime.incomplete', () => rmSync(places.forwarder)],
    'it is of another version': [
      'runtime.stale',
      () =>
        execFileSync('sh', ['-c', 'cp -r "$(readlink -f current)" 0.0.9-cccccccc && ln -sfn 0.0.9-cccccccc current'], {
          cwd: places.runtime,
        }),
    ],
  };
  it('a build of other parts than this command has is another build, and whole', async () => {
    const cli = join(places.runtime, '0.0.9-cccccccc/cli');
    breaks['it is of another version']?.[1]();
    const [chunk = ''] = readdirSync(cli);
    renameSync(join(cli, chunk), join(cli, 'of-another-build.js'));
    expect(ids(await look())).toEqual(['runtime.stale']);
    rmSync(join(places.current, 'server.cjs'));
    expect((await look()).find(({ id }) => id === 'runtime.incomplete')?.what).toMatch(/: server\.cjs$/);
  });
  for (const [name, [id, damage]] of Object.entries(breaks)) {
    it(name, async () => {
      damage();
      const said = await box.piton(['doctor']);
      expect(said.code).toBe(1);
      expect(said.stdout).toMatch(/fix: node '?\/.+\/cli\.mjs'? init/);
      const found = await look(['--fix']);
      expect(found.find((each) => each.id === id)?.fixed).toContain('installed');
      expect(await look()).toEqual([]);
      expect((await box.piton(['status'])).code).toBe(0);
    });
  }

  it('the forwarder cannot be executed, which is for the person to change', async () => {
    await box.piton(['server', 'start']);
    chmodSync(places.forwarder, 0o600);
    const found = await look(['--fix']);
    expect(found).toEqual([expect.objectContaining({ id: 'runtime.forwarder', remedy: `chmod 700 ${places.forwarder}` })]);
  });

  it('its Node is gone, and the one on PATH too', async () => {
    writeFileSync(join(places.current, 'node'), '/nowhere/node\n');
    expect(ids(await look())).toContain('node.gone');
    mkdirSync(join(box.home, 'empty'));
    expect(ids(await look([], { env: { PATH: join(box.home, 'empty') } }))).toEqual(expect.arrayContaining(['node.gone', 'node.path']));
  });

  it('a program that was noted has gone, and whether there is another', async () => {
    const place = JSON.parse(readFileSync(join(places.home, 'place.json'), 'utf8')) as object;
    writeFileSync(join(places.home, 'place.json'), JSON.stringify({ ...place, git: '/nowhere/git', bwrap: '/nowhere/bwrap' }));
    mkdirSync(join(box.home, 'only'));
    for (const name of ['git', 'node']) symlinkSync('/bin/true', join(box.home, 'only', name));
    const found = (await look([], { env: { PATH: join(box.home, 'only') } })).filter(({ id }) => id === 'program.gone');
    expect(found).toEqual([
      expect.objectContaining({ kind: 'note', where: '/nowhere/git', what: expect.stringContaining(join(box.home, 'only', 'git')) }),
      expect.objectContaining({ kind: 'problem', where: '/nowhere/bwrap' }),
    ]);
  });

  it('the settings lie elsewhere for the server than for this shell', async () => {
    const found = await look([], { env: { XDG_CONFIG_HOME: join(box.home, 'other') } });
    expect(found).toEqual([expect.objectContaining({ id: 'runtime.place', what: expect.stringContaining(box.config) })]);
  });
});

describe('piton doctor names what is wrong in an agent’s configuration', () => {
  it('a registration is missing, and puts it back', async () => {
    box.write(box.settings, box.read(box.settings).replace('"PreToolUse": [', '"Nothing": ['));
    const [found] = await look();
    expect(found).toMatchObject({ id: 'agent.registrations', where: box.settings });
    expect((await look(['--fix']))[0]?.fixed).toContain(box.settings);
    expect(await look()).toEqual([]);
  });

  it('somebody took all of it out', async () => {
    box.write(box.settings, '{}\n');
    expect(await look()).toEqual([expect.objectContaining({ id: 'agent.lost', remedy: 'piton init --agent claude' })]);
  });

  it('the file cannot be read', async () => {
    box.write(box.settings, '{ broken');
    expect(await look()).toEqual([expect.objectContaining({ id: 'agent.config', where: box.settings })]);
  });

  it('it stands at both levels', async () => {
    const repository = box.repository();
    box.write(join(repository, '.claude/settings.json'), box.read(box.settings));
    expect(ids(await look([], { cwd: repository }))).toContain('agent.twice');
  });

  it('an agent came later', async () => {
    await box.piton(['uninstall', '--yes']);
    mkdirSync(join(box.home, '.claude'), { recursive: true });
    expect(await look()).toEqual([expect.objectContaining({ id: 'agent.new', kind: 'note' })]);
    expect((await box.piton(['doctor'])).code).toBe(0);
  });
});

describe('piton doctor names what is wrong with the server', () => {
  it('it failed to start and is left alone; --fix tries again', async () => {
    mkdirSync(places.environment, { recursive: true, mode: 0o700 });
    writeFileSync(join(places.environment, 'backoff'), `${Date.now() + 600_000} 4 the disk was on fire`);
    const [found] = await look();
    expect(found).toMatchObject({ id: 'server.backoff', what: expect.stringMatching(/4 times: the disk was on fire\. Next attempt/) });
    expect((await look(['--fix']))[0]?.fixed).toMatch(/started \(process \d+\)/);
    expect(await look()).toEqual([]);
  });

  it('it does not answer', async () => {
    mkdirSync(places.sockets, { recursive: true, mode: 0o700 });
    const mute = createServer(() => {}).listen(places.cliSocket);
    const found = await look();
    mute.close();
    expect(ids(found)).toContain('server.silent');
  });

  it('it cannot be started', async () => {
    writeFileSync(join(places.current, 'server.cjs'), 'process.stderr.write("no server today"); process.exit(3)');
    const found = await look();
    expect(found).toContainEqual(expect.objectContaining({ id: 'runtime.incomplete', what: expect.stringContaining('server.cjs') }));
    expect(found).toContainEqual(expect.objectContaining({ id: 'server.start', what: expect.stringContaining('no server today') }));
  });

  it('it is older than the runtime; --fix replaces it', async () => {
    await box.piton(['server', 'start']);
    const name = readlinkSync(places.current);
    rmSync(places.current);
    symlinkSync(name, places.current);
    expect(ids(await look())).toEqual(['server.version']);
    expect((await look(['--fix']))[0]?.fixed).toBe('replaced');
    expect(await look()).toEqual([]);
  });
});

describe('piton doctor names what waits or was quarantined', () => {
  it('frames of an environment that is gone; --fix has them stored', async () => {
    // No server may start, so the forwarder journals the frame itself.
    mkdirSync(places.environment, { recursive: true, mode: 0o700 });
    writeFileSync(join(places.environment, 'backoff'), `${Date.now() + 600_000} 9 on purpose`);
    await fire(box, claude.prompt('lost', box.home, 'said in a container that is gone'));
    const gone = join(box.state, 'env', 'feedfacefeedface');
    renameSync(places.environment, gone);
    for (const name of readdirSync(join(gone, 'journal'))) old(join(gone, 'journal', name));

    expect(await look()).toContainEqual(expect.objectContaining({ id: 'journal.orphan', where: join(gone, 'journal') }));
    expect((await look(['--fix'])).find(({ id }) => id === 'journal.orphan')?.fixed).toContain('1 entry adopted');
    await box.piton(['server', 'stop']);
    await box.piton(['server', 'start']);
    await expect
      .poll(() => box.json<{ prompt: string; late: boolean }[]>(['events']))
      .toEqual([expect.objectContaining({ prompt: 'said in a container that is gone', late: true })]);
    expect(ids(await look())).not.toContain('journal.orphan');
  });

  it('a frame that nobody can store, with its age', async () => {
    const frame = join(places.journal, '01ARZ3NDEKTSV4RRFFQ69G5FAV.999999.frame');
    mkdirSync(places.journal, { recursive: true, mode: 0o700 });
    writeFileSync(frame, 'not a frame');
    old(frame);
    const found = (await look()).find(({ id }) => id === 'journal.old');
    expect(found).toMatchObject({ what: expect.stringContaining('1 h'), where: places.journal });
  });

  it('frames that crashed the server', async () => {
    mkdirSync(join(places.environment, 'aside'), { recursive: true, mode: 0o700 });
    writeFileSync(join(places.environment, 'aside', '01ARZ3NDEKTSV4RRFFQ69G5FAV.frame'), 'x');
    expect(ids(await look())).toContain('journal.aside');
  });
});

describe('piton doctor names what is wrong with the store', () => {
  beforeEach(async () => {
    await box.piton(['status']);
    await box.piton(['server', 'stop']);
  });

  it('a newer Piton wrote it: it is left alone', async () => {
    // SQLite keeps the version that the store counts by at byte 60 of the file.
    const bytes = readFileSync(places.store);
    bytes.writeUInt32BE(99, 60);
    writeFileSync(places.store, bytes);
    const found = (await look()).filter(({ id }) => id === 'store.newer');
    expect(found.length).toBeGreaterThan(0);
    expect(found.map(({ remedy }) => remedy).join()).toContain('upgrade');
    const said = await box.piton(['events']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('upgrade');
  });

  it('it was damaged and replaced', async () => {
    for (const name of readdirSync(box.state).filter((each) => each.startsWith('piton.db-'))) rmSync(join(box.state, name));
    writeFileSync(places.store, Buffer.alloc(8192, 'damage'));
    await box.piton(['status']);
    const found = (await look()).find(({ id }) => id === 'store.set-aside');
    expect(existsSync(found?.where as string)).toBe(true);
    expect(readFileSync(found?.where as string, 'utf8')).toContain('damage');
  });
});

describe('piton doctor names what is wrong with the registrations', () => {
  it('they lead to another home', async () => {
    const other = join(box.home, 'other');
    const [found] = await look([], { env: { PITON_HOME: other } });
    expect(found).toMatchObject({ id: 'piton.absent' });
    mkdirSync(join(other, 'state'), { recursive: true, mode: 0o700 });
    const elsewhere = (await look([], { env: { PITON_HOME: other } })).find(({ id }) => id === 'agent.elsewhere');
    expect(elsewhere).toMatchObject({ where: box.settings, what: expect.stringContaining(`another Piton home: ${box.state}`) });
  });
});

describe('piton doctor names what is wrong with hooks and settings', () => {
  it('an unknown event, a file that cannot run, a hook that nobody trusted', async () => {
    const repository = box.repository();
    box.write(join(repository, '.piton/hooks/pre-tool-us/10-a'), '#!/bin/sh\n', 0o755);
    const plain = box.write(join(repository, '.piton/hooks/stop/10-plain'), '#!/bin/sh\n', 0o644);
    box.write(join(repository, '.piton/hooks/stop/20-new'), '#!/bin/sh\n', 0o755);
    const found = await look(['--fix'], { cwd: repository });
    const told = found.map(({ what, remedy }) => `${what} → ${remedy}`).join('\n');
    expect(told).toContain('did you mean pre-tool-use');
    expect(told).toContain(`chmod +x "${plain}"`);
    expect(told).toContain('piton trust project:stop/20-new');
    // A file becomes executable by a person's hand only.
    expect(execFileSync('stat', ['-c', '%a', plain], { encoding: 'utf8' }).trim()).toBe('644');
  });

  it('a directory with a misspelt name beside the right one', async () => {
    const wrong = join(box.config, 'hooks/pre-tool-us');
    box.write(join(wrong, '10-a'), '#!/bin/sh\n', 0o755);
    box.write(join(box.config, 'hooks/pre-tool-use/10-b'), '#!/bin/sh\n', 0o755);
    const [found] = await look();
    expect(found).toMatchObject({ id: 'hook.problem', where: wrong });
    expect(found?.remedy).toContain(`move its files to ${join(box.config, 'hooks/pre-tool-use')}`);
    expect(found?.remedy).not.toContain('mv');
  });

  it('a trusted hook that was changed, and one that is gone', async () => {
    const repository = box.repository();
    const changed = box.write(join(repository, '.piton/hooks/stop/10-a'), '#!/bin/sh\n', 0o755);
    const gone = box.write(join(repository, '.piton/hooks/stop/20-b'), '#!/bin/sh\n', 0o755);
    await box.piton(['trust', '--all', '--yes'], { cwd: repository });
    box.write(changed, '#!/bin/sh\nexit 1\n', 0o755);
    rmSync(gone);
    const found = await look([], { cwd: repository });
    expect(found.map(({ remedy }) => remedy)).toEqual(['piton trust project:stop/10-a', 'piton untrust project:stop/20-b']);
    for (const { what } of found) expect(what.match(/the trusted copy runs/gi)).toHaveLength(1);
    expect((await box.piton(['untrust', 'project:stop/20-b', '--yes'], { cwd: repository })).code).toBe(0);
    expect(await look([], { cwd: repository })).toHaveLength(1);
  });

  it('settings that are no JSON: once, in words, with the line and the column', async () => {
    const file = box.write(join(box.config, 'settings.json'), '{\n  "hooks": [ { "event" }\n  oops: }\n');
    const found = await look();
    expect(found).toHaveLength(1);
    expect(found[0]?.where).toBe(`${file}:2`);
    expect(found[0]?.what).toContain('line 2, column 24: expected a colon');
  });

  it('a hook in the settings without a command: once, also in a project', async () => {
    const repository = box.repository();
    const text = '{ "hooks": [{ "name": "x", "event": "stop" }] }\n';
    const file = box.write(join(box.config, 'settings.json'), text);
    expect(await look()).toEqual([expect.objectContaining({ where: file, what: expect.stringContaining('"command" is missing') })]);
    rmSync(file);
    const project = box.write(join(repository, '.piton/settings.json'), text);
    expect((await look([], { cwd: repository })).filter(({ what }) => what.includes('"command"'))).toEqual([
      expect.objectContaining({ where: project }),
    ]);
  });

  it('a hook for events that are not registered unasked, and registers them', async () => {
    box.write(join(box.config, 'hooks/other/10-a'), '#!/bin/sh\n', 0o755);
    const [found] = await look();
    expect(found).toMatchObject({
      id: 'agent.registrations',
      what: expect.stringContaining('PostToolBatch'),
      remedy: 'piton init --agent claude',
    });
    expect((await look(['--fix']))[0]?.fixed).toContain(box.settings);
    expect(await look()).toEqual([]);
    rmSync(join(box.config, 'hooks/other/10-a'));
    expect(await look()).toEqual([
      expect.objectContaining({ id: 'agent.surplus', kind: 'note', what: expect.stringContaining('PostToolBatch') }),
    ]);
  });

  it('a setting that it does not know, and one of the wrong kind', async () => {
    const file = box.write(join(box.config, 'settings.json'), '{ "hook_enabled": false }\n');
    expect(await look()).toEqual([
      expect.objectContaining({ id: 'settings.problem', where: file, what: expect.stringContaining('hooks_enabled') }),
    ]);
    box.write(file, '{ "hooks_enabled": "no" }\n');
    expect(await look()).toEqual([expect.objectContaining({ id: 'settings.problem', where: file })]);
  });
});

describe('piton doctor names what is wrong with the machine', () => {
  it('others can look into a private directory', async () => {
    for (const open of [box.state, places.environment, places.sockets]) {
      mkdirSync(open, { recursive: true, mode: 0o700 });
      chmodSync(open, 0o755);
      expect(await look()).toContainEqual(expect.objectContaining({ id: 'place.open', where: open, remedy: `chmod 700 ${open}` }));
      chmodSync(open, 0o700);
    }
  });

  it.skipIf(!canMount)('the home is read-only', async () => {
    const said = await readOnly(box, ['doctor', '--json']);
    expect(ids((JSON.parse(said.stdout) as { findings: Finding[] }).findings)).toContain('home.read-only');
  });

  it.skipIf(!canMount)('the disk is nearly full', () => {
    const script =
      'mount -t tmpfs -o size=60m none "$PITON_HOME" && "$1" "$2" init --agent claude >/dev/null && "$1" "$2" doctor --json; "$1" "$2" server stop >/dev/null';
    const small = join(box.home, 'small');
    mkdirSync(small);
    const said = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', process.execPath, CLI], {
      encoding: 'utf8',
      env: { ...box.env, PITON_HOME: small },
    });
    expect(ids((JSON.parse(said.stdout) as { findings: Finding[] }).findings)).toContain('disk.full');
  });
});
