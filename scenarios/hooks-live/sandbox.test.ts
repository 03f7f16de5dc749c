import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { createTestHome, describeConfined, removeHome, runForwarder, type TestHome } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

let home: TestHome;
let listening: Server | undefined;
let daemon: Server | undefined;
beforeEach(() => {
  home = createTestHome();
});
afterEach(async () => {
  listening?.close();
  listening = undefined;
  daemon?.close();
  daemon = undefined;
  await removeHome(home);
});

const write = (path: string, text: string, mode = 0o644): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
};

describeConfined('a confined hook', (path) => {
  /** What the script of an artifact of this profile finds out, by name; it tells by its reason for denying. */
  async function found(
    profile: string,
    probes: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Record<string, string>> {
    const lines = Object.entries(probes).map(([name, probe]) => `echo "${name}=$( (${probe}) >/dev/null 2>&1 && echo yes || echo no)" >&2`);
    const folder = join(home.places.config, 'artifacts', 'probe');
    write(join(folder, 'scripts', 'probe.sh'), `#!/bin/sh\n${lines.join('\n')}\nexit 2\n`, 0o755);
    write(
      join(folder, 'ARTIFACT.md'),
      `---\ntype: hook\nversion: 1.0.0\nhook_event: pre_shell_execution\nhook_action: scripts/probe.sh\nsandbox_profile: ${profile}\n---\n`,
    );
    const payload = { session_id: 's', hook_event_name: 'PreToolUse', cwd: home.work, tool_name: 'Bash', tool_input: { command: 'ls' } };
    const { stdout } = await runForwarder(home, 'PreToolUse', payload, { env: { PATH: path, ...env } });
    const reason = (JSON.parse(stdout) as { hookSpecificOutput: { permissionDecisionReason: string } }).hookSpecificOutput
      .permissionDecisionReason;
    return Object.fromEntries(reason.split('\n').map((line) => line.split('=') as [string, string]));
  }
  async function port(): Promise<number> {
    listening = createServer((socket) => socket.on('error', () => {}).end('hello')).listen(0, '127.0.0.1');
    await new Promise((resolve) => listening?.once('listening', resolve));
    return (listening.address() as { port: number }).port;
  }
  /** A socket below /run, as daemons have one; where we may make none there, a name that is not there. */
  async function daemonSocket(): Promise<string> {
    const path = `/run/piton-test-${process.pid}.sock`;
    if (existsSync(path)) return path;
    daemon = createServer();
    const listens = await new Promise<boolean>((resolve) => {
      daemon?.once('error', () => resolve(false)).listen(path, () => resolve(true));
    });
    return listens ? path : '/nowhere';
  }
  const connects = (to: number): string => `exec 3<>/dev/tcp/127.0.0.1/${to}`;
  const inBash = (line: string): string => `bash -c '${line}'`;

  it('that is not confined can do all of it: the probes are good', async () => {
    write(join(home.root, 'key'), 'secret');
    const probes = {
      project: `touch ${home.work}/p`,
      home: `touch ${home.root}/h`,
      secret: `grep secret ${home.root}/key`,
      network: inBash(connects(await port())),
      socket: `test -S ${await daemonSocket()}`,
    };
    expect(await found('none', probes)).toEqual({
      ...{ project: 'yes', home: 'yes', secret: 'yes', network: 'yes' },
      socket: (await daemonSocket()).startsWith('/run/') ? 'yes' : 'no',
    });
  });

  it('read-only: writes nothing but a /tmp of its own, and cannot make itself free', async () => {
    const mark = `piton-mark-${process.pid}`;
    const probes = {
      project: `touch ${home.work}/p`,
      elsewhere: `touch /var/tmp/${mark}`,
      script: 'echo x >> "$PITON_ARTIFACT_DIR"/scripts/probe.sh',
      tmp: `touch /tmp/${mark}`,
      remount: 'mount -o remount,rw / && touch /p',
      other: `touch /proc/1/root${home.work}/p`,
      parent: `touch /proc/$PPID/root${home.work}/p`,
      mount: 'mkdir /tmp/m && mount -t tmpfs none /tmp/m',
      kill: `kill -0 ${process.pid}`,
      socket: `test -S ${await daemonSocket()}`,
      network: inBash(connects(await port())),
    };
    expect(await found('read-only', probes)).toEqual({
      ...{
        project: 'no',
        elsewhere: 'no',
        script: 'no',
        tmp: 'yes',
        remount: 'no',
        other: 'no',
        parent: 'no',
        mount: 'no',
        kill: 'no',
        socket: 'no',
      },
      network: 'yes',
    });
    expect(existsSync(join('/tmp', mark))).toBe(false);
  });

  it('no-network: reaches nobody, and writes', async () => {
    const probes = { network: inBash(connects(await port())), project: `touch ${home.work}/p`, host: 'nsenter -t 1 -n true' };
    expect(await found('no-network', probes)).toEqual({ network: 'no', project: 'yes', host: 'no' });
    expect(readFileSync(join(home.work, 'p'), 'utf8')).toBe('');
  });

  it('strict: neither, and of HOME it sees the project and itself', async () => {
    write(join(home.root, 'key'), 'secret');
    write(join(home.work, 'file'), 'mine');
    const probes = {
      secret: `grep secret ${home.root}/key`,
      list: `ls ${home.root} | grep key`,
      project: `grep mine ${home.work}/file`,
      itself: 'test -x "$PITON_ARTIFACT_DIR"/scripts/probe.sh',
      write: `touch ${home.work}/p || touch ${home.root}/p`,
      network: inBash(connects(await port())),
      run: `ls -A /run | grep .`,
    };
    expect(await found('strict', probes)).toEqual({
      ...{ secret: 'no', list: 'no', project: 'yes', itself: 'yes', write: 'no', network: 'no', run: 'no' },
    });
  });

  it('strict: has no credentials of the agent', async () => {
    const probes = { key: 'test -n "$ANTHROPIC_API_KEY"', path: 'test -n "$PATH"' };
    const env = { ANTHROPIC_API_KEY: 'sk-not-a-real-one' };
    expect(await found('none', probes, env)).toEqual({ key: 'yes', path: 'yes' });
    expect(await found('strict', probes, env)).toEqual({ key: 'no', path: 'yes' });
  });

  it('strict: does not run where it would see all of HOME, and a policy denies', async () => {
    const folder = join(home.places.config, 'artifacts', 'policy');
    write(
      join(folder, 'ARTIFACT.md'),
      '---\ntype: hook\nversion: 1.0.0\nhook_event: pre_tool_use\nhook_action: "true"\nsandbox_profile: strict\nfail_closed: true\n---\n',
    );
    const at = (cwd: string) => ({ session_id: 's', hook_event_name: 'PreToolUse', cwd, tool_name: 'Bash', tool_input: { command: 'ls' } });
    const answerAt = async (cwd: string) => (await runForwarder(home, 'PreToolUse', at(cwd), { cwd, env: { PATH: path } })).stdout;
    expect(await answerAt(home.work)).toBe('{}');
    for (const cwd of [home.root, `${home.root}/`]) expect(await answerAt(cwd)).toContain('it would see all of it');
  });

  it('may be a module: its host is confined, and no other module is in there', async () => {
    const module = `import { writeFileSync } from 'node:fs';
export default () => {
  try { writeFileSync(${JSON.stringify(join(home.work, 'p'))}, 'x'); return { decision: 'deny', reason: 'wrote' }; }
  catch (error) { return { decision: 'deny', reason: error.code + ' ' + process.pid }; }
};`;
    const folder = join(home.places.config, 'artifacts', 'm');
    write(join(folder, 'hook.mjs'), module);
    write(
      join(folder, 'ARTIFACT.md'),
      '---\ntype: hook\nversion: 1.0.0\nhook_event: pre_tool_use\nmodule: hook.mjs\nsandbox_profile: strict\n---\n',
    );
    const payload = { session_id: 's', hook_event_name: 'PreToolUse', cwd: home.work, tool_name: 'Bash', tool_input: { command: 'ls' } };
    const reason = async () => (await runForwarder(home, 'PreToolUse', payload, { env: { PATH: path } })).stdout;
    const first = await reason();
    expect(first).toMatch(/EROFS|ENOENT/);
    expect(existsSync(join(home.work, 'p'))).toBe(false);
    expect(await reason()).toBe(first); // the same warm process
  });
});

it('a hook whose sandbox cannot be had does not run, and says why; a policy denies', async () => {
  const folder = join(home.places.config, 'artifacts', 'probe');
  const artifact = (more: string) =>
    write(
      join(folder, 'ARTIFACT.md'),
      `---\ntype: hook\nversion: 1.0.0\nhook_event: pre_tool_use\nhook_action: touch ${home.root}/ran\nsandbox_profile: read-only\n${more}---\n`,
    );
  artifact('fail_closed: true\n');
  write(join(home.root, 'bin', 'bwrap'), '#!/bin/sh\necho "no permission" >&2\nexit 1\n', 0o755);
  const payload = { session_id: 's', hook_event_name: 'PreToolUse', cwd: home.work, tool_name: 'Bash', tool_input: { command: 'ls' } };
  const { stdout } = await runForwarder(home, 'PreToolUse', payload, { env: { PATH: `${home.root}/bin:/usr/bin:/bin` } });
  expect(stdout).toMatch(/deny.*read-only is not available: bwrap is installed but does not work: no permission/);
  expect(() => readFileSync(join(home.root, 'ran'))).toThrow(/ENOENT/);
});
