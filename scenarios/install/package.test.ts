import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeConfined, describeWhere } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildForwarder } from '../../scripts/forwarder.mjs';
import { NODE_RUNTIMES, OLD_RUNTIMES } from '../../scripts/node-runtimes.mjs';
import { stageCli } from '../../scripts/package/cli.mjs';
import { packStage } from '../../scripts/package/staging.mjs';
import { zigHere } from '../../scripts/zig.mjs';
import { npm, type Ran, runInside } from './machine.ts';
import { DEPENDENCIES, type Registry, startRegistry } from './registry.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
const CLONE = fileURLToPath(new URL('../../', import.meta.url));
const PACKED_LIMIT = 3_000_000;
const HERE = `${process.platform}-${process.arch}`;

let base: string;
let stage: string;
let tarball: string;
let registry: Registry;
/** Has the package alone: as where the optional module cannot be had. */
let bareRegistry: Registry;

/** As it is released where zig is here; else with the forwarder of this machine alone. */
beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'piton-install-')));
  stage = join(base, 'stage');
  stageCli(stage, zigHere() ? undefined : { [HERE]: buildForwarder() });
  tarball = packStage(stage, base);
  registry = await startRegistry(join(base, 'registry'), [tarball], DEPENDENCIES);
  bareRegistry = await startRegistry(join(base, 'bare-registry'), [tarball], []);
}, 600_000);
afterAll(async () => {
  await registry?.end();
  await bareRegistry?.end();
  rmSync(base, { recursive: true, force: true });
});

/** The settings of a person, as no program would write them. */
const SETTINGS = '// mine\n{\n\t"model": "opus", /* keep */\n\t"env": {"A": "é"},\n}\n';
const HOOK = `#!/bin/sh
read -r call
case $call in *push*--force*) echo 'Do not force-push.' >&2; exit 2 ;; esac
`;
const LAUNCHER = '/home/person/.local/state/piton/runtime/current/piton';
const FORWARD = '/home/person/.local/state/piton/runtime/current/piton-forward';
const call = (command: string) =>
  JSON.stringify({
    ...{ session_id: 'one', transcript_path: '/home/person/.claude/projects/one.jsonl', cwd: '/home/person/work' },
    ...{ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: 'call-1' },
  });

function person(name: string): string {
  const home = join(base, name);
  mkdirSync(join(home, '.claude'), { recursive: true });
  mkdirSync(join(home, 'work'));
  mkdirSync(join(home, '.config/piton/hooks/pre-shell-execution'), { recursive: true });
  writeFileSync(join(home, '.claude/settings.json'), SETTINGS);
  writeFileSync(join(home, '.config/piton/hooks/pre-shell-execution/10-no-force'), HOOK, { mode: 0o755 });
  return home;
}

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(directory, name)).isFile());

async function install(node: string, name: string, from = registry): Promise<{ ran: Ran; prefix: string }> {
  const prefix = join(base, `prefix-${name}`);
  const place = { node, registry: from.url, home: join(base, `npm-${name}`) };
  return { ran: await npm(place, ['install', '-g', '--prefix', prefix, '--ignore-scripts', '@piton/cli']), prefix };
}

