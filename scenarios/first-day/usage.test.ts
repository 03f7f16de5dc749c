import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HAS_TERMINAL, Terminal } from '../trust-review/terminal.ts';
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
    ['evnts --help', 'events'],
    ['events tial -h', 'tail'],
    ['help evnts', 'events'],
  ])('suggests what was meant by `piton %s`', async (line, meant) => {
    const said = await box.piton(line.split(' '));
    expect(said.code).toBe(2);
    expect(said.stdout).toBe('');
    expect(said.stderr).toContain(`Did you mean ${meant}?`);
    // Nobody has a `piton` on PATH before `init --link`: the way to the help is what runs here.
    const [, toTry = ''] = /^Try: (.+)$/m.exec(said.stderr) ?? [];
    const tried = spawnSync('sh', ['-c', toTry], { cwd: box.home, env: box.env, encoding: 'utf8' });
    expect(tried).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('Usage: piton') });
  });

  it.each([
    [['server', 'start', '--x\n\nFORGED: run this'], `error: unknown option '--x FORGED: run this'`],
    [['x\nFORGED: run this'], `error: unknown command 'x FORGED: run this'`],
    [['events', 'x\nFORGED: run this'], 'FORGED'],
    [['init', '--agnt\n(Did you mean FORGED?)'], `error: unknown option '--agnt (Did you mean FORGED?)'`],
    [['init', `--${'y'.repeat(100_000)}`], `error: unknown option '--yyy`],
  ])('names what it does not know on one line: case %#', async (words, named) => {
    const { code, stdout, stderr } = await box.piton(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(named);
    expect(stderr.split('\n').slice(1).join('\n')).not.toContain('FORGED');
    expect(stderr.length).toBeLessThan(20_000);
  });

  it.each([
    ['events --limit none', '--limit'],
    ['events --since yesterdayish', '--since'],
    ['events --event pre_tool', 'pre_tool_use'],
    ['events --event PreTolUse', 'did you mean pre_tool_use?'],
    ['events --event preToolUsed', 'did you mean pre_tool_use?'],
    ['events --agent nobody', 'claude'],
    ['events --agent claud', 'did you mean claude?'],
    ['sessions --agent codx', 'did you mean codex?'],
    ['hooks --agent gemni', 'did you mean gemini?'],
    ['hooks --event checkpoint-creatd', 'did you mean checkpoint-created?'],
    ['hooks new logger --event sessionstrt', 'did you mean session_start?'],
    ['init --agent cursr', 'did you mean cursor?'],
    ['init --agent nobody', 'claude'],
    ['init --project --user', 'cannot be combined'],
    ['completion tcsh', 'fish'],
    ['schema envlope', 'envelope'],
    ['settings get', 'key'],
    ['trust --may everything', 'allow'],
    ['events --event pretool', 'did you mean pre_tool_use?'],
    ['events --event subagent', 'did you mean subagent_start or subagent_stop?'],
  ])('takes `piton %s` for a mistake of usage and says what would be right', async (line, hint) => {
    const said = await box.piton(line.split(' '));
    expect(said.code).toBe(2);
    expect(said.stderr).toContain(hint);
  });

  it.each([
    ['PreToolUse', 'pre_tool_use'],
    ['BeforeTool', 'pre_tool_use'],
    ['sessionStart', 'session_start'],
    ['pre-tool-use', 'pre_tool_use'],
  ])("takes an agent's own name of an event: %s", async (name, event) => {
    expect((await box.piton(['init', '--yes', '--agent', 'claude'])).code).toBe(0);
    expect(await box.piton(['events', '--event', name])).toMatchObject({ code: 0, stderr: '' });
    expect((await box.piton(['hooks', 'new', 'logger', '--event', name, '--as', 'executable', '--lang', 'sh'])).stdout).toContain(
      event.replaceAll('_', '-'),
    );
  });

  it('prints its version for -v too', async () => {
    const { stdout } = await box.piton(['--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await box.piton(['-v'])).toMatchObject({ code: 0, stdout });
  });

  it('knows a bare repository from none', async () => {
    const bare = join(box.home, 'bare.git');
    spawnSync('git', ['init', '-q', '--bare', bare]);
    await box.piton(['init', '--yes', '--agent', 'claude']);
    for (const args of [['checkpoints'], ['export'], ['init', '--project', '--yes']]) {
      const inside = await box.piton(args, { cwd: bare });
      expect([inside.code, inside.stderr]).toEqual([1, expect.stringContaining('bare repository')]);
      const outside = await box.piton(args);
      expect([outside.code, outside.stderr]).toEqual([1, expect.stringContaining('not in a git repository')]);
    }
  });

  it.skipIf(!HAS_TERMINAL)('is interrupted at a question, changes nothing, and says so by its exit code', async () => {
    const terminal = new Terminal(box, ['init', '--agent', 'claude'], box.home);
    await terminal.sees('[y/N]');
    terminal.type('\x03');
    expect(await terminal.exitCode()).toBe(130);
    expect(terminal.text).toContain('Interrupted.');
    expect(existsSync(join(box.home, '.claude/settings.json'))).toBe(false);
  });

  it('explains itself with examples, everywhere', async () => {
    const top = await box.piton(['--help']);
    expect(top.code).toBe(0);
    expect((await box.piton(['help'])).stdout).toBe(top.stdout);
    // The whole of it is seen at once.
    expect(top.stdout.split('\n').length).toBeLessThan(60);
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
    expect([command, said.code, said.stderr]).toEqual([command, 1, expect.stringContaining('not in a git repository')]);
  }
});
