import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from './sandbox.ts';

interface Status {
  readonly ok: boolean;
  readonly server: { readonly pid: number };
  readonly agents: {
    readonly agent: string;
    readonly scope: string;
    readonly file: string;
    readonly registrations: number;
    readonly canaries: { event: string; canary: { arrived: boolean; eventId?: string; why?: string } }[];
  }[];
}

/** Ended, whether or not anybody has reaped it: in a container the first process may not. */
const isGone = (pid: number): boolean => !existsSync(`/proc/${pid}/stat`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

let box: Sandbox;
beforeEach(async () => {
  box = sandbox();
  mkdirSync(join(box.home, '.claude'));
  await box.piton(['init']);
});
afterEach(() => box.end());

describe('piton status', () => {
  it('starts the server, sends a canary through the installed line, and shows it in the store with its time', async () => {
    const said = await box.piton(['status']);
    expect(said).toMatchObject({ code: 0, stderr: '' });
    expect(said.stdout).toMatch(/canary PreToolUse +journaled after .+, answered after .+, stored as [0-9A-Z]{26}/);
    const id = /stored as ([0-9A-Z]{26})/.exec(said.stdout)?.[1] as string;
    expect(await box.json(['events', 'show', id])).toMatchObject({ eventId: id, canary: true, agent: 'claude', nativeEvent: 'PreToolUse' });
    expect(await box.json(['events'])).toEqual([]);
  });

  it('names hooks that cannot be read, and doctor says of each once what is wrong', async () => {
    const { config } = await box.json<{ config: string }>(['status']);
    box.write(join(config, 'artifacts', 'headless', 'ARTIFACT.md'), 'Words alone.\n');
    expect((await box.piton(['status'])).stdout).toMatch(/! hooks +0 active here, 1 with a problem: .*piton doctor/);
    expect((await box.json<{ hooks: { broken: string[] } }>(['status'])).hooks.broken).toEqual([
      join(config, 'artifacts', 'headless', 'ARTIFACT.md'),
    ]);
    expect((await box.piton(['doctor'])).stdout.match(/^. hooks: .*$/gm)).toEqual([
      '✗ hooks: line 1: it does not start with a line of three dashes',
    ]);
  });

  it('proves every registration with --all', async () => {
    const { agents } = await box.json<Status>(['status', '--all']);
    const registered = Object.keys((JSON.parse(readFileSync(box.settings, 'utf8')) as { hooks: object }).hooks);
    expect(agents[0]?.canaries.map(({ event }) => event).sort()).toEqual(registered.sort());
    expect(agents[0]?.canaries.every(({ canary }) => canary.arrived)).toBe(true);
    expect(new Set(agents[0]?.canaries.map(({ canary }) => canary.eventId)).size).toBe(registered.length);
  });

  it('proves the guarded shell line of a project as well', async () => {
    await box.piton(['uninstall', '--yes']);
    const repository = box.repository();
    await box.piton(['init', '--agent', 'claude', '--project'], { cwd: repository });
    const status = await box.json<Status>(['status'], { cwd: repository });
    expect(status).toMatchObject({ ok: true, agents: [{ scope: 'project', file: join(repository, '.claude/settings.json') }] });
  });

  it('does not take a line for working that runs something else', async () => {
    await box.piton(['server', 'start']);
    // A program of the same name in its place: it runs, it exits 0, and nothing arrives.
    const forwarder = join(box.state, 'runtime', 'current', 'piton-forward');
    rmSync(forwarder);
    box.write(forwarder, '#!/bin/sh\ncat > /dev/null\nexit 0\n', 0o755);
    const status = await box.json<Status>(['status']);
    expect(status.ok).toBe(false);
    expect(status.agents[0]?.canaries[0]?.canary).toMatchObject({ arrived: false });
    const said = await box.piton(['status']);
    expect(said.code).toBe(1);
    expect(said.stdout).toContain('the server received nothing');
    expect(said.stdout).toContain('piton doctor');
  });

  it('names the home that the registrations lead to when it is another', async () => {
    const text = box.read(box.settings);
    const line = /"command": ?"([^"]+piton-forward)"/.exec(text)?.[1] as string;
    box.write(box.settings, text.replaceAll(line, '/opt/other/state/runtime/current/piton-forward'));
    const said = await box.piton(['status']);
    expect(said.code).toBe(1);
    expect(said.stdout).toContain('registered for another Piton home: /opt/other/state');
  });

  it('names a settings file that cannot be read', async () => {
    box.write(box.settings, '{ "hooks": \n');
    const said = await box.piton(['status']);
    expect(said.code).toBe(1);
    expect(said.stdout).toContain(box.settings);
    expect(said.stdout).toContain("Claude Code's settings cannot be edited: line ");
    expect(said.stdout).not.toContain('Piton is not registered with any agent');
  });

  it('does not call it well when an agent has Piton at both levels', async () => {
    const repository = box.repository();
    box.write(join(repository, '.claude/settings.json'), box.read(box.settings));
    const said = await box.piton(['status'], { cwd: repository });
    expect(said.code).toBe(1);
    expect(said.stdout).toContain('registered at both levels');
  });

  it('says why no canary could be sent when the forwarder is gone', async () => {
    await box.piton(['server', 'start']);
    rmSync(join(box.state, 'runtime', 'current', 'piton-forward'));
    const said = await box.piton(['status']);
    expect(said.code).toBe(1);
    expect(said.stdout).toContain('cannot run');
  });

  it('fails where Piton is not registered with any agent', async () => {
    await box.piton(['uninstall', '--yes']);
    const said = await box.piton(['status']);
    expect(said.code).toBe(1);
    expect(said.stdout).toContain('piton init');
  });
});