describe('the package', () => {
  it('brings programs and no sources, tests, maps or scripts that run when it is installed', () => {
    const names = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    const odd = names.filter((name) => /\.(ts|map|tgz|log|code|stamp)$|\/(src|node_modules|fixtures)\/|\.test\./.test(name));
    expect(odd).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['package/piton.cjs', 'package/cli.mjs', 'package/README.md', 'package/LICENSE']));
    const manifest = JSON.parse(readFileSync(join(stage, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(manifest).filter((key) => /scripts|ependencies|private/.test(key))).toEqual(['optionalDependencies']);
    expect(Object.keys(manifest.optionalDependencies as object)).toEqual(['@photostructure/sqlite']);
  });

  it('names no directory of the machine that built it', () => {
    const found = filesIn(stage).filter((name) => readFileSync(join(stage, name)).includes(CLONE));
    expect(found).toEqual([]);
  });

  it(`is under ${PACKED_LIMIT / 1e6} MB packed`, () => expect(statSync(tarball).size).toBeLessThan(PACKED_LIMIT));

  it('can be packed and published by npm’s own commands', async () => {
    const place = { node: process.execPath, registry: registry.url, home: join(base, 'npm-publish') };
    const packed = await npm(place, ['pack', '--dry-run'], stage);
    expect(packed.stderr).toContain('piton.cjs');
    const unpublished = { ...place, registry: `${registry.url}/empty/` };
    const published = await npm(unpublished, ['publish', '--dry-run', '--access', 'public'], stage);
    expect(published).toMatchObject({ code: 0, stdout: expect.stringContaining(`@piton/cli@${version}`) });
  });

  it('says on an old Node which one it needs, in one line', () => {
    const old = join(base, 'old.cjs');
    writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '18.20.4' });");
    const { code, stdout, stderr } = runHere(['-r', old, join(stage, 'piton.cjs'), 'status']);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: 'piton needs Node 20.19 or newer; this is 18.20.4.\n' });
  });

  describe.each([...OLD_RUNTIMES])('on Node $major', ({ binary, major }) => {
    const needed = new RegExp(`^[Pp]iton needs Node 20\\.19 or newer; this is ${major}\\.\\S+\\.\n$`);
    describeWhere(existsSync(binary) ? null : `Node ${major} is not here, run node scripts/node-runtimes.mjs`, 'an old one', () => {
      it.each([['status'], ['--version'], ['init', '--yes']])('piton %s says in one line which Node it needs', (...args) => {
        const { code, stdout, stderr } = runHere([join(stage, 'piton.cjs'), ...args], base, binary);
        expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(needed) });
      });

      it.each(['start', 'build', 'test', 'check', 'pack'])('npm run %s of a clone says the same', (name) => {
        const { scripts } = JSON.parse(readFileSync(join(CLONE, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
        const [program, ...args] = scripts[name]?.split(' ') ?? [];
        expect(program).toBe('node');
        const { code, stdout, stderr } = runHere(args, base, binary, CLONE);
        expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(needed) });
      });
    });
  });

  it('says on Windows to use WSL, and why', () => {
    const windows = join(base, 'windows.cjs');
    writeFileSync(windows, "Object.defineProperty(process, 'platform', { value: 'win32' });");
    const home = person('windows');
    const { code, stderr } = runHere(['-r', windows, join(stage, 'piton.cjs'), 'init', '--yes', '--agent', 'claude'], home);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Windows.*Unix sockets[\s\S]*WSL/);
    expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toBe(SETTINGS);
    expect(existsSync(join(home, '.local'))).toBe(false);
  });
});

