import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ask,
  createTestHome,
  describeConfined,
  eventually,
  killServers,
  removeHome,
  runForwarder,
  runPitonSync,
  type TestHome,
} from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

/** What Piton, or a script of the system's that it runs, could ask for by its bare name. */
const NAMES = 'git bwrap node npm mkfifo sh bash env cat rm mktemp touch true readlink dirname ps shellcheck codex claude'.split(' ');

// The first agent's PATH begins with directories of the project. Nothing in them is run, but by hooks that ask for it.
describeConfined('programs that a repository puts on PATH', (path) => {
  let home: TestHome;
  let repository: string;
  let ran: string;
  let before: string | undefined;
  beforeEach(() => {
    before = process.env.PATH;
    home = createTestHome();
    repository = join(home.root, 'repository');
    ran = join(home.root, 'ran');
    execFileSync('git', ['init', '-q', repository]);
    for (const directory of ['node_modules/.bin', 'bin']) plant(join(repository, directory));
    symlinkSync(join(repository, 'bin'), join(home.root, 'linked'));
    process.env.PATH = `${join(repository, 'node_modules/.bin')}:${join(repository, 'bin')}:${join(home.root, 'linked')}::bin:${path}`;
  });
  afterEach(async () => {
    process.env.PATH = before;
    await removeHome(home);
  });

  function plant(directory: string): void {
    mkdirSync(directory, { recursive: true });
    for (const name of NAMES) {
      writeFileSync(join(directory, name), `#!/bin/sh\necho '${name}' >> '${ran}'\nexit 0\n`);
      chmodSync(join(directory, name), 0o755);
    }
  }

  const planted = (): string[] => (existsSync(ran) ? [...new Set(readFileSync(ran, 'utf8').trim().split('\n'))] : []);
  const environment = () => ({ PATH: process.env.PATH, HOME: home.root, PITON_HOME: home.root, PITON_ALLOW_UNDER_AGENT: '1' });
  const piton = (...args: string[]) => runPitonSync(args, { cwd: repository, env: environment() });
  const event = (name: string, more: object = {}) => ({ session_id: 's1', hook_event_name: name, cwd: repository, ...more });
  const shell = () => event('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' });
  const fire = (payload: { hook_event_name: string }) =>
    runForwarder(home, payload.hook_event_name, payload, { cwd: repository, timeoutMs: 50_000 });

  const heard = () => join(home.root, 'heard');
  /** A guard that is confined and must hold, and a subscription that asks for programs by their bare names. */
  const settings = () => ({
    hooks: [
      { name: 'guard', event: 'pre_tool_use', command: 'echo no >&2; exit 2', fail_closed: true, sandbox: 'read-only', timeout: 40 },
      { name: 'listener', event: 'decision-denied', command: `git --version >> ${heard()}; cat > /dev/null` },
    ],
  });

  it('are run neither by the server, nor by what it runs in the repository', { timeout: 240_000 }, async () => {
    writeFileSync(join(home.places.config, 'settings.json'), JSON.stringify(settings()));
    const { status, stderr } = piton('init', '--agent', 'claude', '--yes');
    expect([status, stderr]).toEqual([0, expect.anything()]);
    expect((await fire(event('SessionStart'))).code).toBe(0);
    expect((await fire(shell())).stdout).toContain('"deny"');
    expect(await eventually(() => existsSync(heard()) && readFileSync(heard(), 'utf8').includes('git version'))).toBe(true);
    for (const args of [['status'], ['doctor'], ['checkpoints'], ['lint'], ['hooks', 'test', 'guard']]) piton(...args);
    await fire(event('UserPromptSubmit', { prompt: 'x' }));
    await ask(home, 'POST', '/v1/flush');
    expect(planted()).toEqual([]);
  });

  it('do not stand in for a Node that has gone, nor for bubblewrap', { timeout: 240_000 }, async () => {
    writeFileSync(join(home.places.config, 'settings.json'), JSON.stringify(settings()));
    await fire(event('SessionStart'));
    await eventually(() => existsSync(join(home.places.home, 'last-resort', 'user')));
    killServers(home);
    writeFileSync(join(home.places.current, 'node'), '/nonexistent/node\n');
    // With a server, started by a Node on PATH.
    expect((await fire(shell())).stdout).toContain('"deny"');
    killServers(home);
    // Without one: the stand-in runs the guard.
    writeFileSync(join(home.places.current, 'server.cjs'), 'process.exit(1);');
    const { stdout } = await fire(shell());
    expect(stdout).toContain('"deny"');
    expect(stdout).toContain('no');
    expect(planted()).toEqual([]);
  });
});
