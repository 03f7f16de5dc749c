import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ask, createTestHome, describeConfined, eventually, execute, removeHome, type TestHome } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CLI, type Played, piton, play, write } from './setup.ts';

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

const call = (agent: Played['agent'], command: string): Played => ({ agent, command, ends: 'well' });
const writeHook = (script: string): string =>
  write(join(home.places.config, 'hooks', 'pre-shell-execution', '10-all'), `#!/bin/sh\n${script}\n`, 0o755);
interface Result {
  readonly [field: string]: unknown;
  readonly calls: readonly { readonly subject: string }[];
}
const backtest = async (...args: string[]): Promise<Result> =>
  JSON.parse((await piton(home, ['hooks', 'backtest', '10-all', '--json', ...args])).stdout) as Result;

describeConfined('a backtest', (path) => {
  it('takes the newest calls where there are too many, and only those of the agents that were named', async () => {
    await play(home, [call('claude', 'one'), call('codex', 'two'), call('claude', 'three'), call('gemini', 'four')]);
    writeHook('exit 2');
    const subjects = async (...args: string[]) => (await backtest(...args)).calls.map(({ subject }) => subject);
    expect(await subjects()).toEqual(['Bash: one', 'Bash: two', 'Bash: three', 'Bash: four']);
    expect(await subjects('--limit', '2')).toEqual(['Bash: three', 'Bash: four']);
    expect(await subjects('--agent', 'claude,gemini')).toEqual(['Bash: one', 'Bash: three', 'Bash: four']);
    expect(await subjects('--since', '2999-01-01')).toEqual([]);
  });

  it('counts what it could not look at, and what it saw with placeholders in it', async () => {
    const secret = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`;
    await play(home, [call('claude', 'gone'), call('claude', `TOKEN=${secret} ls`)]);
    await ask(home, 'POST', '/v1/flush');
    const dropped = 'text = NULL, payload = NULL, payload_body = NULL, outcome = NULL, outcome_body = NULL';
    execute(home.places.store, `UPDATE events SET expired_us = 1, ${dropped} WHERE tool_command = 'gone'`);
    writeHook('exit 2');
    expect(await backtest()).toMatchObject({ recorded: 2, looked_at: 2, expired: 1, ran: 1, denied: 1, redacted: 1 });
    const { stdout } = await piton(home, ['hooks', 'backtest', '10-all']);
    expect(stdout).toContain('1 call skipped: their bodies have expired');
    expect(stdout).toContain('1 call holds placeholders instead of secrets');
    expect(stdout).not.toContain(secret);
  });

  it('distinguishes a hook that failed from one that made no decision, and starts none if the matcher does not match', async () => {
    await play(home, [call('claude', 'a'), call('claude', 'b')]);
    writeHook('case "$PITON_TOOL_COMMAND" in a) exit 9;; esac');
    expect(await backtest()).toMatchObject({ ran: 2, failed: 1, denied: 0 });
    const settings = { hooks: [{ name: 'edits', event: 'pre_tool_use', matcher: 'Edit', command: 'exit 2' }] };
    write(join(home.places.config, 'settings.json'), JSON.stringify(settings));
    const none = await piton(home, ['hooks', 'backtest', 'edits', '--json']);
    expect(JSON.parse(none.stdout)).toMatchObject({ recorded: 2, looked_at: 2, ran: 0, denied: 0 });
  });

  it('runs where the project is gone, and in a project that lies in /tmp', async () => {
    const gone = join(home.work, 'gone');
    mkdirSync(gone);
    await play({ ...home, work: gone }, [call('claude', 'ls')]);
    rmSync(gone, { recursive: true });
    await play(home, [call('codex', 'ls')]);
    write(join(home.work, 'here.txt'), 'yes');
    writeHook('test -f here.txt && exit 2; exit 0');
    expect(await backtest()).toMatchObject({ ran: 2, denied: 1, failed: 0 });
  });

  it('prints at Ctrl-C what it has so far, and leaves nothing behind', async () => {
    await play(
      home,
      Array.from({ length: 40 }, (_, at) => ({ ...call('claude', `echo ${at}`), ends: 'never' as const })),
    );
    const long = `60.${process.pid}`;
    writeHook(`case "$PITON_TOOL_COMMAND" in "echo 0") exit 2;; "echo 39") sleep ${long};; esac\nexit 0`);
    const temporary = join(home.root, 'temporary');
    mkdirSync(temporary);
    const env = { PATH: path, HOME: home.root, PITON_HOME: home.root, TMPDIR: temporary };
    const child = spawn(process.execPath, [CLI, 'hooks', 'backtest', '10-all'], { cwd: home.work, env });
    let said = '';
    child.stdout.on('data', (data) => (said += data));
    const ended = new Promise((resolve) => child.on('close', resolve));
    expect(await eventually(() => isRunning(`sleep\0${long}`))).toBe(true);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(said).toMatch(/stopped: 3\d of 40 checked/);
    expect(said).toMatch(/Would have denied 1 of 3\d/);
    expect(await eventually(() => !isRunning(`sleep\0${long}`))).toBe(true);
    expect(readdirSync(temporary)).toEqual([]);
  }, 120_000);
});

const isRunning = (words: string): boolean =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(words);
      } catch {
        return false; // gone meanwhile
      }
    });