function runHere(args: readonly string[], home = base, node = process.execPath, cwd = process.cwd()): Ran {
  try {
    const stdout = execFileSync(node, args, {
      cwd,
      env: { PATH: process.env.PATH, HOME: home, PITON_ALLOW_UNDER_AGENT: '1' },
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return { code: 0, stdout, stderr: '' };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { code: status, stdout, stderr };
  }
}

describeWhere(zigHere() ? null : 'zig is not here, run node scripts/zig.mjs', 'the released forwarders', () => {
  const head = (platform: string) => readFileSync(join(stage, 'forwarder', platform, 'piton-forward'));

  it('are ELF and Mach-O programs of their processors', () => {
    expect(readdirSync(join(stage, 'forwarder')).sort()).toEqual(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']);
    expect([head('linux-x64').readUInt16LE(18), head('linux-arm64').readUInt16LE(18)]).toEqual([62, 183]);
    expect([head('darwin-x64').readUInt32LE(4), head('darwin-arm64').readUInt32LE(4)]).toEqual([0x01000007, 0x0100000c]);
    expect(head('linux-x64').subarray(1, 4).toString()).toBe('ELF');
    expect([head('darwin-x64').readUInt32LE(0), head('darwin-arm64').readUInt32LE(0)]).toEqual([0xfeedfacf, 0xfeedfacf]);
  });

  it('are static on Linux, and need only the system’s library on macOS', () => {
    const INTERPRETER = 3;
    for (const platform of ['linux-x64', 'linux-arm64']) {
      const bytes = head(platform);
      const [table, size, count] = [Number(bytes.readBigUInt64LE(32)), bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
      const kinds = Array.from({ length: count }, (_, at) => bytes.readUInt32LE(table + at * size));
      expect(kinds).not.toContain(INTERPRETER);
    }
    for (const platform of ['darwin-x64', 'darwin-arm64'])
      expect([
        ...new Set(
          head(platform)
            .toString('latin1')
            .match(/\/[\w/.]+\.dylib/g),
        ),
      ]).toEqual(['/usr/lib/libSystem.B.dylib']);
  });
});

describeConfined('installed on a machine with Node, git and a shell, and without a network', (path) => {
  const bwrap = path
    .split(delimiter)
    .map((place) => join(place, 'bwrap'))
    .find((each) => existsSync(each)) as string;

  describe.each([...NODE_RUNTIMES])('Node $major', ({ binary, major }) => {
    it.skipIf(!existsSync(binary))('demo, init, status, a denied command, and uninstall byte for byte', { timeout: 600_000 }, async () => {
      const { ran, prefix } = await install(binary, String(major));
      expect(ran).toMatchObject({ code: 0 });
      const home = person(`home-${major}`);
      const before = filesIn(home).sort();
      const work = '/home/person/work';
      const steps = runInside({ bwrap, node: binary, prefix, home }, [
        { run: ['piton', '--version'] },
        { run: ['piton', 'demo'] },
        { run: ['git', 'init', '-q', '.'], cwd: work },
        { run: ['piton', 'init', '--yes', '--agent', 'claude'], cwd: work },
        { run: ['piton', 'status'], cwd: work },
        { run: [FORWARD, 'claude', 'PreToolUse', 'user', '60000', '-'], cwd: work, input: call('git push --force') },
        { run: [FORWARD, 'claude', 'PreToolUse', 'user', '60000', '-'], cwd: work, input: call('git push') },
        { run: ['piton', 'events', '--denied', '--json'], cwd: work },
        { run: ['piton', 'doctor'], cwd: work },
        { run: [LAUNCHER, 'sessions'], cwd: work },
        { run: ['sh', 'piton', '--version'], cwd: dirname(LAUNCHER) },
        { run: ['piton', 'uninstall', '--yes', '--purge'], cwd: work },
        { run: ['cc', '--version'] },
        { run: ['node', '-e', "require('net').connect(80, '192.0.2.1').on('error', (e) => { console.log(e.code); process.exit(3) })"] },
      ]);
      const [versionSaid, demo, , init, status, denied, allowed, events, doctor, launched, named, uninstall, compiler, network] = steps as [
        Ran,
        ...Ran[],
      ];
      expect(versionSaid).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
      expect(demo).toMatchObject({ code: 0, stderr: '' });
      expect(init).toMatchObject({ code: 0, stderr: '' });
      expect(init?.stdout).not.toContain('init --link'); // the command is on PATH already
      expect(status).toMatchObject({ code: 0 });
      expect(JSON.parse(denied?.stdout ?? '')).toMatchObject({
        hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: expect.stringContaining('Do not force-push.') },
      });
      expect(allowed?.stdout).not.toContain('deny');
      expect(JSON.stringify(JSON.parse(events?.stdout ?? ''))).toContain('git push --force');
      expect(doctor).toMatchObject({ code: 0 });
      expect(launched).toMatchObject({ code: 0, stderr: '' });
      expect(named).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
      expect(uninstall).toMatchObject({ code: 0, stderr: '' });
      expect(compiler?.stderr).toContain('ENOENT');
      expect(network?.code).toBe(3);
      expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toBe(SETTINGS);
      expect(
        filesIn(home)
          .filter((name) => !name.startsWith('work/.git/'))
          .sort(),
      ).toEqual(before);
    });
  });

  const newest = NODE_RUNTIMES.at(-1);
  it.skipIf(!existsSync(newest?.binary ?? ''))('a Node with its own SQLite needs no other', { timeout: 600_000 }, async () => {
    const node = newest?.binary as string;
    const { prefix } = await install(node, 'lean', bareRegistry);
    expect(readdirSync(join(prefix, 'lib/node_modules/@piton/cli'))).not.toContain('node_modules');
    const home = person('home-lean');
    const [init, denied, , events] = runInside({ bwrap, node, prefix, home }, [
      { run: ['piton', 'init', '--yes', '--agent', 'claude'], cwd: '/home/person/work' },
      { run: [FORWARD, 'claude', 'PreToolUse', 'user', '60000', '-'], cwd: '/home/person/work', input: call('git push --force') },
      { run: ['piton', 'server', 'flush'] },
      { run: ['piton', 'events', '--denied', '--json'], cwd: '/home/person/work' },
    ]);
    expect(init).toMatchObject({ code: 0, stderr: '' });
    expect(denied?.stdout).toContain('Do not force-push.');
    expect(events?.stdout).toContain('git push --force');
  });
});

describe('npm', () => {
  it('installs where the SQLite module cannot be had, and Node 20 says what to do', async () => {
    const node20 = NODE_RUNTIMES[0] as (typeof NODE_RUNTIMES)[number];
    if (!existsSync(node20.binary)) return;
    const { ran, prefix } = await install(node20.binary, 'omitted', bareRegistry);
    expect(ran.code).toBe(0);
    const home = person('home-omitted');
    const { code, stderr } = runHere([join(prefix, 'bin/piton'), 'init', '--yes', '--agent', 'claude'], home, node20.binary);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Node 20\S+ has no SQLite[\s\S]*Node 22\.13 or newer/);
    expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toBe(SETTINGS);
  });

  it('npx @piton/cli init sets up what stays when npx’s copy is gone', async () => {
    const home = person('home-npx');
    const place = { node: process.execPath, registry: registry.url, home };
    const ran = await npm(place, ['exec', '--yes', '--', '@piton/cli', 'init', '--yes', '--agent', 'claude'], join(home, 'work'));
    expect(ran.stderr).toBe('');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('init --link');
    rmSync(join(home, 'npm-cache'), { recursive: true });
    const launcher = join(home, '.local/state/piton/runtime/current/piton');
    const said = (...args: string[]) =>
      execFileSync(launcher, args, { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: home, PITON_ALLOW_UNDER_AGENT: '1' } });
    expect(said('status')).toContain('Claude Code');
    expect(said('uninstall', '--yes', '--purge')).toContain('byte for byte');
    expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toBe(SETTINGS);
  });
});