describe('piton server', () => {
  it('starts once, answers, and stops', async () => {
    expect((await box.piton(['server', 'start'])).stdout).toContain('started');
    const { server } = await box.json<Status>(['status']);
    expect((await box.piton(['server', 'start'])).stdout).toContain(`already running (process ${server.pid})`);
    expect(await box.json(['server', 'status'])).toMatchObject({ running: true, pid: server.pid });
    expect((await box.piton(['server', 'stop'])).stdout).toContain('stopped');
    expect(isGone(server.pid)).toBe(true);
    expect(await box.json(['server'])).toMatchObject({ running: false, why: 'absent' });
    expect((await box.piton(['server', 'stop'])).stdout).toContain('not running');
  });

  it('is started although a killed one still held its lock a moment ago', async () => {
    const runtime = join(box.state, 'runtime', 'current');
    renameSync(join(runtime, 'piton-forward'), join(runtime, 'forward'));
    const asked = join(box.home, 'asked');
    // What the forwarder says of the lock until the kernel has closed the files of the one that was killed.
    const script = `#!/bin/sh\n[ -e '${asked}' ] || { : > '${asked}'; exit 75; }\nexec "\${0%/*}/forward" "$@"\n`;
    box.write(join(runtime, 'piton-forward'), script, 0o755);
    expect(await box.piton(['server', 'start'])).toMatchObject({ code: 0, stdout: expect.stringContaining('started') });
    expect(existsSync(asked)).toBe(true);
  });

  it('is replaced when init lays out another runtime', async () => {
    const runtime = join(box.state, 'runtime');
    let said = '';
    // A server looks every few seconds whether it was replaced. Where that comes between what init does, init has nothing to replace.
    for (let round = 0; round < 5 && !said.includes('older runtime was replaced'); round++) {
      await box.piton(['server', 'stop']);
      // As if the present runtime were an older one: the same server, another name.
      const older = `0.0.${round}-cccccccc`;
      execFileSync('sh', ['-c', 'cp -r "$(readlink -f current)" "$1" && ln -sfn "$1" current', 'sh', older], { cwd: runtime });
      await box.piton(['server', 'start']);
      const before = await box.json<{ pid: number }>(['server']);
      said = (await box.piton(['init'])).stdout;
      await box.piton(['server', 'start']);
      expect((await box.json<{ pid: number }>(['server'])).pid).not.toBe(before.pid);
    }
    expect(said).toContain('the server of the older runtime was replaced');
  });

  it('runs in the foreground until it is stopped', async () => {
    const child = box.start(['server', 'run']);
    let out = '';
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
    await expect.poll(() => box.json<{ running: boolean }>(['server']).then(({ running }) => running)).toBe(true);
    await expect.poll(() => out).toMatch(/^listening \(process \d+\)/);
    const ended = new Promise((resolve) => child.on('close', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(await box.json(['server'])).toMatchObject({ running: false });
  });
});
