import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ask,
  createTestHome,
  eventually,
  keptForUser,
  killServers,
  removeHome,
  runForwarder,
  runPitonSync,
  type TestHome,
} from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

const event = (name: string, more: object = {}) => ({ session_id: 's1', hook_event_name: name, cwd: home.work, ...more });
const shell = (command: string) => event('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_1' });
const piton = (...args: string[]) =>
  runPitonSync(args, { cwd: home.work, env: { PATH: process.env.PATH, HOME: home.root, PITON_HOME: home.root } });

const received = () => join(home.root, 'heard');
const delivered = (): { reason: string; hook: string | null; tool: string }[] =>
  existsSync(received())
    ? (JSON.parse(`[${readFileSync(received(), 'utf8').trim().replaceAll('\n', ',')}]`) as ReturnType<typeof delivered>)
    : [];

/** A guard that must hold, and somebody who wants to hear of every deny. */
async function setUp(command: string): Promise<void> {
  const guard = { name: 'guard', event: 'pre_tool_use', matcher: 'Bash', command, fail_closed: true };
  const listener = { name: 'listener', event: 'decision-denied', command: `cat >> ${received()}; echo >> ${received()}` };
  writeFileSync(join(home.places.config, 'settings.json'), JSON.stringify({ hooks: [guard, listener] }));
  await runForwarder(home, 'SessionStart', event('SessionStart'));
  await eventually(() => keptForUser(home).includes('(guard)'));
  killServers(home);
}

const find = () => {
  const { stdout } = piton('events', '--json');
  return (JSON.parse(stdout || '[]') as { event: string; decision: string | null; reason: string; late: boolean }[]).find(
    (one) => one.event === 'pre_tool_use',
  );
};

/** While the file is broken no server starts. Then the next event starts one, which finds what was left for it. */
async function without(
  file: string,
  text: string,
  meanwhile: () => Promise<unknown>,
): Promise<{ decision: string | null; reason: string; late: boolean }> {
  const path = join(home.places.runtime, 'test', file);
  const works = readFileSync(path);
  writeFileSync(path, text);
  await meanwhile();
  writeFileSync(path, works);
  for (const name of readdirSync(home.places.environment)) if (name.startsWith('backoff')) rmSync(join(home.places.environment, name));
  await runForwarder(home, 'Notification', event('Notification', { message: 'back' }));
  await eventually(async () => {
    await ask(home, 'POST', '/v1/flush');
    return find() !== undefined;
  });
  return find() as NonNullable<ReturnType<typeof find>>;
}

describe('what a fail_closed hook decided without a server', () => {
  it('is reported afterwards: by the event, with its reason, and to subscriptions', async () => {
    await setUp('echo blocked by policy >&2; exit 2');
    const found = await without('server.cjs', 'process.exit(1);', () =>
      runForwarder(home, 'PreToolUse', shell('ls'), { timeoutMs: 30_000 }),
    );
    expect(found).toMatchObject({ decision: 'deny', reason: expect.stringContaining('blocked by policy'), late: true });
    await eventually(() => delivered().length > 0);
    expect(delivered()).toMatchObject([
      { reason: expect.stringContaining('blocked by policy'), hook: expect.stringContaining('guard'), tool: 'Bash' },
    ]);
    expect(readdirSync(home.places.journal).filter((name) => /said|denied/.test(name))).toEqual([]);
  });

  it('is reported also if only the prepared deny could be answered', async () => {
    await setUp('exit 0');
    const found = await without('node', '/nowhere/node\n', () =>
      runForwarder(home, 'PreToolUse', shell('ls'), { env: { PATH: '/nowhere' } }),
    );
    expect(found).toMatchObject({ decision: 'deny', reason: expect.stringContaining('no server'), late: true });
    await eventually(() => delivered().length > 0);
    expect(delivered()).toMatchObject([{ reason: expect.stringContaining('no server'), tool: 'Bash' }]);
    expect(readdirSync(home.places.journal).filter((name) => /said|denied/.test(name))).toEqual([]);
  });

  it('is on record also where servers had taken the event and died over it', async () => {
    await setUp('echo blocked by policy >&2; exit 2');
    const crashAt = join(home.places.environment, 'crash-at');
    writeFileSync(crashAt, 'after-journal 1');
    const { stdout } = await runForwarder(home, 'PreToolUse', shell('ls'));
    expect(stdout).toContain('blocked by policy');
    rmSync(crashAt);
    rmSync(join(home.places.environment, 'backoff'), { force: true });
    await runForwarder(home, 'Notification', event('Notification', { message: 'back' }));
    // What the dead ones had is read first, and says nothing of an answer.
    await expect.poll(() => (find()?.decision ?? null) !== null).toBe(true);
    const found = find();
    expect(found).toMatchObject({ decision: 'deny', reason: expect.stringContaining('blocked by policy'), late: true });
    await eventually(() => delivered().length > 0);
    expect(delivered()).toMatchObject([{ reason: expect.stringContaining('blocked by policy'), tool: 'Bash' }]);
  });

  it('is no deny where it let the call pass', async () => {
    await setUp('exit 0');
    const found = await without('server.cjs', 'process.exit(1);', async () => {
      expect((await runForwarder(home, 'PreToolUse', shell('ls'), { timeoutMs: 30_000 })).stdout).toBe('{}');
    });
    expect(found).toMatchObject({ decision: null, late: true });
    expect(delivered()).toEqual([]);
  });
});
