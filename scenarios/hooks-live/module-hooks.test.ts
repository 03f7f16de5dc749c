import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ask, createTestHome, killServers, pause, removeHome, runForwarder, selectAll, type TestHome } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

const shell = (command: string) => ({
  session_id: 's1',
  hook_event_name: 'PreToolUse',
  cwd: home.work,
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: command,
});
const reasonOf = (stdout: string) =>
  (JSON.parse(stdout) as { hookSpecificOutput?: Record<string, unknown> }).hookSpecificOutput?.permissionDecisionReason;

function write(hooks: readonly object[], files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(home.places.config, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  writeFileSync(join(home.places.config, 'settings.json'), JSON.stringify({ hooks }));
}
const guard = { name: 'guard', event: 'pre_tool_use', module: 'modules/guard.mjs' };
const deny = (reason: string) => `export default () => ({ decision: "deny", reason: "${reason}" });`;

/** How many hosts of this home's runtime live. */
const hostsAlive = (): number =>
  readdirSync('/proc').filter((pid) => {
    try {
      const line = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
      return line.includes(home.root) && line.includes('module-host.mjs');
    } catch {
      return false;
    }
  }).length;

describe('a module', () => {
  it('decides without a process for each event, and is loaded anew when it changes', async () => {
    write([guard], {
      'modules/guard.mjs': 'export default ({ tool_input }) => ({ decision: "deny", reason: tool_input.command + " " + process.pid });',
    });
    const [, first] = String(reasonOf((await runForwarder(home, 'PreToolUse', shell('a'))).stdout)).split(' ');
    const [word, second] = String(reasonOf((await runForwarder(home, 'PreToolUse', shell('b'))).stdout)).split(' ');
    expect([word, second]).toEqual(['b', first]);
    writeFileSync(join(home.places.config, 'modules/guard.mjs'), deny('changed'));
    expect(reasonOf((await runForwarder(home, 'PreToolUse', shell('c'))).stdout)).toBe('changed');
  });

  it('may be TypeScript, on this Node too, and is read again when a file beside it changes', async () => {
    const typed = `import { type Word, word } from './word.ts';
interface Payload { readonly tool_input: { readonly command: string } }
export default ({ tool_input }: Payload): { decision: 'deny'; reason: Word } => ({ decision: 'deny', reason: word(tool_input.command) as Word });`;
    const words = (mark: string) => `export type Word = string;\nexport const word = (text: string): Word => \`${mark}\${text}\`;\n`;
    write([{ ...guard, module: 'modules/guard.ts' }], { 'modules/guard.ts': typed, 'modules/word.ts': words('1 ') });
    expect(reasonOf((await runForwarder(home, 'PreToolUse', shell('a'))).stdout)).toBe('1 a');
    writeFileSync(join(home.places.config, 'modules/word.ts'), words('two '));
    expect(reasonOf((await runForwarder(home, 'PreToolUse', shell('b'))).stdout)).toBe('two b');
  });

  it('that spins is stopped at its limit; a policy denies then, and the server answers the next event', async () => {
    // Long enough for the one after it, for which a machine that is busy starts another process.
    write([{ ...guard, timeout: '5s', fail_closed: true }], {
      'modules/guard.mjs': 'export default ({ tool_input }) => { while (tool_input.command === "spin"); };',
    });
    expect(reasonOf((await runForwarder(home, 'PreToolUse', shell('spin'))).stdout)).toContain('is fail_closed and did not answer');
    expect((await runForwarder(home, 'PreToolUse', shell('ls'))).stdout).toBe('{}');
    await ask(home, 'POST', '/v1/flush');
    expect(selectAll(home.places.store, 'SELECT failed, exit_code FROM hook_runs ORDER BY at')).toEqual([
      { failed: 'timeout', exit_code: -1 },
      { failed: null, exit_code: 0 },
    ]);
  });

  it('holds without a server, if it must', async () => {
    write([{ ...guard, fail_closed: true }], { 'modules/guard.mjs': deny('held') });
    expect(reasonOf((await runForwarder(home, 'PreToolUse', shell('a'))).stdout)).toBe('held');
    killServers(home);
    writeFileSync(join(home.places.runtime, 'test', 'server.cjs'), 'process.exit(1);');
    expect(reasonOf((await runForwarder(home, 'PreToolUse', shell('b'))).stdout)).toBe('held');
  });

  it('is answered at once where an envelope is posted, since no forwarder is needed', async () => {
    write([guard], { 'modules/guard.mjs': deny('no') });
    await runForwarder(home, 'PreToolUse', shell('start'));
    const body = {
      schemaVersion: 1,
      provider: 'claude',
      event: 'pre_tool_use',
      providerRef: 's2',
      projectPath: home.work,
      receivedAt: new Date().toISOString(),
      payload: { ...shell('x'), session_id: 's2' },
    };
    expect(await ask(home, 'POST', '/v1/envelopes', body)).toEqual({ status: 200, body: { decision: 'deny', reason: 'no' } });
  });

  it.each(['ls', 'spin'])('goes with its server, also while it spins: %s', async (command) => {
    write([guard], { 'modules/guard.mjs': 'export default ({ tool_input }) => { while (tool_input.command === "spin"); };' });
    await runForwarder(home, 'PreToolUse', shell('first'));
    const busy = runForwarder(home, 'PreToolUse', shell(command));
    await pause(300);
    await expect.poll(hostsAlive).toBe(1);
    // No other server takes its place meanwhile.
    writeFileSync(join(home.places.runtime, 'test', 'server.cjs'), 'process.exit(1);');
    killServers(home);
    await expect.poll(hostsAlive).toBe(0);
    await busy;
  });
});

describe('hooks of one group that only watch', () => {
  it('all run after the answer, modules beside commands', async () => {
    const watch = (name: string, how: object) => ({ name, event: 'pre_tool_use', observe: true, group: 'g', ...how });
    write([watch('a', { command: 'sleep 0.2' }), watch('m', { module: 'modules/m.mjs' }), watch('b', { command: 'true' })], {
      'modules/m.mjs': 'export default () => undefined;',
    });
    expect((await runForwarder(home, 'PreToolUse', shell('ls'))).stdout).toBe('{}');
    const runs = async () => {
      await ask(home, 'POST', '/v1/flush');
      return selectAll(home.places.store, 'SELECT hook, failed, observed FROM hook_runs');
    };
    await expect.poll(async () => (await runs()).length).toBe(3);
    expect(await runs()).toEqual(
      expect.arrayContaining(['a', 'm', 'b'].map((name) => ({ hook: `user:settings/${name}`, failed: null, observed: 1 }))),
    );
  });
});

describe('commands of one group that only watch', () => {
  it('run side by side, each with a forwarder of its own', async () => {
    // Each ends only once all have begun: one after the other none would.
    const names = ['a', 'b', 'c', 'd'];
    const command = (name: string) =>
      `touch ${name}.began; n=0; until [ $(ls *.began | wc -l) -eq ${names.length} ]; do n=$((n+1)); [ $n -gt 200 ] && exit 9; sleep 0.05; done`;
    write(
      names.map((name) => ({ name, event: 'pre_tool_use', observe: true, group: 'g', command: command(name) })),
      {},
    );
    expect((await runForwarder(home, 'PreToolUse', shell('ls'))).stdout).toBe('{}');
    const runs = async () => {
      await ask(home, 'POST', '/v1/flush');
      return selectAll(home.places.store, 'SELECT hook, exit_code, failed FROM hook_runs ORDER BY hook');
    };
    await expect.poll(async () => (await runs()).length).toBe(names.length);
    expect(await runs()).toEqual(names.map((name) => ({ hook: `user:settings/${name}`, exit_code: 0, failed: null })));
  });
});

describe('a condition', () => {
  it('chooses by what the tool is and does', async () => {
    const when = { kind: 'shell', command: ['/\\brm\\s+-rf?\\b/', 'git push*'] };
    write([{ name: 'guard', event: 'pre_tool_use', when, command: 'echo no >&2; exit 2' }], {});
    expect(reasonOf((await runForwarder(home, 'PreToolUse', shell('sudo rm -rf /'))).stdout)).toBe('no');
    expect(reasonOf((await runForwarder(home, 'PreToolUse', shell('git push origin'))).stdout)).toBe('no');
    expect((await runForwarder(home, 'PreToolUse', shell('ls'))).stdout).toBe('{}');
  });

  it('of a hook that only watches is looked at as well', async () => {
    write([{ name: 'watch', event: 'session_end', when: { source: 'logout' }, command: 'true' }], {});
    const end = (reason: string) => ({ session_id: reason, hook_event_name: 'SessionEnd', reason, cwd: home.work });
    for (const reason of ['other', 'logout']) await runForwarder(home, 'SessionEnd', end(reason), { timeoutMs: 30_000 });
    await expect
      .poll(async () => {
        await ask(home, 'POST', '/v1/flush');
        return selectAll(home.places.store, 'SELECT hook FROM hook_runs').length;
      })
      .toBe(1);
  });
});
