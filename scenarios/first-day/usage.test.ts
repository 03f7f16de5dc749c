import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLI, type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
});
afterEach(() => box.end());

describe('the command line', () => {
  it.each([
    ['evnts', 'events'],
    ['inti', 'init'],
    ['events tial', 'tail'],
    ['sessions shw', 'show'],
    ['init --proejct', '--project'],
  ])('suggests what was meant by `piton %s`', async (line, meant) => {
    const said = await box.piton(line.split(' '));
    expect(said.code).toBe(2);
    expect(said.stdout).toBe('');
    expect(said.stderr).toContain(`Did you mean ${meant}?`);
    expect(said.stderr).toContain('--help');
  });

  it.each([
    ['events --limit none', '--limit'],
    ['events --since yesterdayish', '--since'],
    ['events --event pre_tool', 'pre_tool_use'],
    ['events --agent nobody', 'claude'],
    ['init --agent nobody', 'claude'],
    ['init --project --user', 'cannot be combined'],
    ['completion tcsh', 'fish'],
    ['schema envlope', 'envelope'],
    ['settings get', 'key'],
    ['trust --may everything', 'allow'],
  ])('takes `piton %s` for a mistake of usage and says what would be right', async (line, hint) => {
    const said = await box.piton(line.split(' '));
    expect(said.code).toBe(2);
    expect(said.stderr).toContain(hint);
  });

  it('explains itself with examples, everywhere', async () => {
    const top = await box.piton(['--help']);
    expect(top.code).toBe(0);
    expect((await box.piton([])).stdout).toBe(top.stdout);
    const names = [
      'init',
      'status',
      'doctor',
      'uninstall',
      'demo',
      'events',
      'sessions',
      'agents',
      'trust',
      'untrust',
      'server',
      'settings',
      'schema',
      'completion',
    ];
    for (const name of names) {
      expect(top.stdout).toContain(`  ${name} `);
      const said = await box.piton([name, '--help']);
      expect(said.code).toBe(0);
      expect(said.stdout).toContain('Examples:');
      expect(said.stdout).toContain(`  piton ${name}`);
    }
  });

  it('prints its version', async () => {
    expect((await box.piton(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('paints nothing where nobody looks', async () => {
    mkdirSync(join(box.home, '.claude'));
    for (const args of [['init'], ['status'], ['doctor'], ['events'], ['nonsense']]) {
      const said = await box.piton(args);
      expect(said.stdout + said.stderr).not.toContain('\u001b');
    }
  });

  it('shows under a group what its default takes', async () => {
    for (const [group, option] of [
      ['events', '--search'],
      ['sessions', '--since'],
      ['settings', '--scope'],
    ] as const)
      expect((await box.piton([group, '--help'])).stdout).toContain(option);
  });

  it('refuses a home that would be another one in every directory', async () => {
    for (const args of [['init', '--agent', 'claude'], ['status'], ['settings']]) {
      const said = await box.piton(args, { env: { PITON_HOME: 'here' } });
      expect(said.code).toBe(1);
      expect(said.stderr).toContain('absolute');
    }
    expect(readdirSync(box.home)).toEqual([]);
  });

  it('says that Piton is not set up, and how to do it', async () => {
    for (const args of [['events'], ['sessions'], ['server', 'start'], ['server', 'logs']]) {
      const said = await box.piton(args);
      expect(said.code).toBe(1);
      expect(said.stderr).toMatch(/node '?\/.+\/cli\.mjs'? init/);
    }
    for (const args of [['status'], ['doctor']]) {
      const said = await box.piton(args);
      expect(said.code).toBe(1);
      expect(said.stdout).toMatch(/node '?\/.+\/cli\.mjs'? init/);
    }
  });

  it('says what is missing where there is neither HOME nor PITON_HOME that exists', async () => {
    const said = await box.piton(['uninstall', '--yes'], { env: { HOME: '', PITON_HOME: undefined } });
    expect([0, 1]).toContain(said.code);
    expect(said.stderr).not.toContain('    at ');
  });

  it('runs in a directory that is gone', async () => {
    const gone = join(box.home, 'gone');
    mkdirSync(gone);
    const child = box.start(['schema', 'envelope'], { cwd: gone });
    rmSync(gone, { recursive: true });
    let out = '';
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
    await new Promise((resolve) => child.on('close', resolve));
    expect(JSON.parse(out)).toMatchObject({ title: expect.any(String) });
  });

  it('does not complain when its reader leaves early', async () => {
    const child = box.start(['schema', 'outcome']);
    child.stdout?.destroy();
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(errors).toBe('');
  });

  it.runIf(existsSync('/dev/full'))('says that what it writes did not arrive, and fails', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [CLI, 'schema', 'envelope'], {
      env: box.env,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect([status, stderr]).toEqual([1, expect.stringContaining('ENOSPC')]);
  });
});

describe('piton schema', () => {
  it('lists the contracts and prints each as JSON Schema 2020-12', async () => {
    const list = await box.json<{ name: string }[]>(['schema']);
    expect(list.map(({ name }) => name)).toContain('envelope');
    for (const { name } of list) {
      const said = await box.piton(['schema', name]);
      expect(JSON.parse(said.stdout)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
    }
  });

  it('says that an envelope has exactly seven fields', async () => {
    const schema = JSON.parse((await box.piton(['schema', 'envelope'])).stdout) as { properties: object; additionalProperties: boolean };
    expect(Object.keys(schema.properties).sort()).toEqual([
      'event',
      'payload',
      'projectPath',
      'provider',
      'providerRef',
      'receivedAt',
      'schemaVersion',
    ]);
    expect(schema.additionalProperties).toBe(false);
  });
});

it('ends at once where there is no git, and says so in words', async () => {
  await box.piton(['init', '--agent', 'claude']);
  for (const command of ['resume', 'rewind', 'export']) {
    const said = await box.piton([command], { env: { PATH: '/nonexistent' } });
    expect([command, said.code, said.stderr]).toEqual([command, 1, expect.stringContaining('not a git repository')]);
  }
});
