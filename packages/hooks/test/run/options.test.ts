import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exec } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/run/index.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'run-options-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const shell = (text: string, over: Partial<Exec> = {}): Exec => ({
  id: 7,
  timeoutMs: 20_000,
  stdoutCap: 65536,
  stderrCap: 65536,
  argv: ['/bin/sh', '-c', text],
  cwd,
  set: {},
  unset: [],
  stdin: Buffer.alloc(0),
  ...over,
});

/** Once the command has said by a file that it is ready. */
const whenReady = (then: () => void): void => {
  const looking = setInterval(() => {
    if (!existsSync(join(cwd, 'ready'))) return;
    clearInterval(looking);
    then();
  }, 10);
};

/** An orphan's zombie waits for whoever adopted it, which is not ours to wait for. */
function stateOf(pid: number): string {
  const found = spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' });
  return found.stdout.trim() || 'gone';
}

describe('what the caller of a run may say', () => {
  it('gives the command the environment it was told, not the own one', async () => {
    process.env.RUN_OPTIONS_OWN = 'own';
    const exec = shell('echo "$GIVEN,$RUN_OPTIONS_OWN,$CUT"', { unset: ['CUT'] });
    const result = await runCommand(exec, { environment: { PATH: process.env.PATH, GIVEN: 'given', CUT: 'cut', NONE: undefined } });
    delete process.env.RUN_OPTIONS_OWN;
    expect(result.stdout.toString()).toBe('given,,\n');
  });

  it('ends the command and its children when the signal says so', async () => {
    const abort = new AbortController();
    const running = runCommand(shell('sleep 30 & echo $! >child.pid; echo >ready; wait'), {
      signal: abort.signal,
      onStart: () => whenReady(() => abort.abort()),
    });
    const result = await running;
    expect(result).toMatchObject({ exitCode: -1, timedOut: true, notStarted: false });
    expect(stateOf(Number(readFileSync(join(cwd, 'child.pid'), 'utf8')))).toMatch(/gone|Z/);
  });

  it('ends a command at once when the signal had come before', async () => {
    const result = await runCommand(shell('sleep 30'), { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ exitCode: -1, timedOut: true });
  });

  it('tells the process group, to which signals can be passed on', async () => {
    const exec = shell('trap "echo caught; exit 5" TERM; echo >ready; while :; do sleep 0.05; done');
    const result = await runCommand(exec, { onStart: (group) => whenReady(() => process.kill(-group, 'SIGTERM')) });
    expect(result).toMatchObject({ exitCode: 5, timedOut: false });
    expect(result.stdout.toString()).toBe('caught\n');
  });

  it('takes an empty command as one that is not there', async () => {
    const result = await runCommand(shell('', { argv: [] }));
    expect(result).toMatchObject({ exitCode: 127, notStarted: true });
  });

  it('refuses a NUL in an argument instead of throwing', async () => {
    const result = await runCommand(shell('', { argv: ['/bin/echo', 'a\0b'] }));
    expect(result).toMatchObject({ exitCode: 126, notStarted: true });
  });

  it.skipIf(process.platform !== 'linux')('leaves no temporary file and no descriptor behind', async () => {
    const left = (): number =>
      readdirSync('/proc/self/fd').length + readdirSync(tmpdir()).filter((name) => name.startsWith('piton-run-')).length;
    await runCommand(shell('cat'));
    const before = left();
    for (let i = 0; i < 100; i++) await runCommand(shell('cat', { stdin: Buffer.from('x') }));
    expect(left()).toBeLessThan(before + 50);
  });
});
