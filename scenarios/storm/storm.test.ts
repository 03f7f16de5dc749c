import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ask,
  createTestHome,
  eventually,
  killServers,
  pause,
  removeHome,
  runForwarder,
  seededRandom,
  selectAll,
  serverPids,
  type TestHome,
} from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const SENDERS = 16;
/** Enough to last through every disturbance; more of the same finds nothing new in one run. */
const EACH = Number(process.env.PITON_STORM_EACH ?? 20);
const KINDS = ['PreToolUse', 'PostToolUse'] as const;

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

const payload = (sender: number, number: number, event: string) => ({
  session_id: `storm-${sender}`,
  hook_event_name: event,
  cwd: home.work,
  tool_name: 'Bash',
  tool_input: { command: `echo ${number}` },
  tool_use_id: `toolu_${sender}_${number}`,
});

/** What is in the store of the storm, read by SQL of the test's own, as `session tool-call event` lines. What came before it may be there or not. */
function stored(): string[] {
  const sql = `SELECT provider_ref, tool_use_id, native_event FROM events WHERE derived = 0 AND provider_ref LIKE 'storm-%'`;
  const rows = selectAll(home.places.store, sql);
  return rows.map((row) => `${row.provider_ref} ${row.tool_use_id} ${row.native_event}`).sort();
}

/** The senders' own log is the truth: a line for every process that was started and ended well. */
async function storm(random: ReturnType<typeof seededRandom>, disturb: (running: () => boolean) => Promise<void>): Promise<string[]> {
  const sent: string[] = [];
  let running = true;
  // A test that ran out of time must not go on in the home of the next.
  onTestFinished(() => {
    running = false;
  });
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let number = 0; number < EACH && running; number++) {
      const event = random.pick(KINDS);
      sent.push(`storm-${sender} toolu_${sender}_${number} ${event}`);
      const { code, stdout, stderr } = await runForwarder(home, event, payload(sender, number, event));
      expect({ code, stderr, noop: ['', '{}'].includes(stdout) }).toEqual({ code: 0, stderr: '', noop: true });
    }
  });
  const disturbance = disturb(() => running);
  await Promise.all(senders);
  running = false;
  await disturbance;
  return sent.sort();
}

/** The server that lived through a storm may still be told to die at its next batch: nobody would start another. */
async function disarm(): Promise<void> {
  rmSync(join(home.places.environment, 'crash-at'), { force: true });
  expect(await eventually(() => killServers(home) === 0)).toBe(true);
}

/**
 * Everything is stored, and by a server that is there. The lock of one that was killed may outlive its listing by a moment, in
 * which no other can be started.
 */
async function settle(expected: number): Promise<void> {
  rmSync(join(home.places.environment, 'backoff'), { force: true });
  await eventually(async () => {
    if (serverPids(home).length === 0) spawnSync(home.places.forwarder, ['--serve']);
    await ask(home, 'POST', '/v1/flush');
    try {
      return stored().length >= expected && serverPids(home).length > 0;
    } catch {
      return false;
    }
  });
  expect(serverPids(home)).toHaveLength(1);
}

describe('a storm of events', { timeout: 600_000 }, () => {
  it('loses and doubles nothing while the server is killed at random', async () => {
    const random = seededRandom();
    console.log(`storm: PITON_SEED=${random.seed}`);
    let kills = 0;
    const sent = await storm(random, async (running) => {
      while (running()) {
        // The first comes early: on a fast machine the storm is soon over.
        await pause(100 + random.below(kills === 0 ? 300 : random.pick([300, 2500])));
        kills += killServers(home);
        if (random.below(3) === 0) rmSync(join(home.places.environment, 'backoff'), { force: true });
      }
    });
    await disarm();
    await settle(sent.length);
    expect(kills).toBeGreaterThan(0);
    expect(stored()).toEqual(sent);
  });

  for (const point of ['after-journal', 'before-answer', 'after-answer', 'before-store', 'in-migration']) {
    it(`loses and doubles nothing when the server dies ${point.replace('-', ' ')}`, async () => {
      const random = seededRandom();
      console.log(`storm ${point}: PITON_SEED=${random.seed}`);
      await runForwarder(home, 'SessionStart', { session_id: 'first', cwd: home.work });
      killServers(home);
      if (point === 'in-migration') for (const suffix of ['', '-wal', '-shm']) rmSync(`${home.places.store}${suffix}`, { force: true });
      const crashAt = join(home.places.environment, 'crash-at');
      const sent = await storm(random, async (running) => {
        for (let round = 0; running() && round < 4; round++) {
          writeFileSync(crashAt, `${point} ${point === 'in-migration' ? 1 : 1 + random.below(20)}`);
          const [before] = serverPids(home);
          await eventually(() => !running() || (before !== undefined && !serverPids(home).includes(before)), 3000);
          if (before === undefined) await pause(200);
          rmSync(join(home.places.environment, 'backoff'), { force: true });
        }
      });
      await disarm();
      await settle(sent.length);
      expect(stored()).toEqual(sent);
    });
  }
});

describe('a thousand clients at once', () => {
  const count = 1000;

  /** How many of them were answered; all are stored, by one server. */
  async function fireAll(): Promise<number> {
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    // All of them wait on stdin; then all of them fire, and there is no server yet.
    const fired = Array.from({ length: count }, (_, number) =>
      runForwarder(home, 'PreToolUse', payload(number, 0, 'PreToolUse'), { gate }),
    );
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, serverPids(home).length);
    }, 100); // it reads the command line of a thousand processes
    open();
    const results = await Promise.all(fired);
    clearInterval(watch);
    await settle(count);
    expect(results.filter(({ code, stdout, stderr }) => code !== 0 || stderr !== '' || !['', '{}'].includes(stdout))).toEqual([]);
    expect(stored()).toEqual(Array.from({ length: count }, (_, number) => `storm-${number} toolu_${number}_0 PreToolUse`).sort());
    expect(most).toBeLessThanOrEqual(1);
    return results.filter(({ stdout }) => stdout === '{}').length;
  }

  it('are each answered and stored once, by one server, leaving no zombie and no descriptor', { timeout: 300_000 }, async () => {
    let answered = await fireAll();
    // Who has waited for a server for five seconds goes on without one. On a machine that is very busy all of them may: they try again.
    for (let again = 0; again < 2 && answered < count; again++) {
      await removeHome(home);
      home = createTestHome();
      answered = await fireAll();
    }
    expect(answered).toBe(count);
    const [pid] = serverPids(home);
    expect(pid).toBeDefined();
    expect(zombiesOf(pid as number)).toEqual([]);
    expect(await eventually(() => socketsOf(pid as number) < 20)).toBe(true);
  });
});

function zombiesOf(parent: number): string[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,stat=', '--ppid', String(parent)], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes('Z'));
}

function socketsOf(pid: number): number {
  const { stdout } = spawnSync('ls', ['-l', `/proc/${pid}/fd`], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes('socket:')).length;
}
