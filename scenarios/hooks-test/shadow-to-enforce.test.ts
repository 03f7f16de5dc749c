import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestHome, describeConfined, eventually, removeHome, type TestHome } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fireAs, type Played, piton, play, write } from './setup.ts';

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

const FORCED = /push (--force|-f)\b/;
/** What was played: the oracle of all that is said about it. */
const CALLS: readonly Played[] = [
  { agent: 'claude', command: 'git push --force origin main', ends: 'well' },
  { agent: 'claude', command: 'git push origin main', ends: 'well' },
  { agent: 'claude', command: 'git push -f', ends: 'badly' },
  { agent: 'claude', command: 'ls', ends: 'well' },
  { agent: 'codex', command: 'git push --force origin main', ends: 'well' },
  { agent: 'codex', command: 'npm test', ends: 'well' },
  { agent: 'codex', command: 'git push -f upstream', ends: 'never' },
  { agent: 'gemini', command: 'git push --force origin topic', ends: 'well' },
  { agent: 'gemini', command: 'cat README.md', ends: 'well' },
];
const forced = CALLS.filter(({ command }) => FORCED.test(command));
const harmless = forced.filter(({ ends }) => ends === 'well');

const guard = (mode: string): string =>
  `---\ntype: hook\nversion: 1.0.0\ndescription: no forced pushes # for now\nhook_event: pre_shell_execution\n${mode}hook_action: scripts/guard.sh\n---\n\nWhy: they lose work.\n`;
const SCRIPT =
  '#!/bin/sh\ncase "$PITON_TOOL_COMMAND" in *"push --force"*|*"push -f"*) echo "pushes are not forced here" >&2; exit 2;; esac\n';

function writeGuard(mode = 'mode: shadow\n'): string {
  const folder = join(home.places.config, 'artifacts', 'no-force');
  write(join(folder, 'scripts', 'guard.sh'), SCRIPT, 0o755);
  return write(join(folder, 'ARTIFACT.md'), guard(mode));
}

interface Calls {
  readonly calls: readonly {
    readonly subject: string;
    readonly agent: string;
    readonly fate: string;
    readonly reason: string;
    readonly event_id: string;
  }[];
}
const jsonOf = async <T>(args: readonly string[]): Promise<T> => {
  const { stdout, stderr, code } = await piton(home, args);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`);
  return JSON.parse(stdout) as T;
};

describeConfined('a guard that is looked at before it is switched on', () => {
  it('is backtested over what agents did, tried in shadow, then enforced, and taken back', async () => {
    const file = writeGuard();
    const answers = await play(home, CALLS);
    // In shadow it stops nothing.
    expect(answers.filter((answer) => answer.includes('forced'))).toEqual([]);

    const backtest = await jsonOf<Calls & Record<string, number>>(['hooks', 'backtest', 'no-force', '--json']);
    expect(backtest).toMatchObject({
      recorded: CALLS.length,
      looked_at: CALLS.length,
      denied: forced.length,
      denied_ran_without_harm: harmless.length,
      failed: 0,
    });
    expect(backtest.calls.map(({ agent, subject }) => [agent, subject])).toEqual(
      forced.map(({ agent, command }) => [agent, `Bash: ${command}`]),
    );
    expect((await piton(home, ['hooks', 'backtest', 'no-force'])).stdout).toContain(
      `Would have denied ${forced.length} of ${CALLS.length} calls. ${harmless.length} of them succeeded: check them.`,
    );

    const recorded = () => jsonOf<{ shadow: Calls & Record<string, number> }>(['hooks', 'promote', 'no-force', '--json']);
    // It runs after the answer.
    await eventually(async () => (await recorded()).shadow.runs === CALLS.length);
    const record = await recorded();
    expect(record.shadow).toMatchObject({ runs: CALLS.length, denied: forced.length, denied_ran_without_harm: harmless.length });
    expect(record.shadow.calls.map(({ reason }) => reason)).toEqual(forced.map(() => 'pushes are not forced here'));
    expect(readFileSync(file, 'utf8')).toBe(guard('mode: shadow\n'));
    const [first] = record.shadow.calls;
    expect((await piton(home, ['events', 'show', first?.event_id ?? ''])).stdout).toMatch(
      /no-force .*ran after the answer.*returned deny\n +pushes are not forced here/,
    );

    const promoted = await piton(home, ['hooks', 'promote', 'no-force', '--yes']);
    expect(promoted).toMatchObject({ code: 0, stdout: expect.stringContaining(`Would have denied ${forced.length} of ${CALLS.length}`) });
    expect(readFileSync(file, 'utf8')).toBe(guard(''));
    const now = await play(home, CALLS, 100);
    expect(now.map((answer) => answer.includes('pushes are not forced here'))).toEqual(CALLS.map(({ command }) => FORCED.test(command)));

    expect((await piton(home, ['hooks', 'promote', 'no-force', '--shadow', '--yes'])).code).toBe(0);
    expect((await play(home, CALLS.slice(0, 1), 200))[0]).not.toContain('forced');
  }, 120_000);

  it('runs confined in a backtest: it can write nothing and reach nobody', async () => {
    const mark = join(home.work, 'mark');
    await play(home, CALLS.slice(0, 2));
    const script = `#!/bin/sh\ntouch ${mark} && { echo wrote >&2; exit 2; }\nexit 0\n`;
    write(join(home.places.config, 'hooks', 'pre-shell-execution', '10-writes'), script, 0o755);
    const safe = await jsonOf<{ denied: number; ran: number }>(['hooks', 'backtest', '10-writes', '--json']);
    expect([safe.ran, safe.denied, existsSync(mark)]).toEqual([2, 0, false]);
    const open = await jsonOf<{ denied: number }>(['hooks', 'backtest', '10-writes', '--json', '--unsandboxed']);
    expect([open.denied, existsSync(mark)]).toEqual([2, true]);
  });

  it('says of a session where the hooks would decide otherwise now, and what another agent would get', async () => {
    writeGuard();
    await play(home, CALLS);
    writeGuard('');
    const replay = await jsonOf<{ events: { event: string; differs: boolean; was: string; now: string }[] }>([
      'hooks',
      'replay',
      'codex-1',
      '--json',
    ]);
    const codex = CALLS.filter(({ agent }) => agent === 'codex');
    const before = replay.events.filter(({ event }) => event === 'pre_tool_use');
    expect(before.map(({ was, now, differs }) => [was, now, differs])).toEqual(
      codex.map(({ command }) => (FORCED.test(command) ? ['observe', 'deny', true] : ['observe', 'observe', false])),
    );
    const as = await piton(home, ['hooks', 'replay', 'codex-1', '--as', 'gemini', '--hook', 'no-force']);
    expect(as.stdout).toContain('{"decision":"deny","reason":"pushes are not forced here"}');
  });
});

describe('where nothing can confine a hook', () => {
  it('a backtest refuses, and says what to do', async () => {
    writeGuard();
    await play(home, CALLS.slice(0, 1));
    write(join(home.root, 'broken', 'bwrap'), '#!/bin/sh\necho not allowed here >&2\nexit 1\n', 0o755);
    const env = { PATH: `${join(home.root, 'broken')}:${process.env.PATH}` };
    expect(await piton(home, ['hooks', 'backtest', 'no-force'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/not allowed here[\s\S]*--unsandboxed/),
    });
    expect((await piton(home, ['hooks', 'backtest', 'no-force', '--unsandboxed'], { env })).stdout).toContain(
      'Would have denied 1 of 1 call',
    );
  });
});

describe('promote', () => {
  const settings = (mode: string): string =>
    `{\n  // mine\n  "hooks": [\n    { "event": "stop", "command": "true" },\n    {\n      "name": "calm", // the guard\n      "event": "pre_tool_use",\n      "command": "exit 2"${mode}\n    }\n  ]\n}\n`;

  it('edits the settings in place: comments and all else stay', async () => {
    const file = write(join(home.places.config, 'settings.json'), settings(',\n      "mode": "shadow"'));
    expect((await piton(home, ['hooks', 'promote', 'calm', '--yes'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(settings(''));
    expect((await piton(home, ['hooks', 'promote', 'calm', '--shadow', '--yes'])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(settings(',\n      "mode": "shadow"'));
  });

  it('does not suggest an option that does not exist', async () => {
    const program = write(join(home.work, 'guard.sh'), '#!/bin/sh\nexit 2\n', 0o755);
    const { code, stderr } = await piton(home, ['hooks', 'backtest', program]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('hooks test` also accepts --event')]);
    expect(stderr).not.toContain('needs --event');
  });

  it('leaves a file alone that is not UTF-8', async () => {
    const head = '---\ntype: hook\nversion: 1.0.0\nhook_event: pre_tool_use\nhook_action: exit 2\nmode: shadow\n---\n';
    const file = write(join(home.places.config, 'artifacts', 'old', 'ARTIFACT.md'), head);
    const bytes = Buffer.concat([Buffer.from(head), Buffer.from([0x66, 0xfc, 0x72, 0x0a])]);
    writeFileSync(file, bytes);
    expect(await piton(home, ['hooks', 'promote', 'old', '--yes'])).toMatchObject({ code: 1, stderr: expect.stringContaining('UTF-8') });
    expect(readFileSync(file)).toEqual(bytes);
  });

  it('says so where a hook is enforced already, and refuses an executable, which has no mode', async () => {
    write(join(home.places.config, 'settings.json'), settings(''));
    write(join(home.places.config, 'hooks', 'stop', '10-x'), '#!/bin/sh\n', 0o755);
    expect(await piton(home, ['hooks', 'promote', 'calm', '--yes'])).toMatchObject({ code: 0, stdout: expect.stringContaining('already') });
    expect(await piton(home, ['hooks', 'promote', '10-x', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('executable'),
    });
  });

  it('takes no --yes from an agent, in neither direction', async () => {
    const before = settings(',\n      "mode": "shadow"');
    const file = write(join(home.places.config, 'settings.json'), before);
    const env = { PITON_ALLOW_UNDER_AGENT: '', CLAUDECODE: '1' };
    expect(await piton(home, ['hooks', 'promote', 'calm', '--yes'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('under an agent'),
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
    write(file, settings(''));
    expect((await piton(home, ['hooks', 'promote', 'calm', '--shadow', '--yes'], { env })).code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(settings(''));
  });

  it('trusts the new copy of a project’s hook, and refuses one that has changed since it was trusted', async () => {
    const root = join(home.work, 'project');
    write(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    const file = write(
      join(root, '.piton', 'artifacts', 'calm', 'ARTIFACT.md'),
      '---\ntype: hook\nversion: 1.0.0\nhook_event: pre_tool_use\nhook_action: echo project says no >&2; exit 2\nmode: shadow\n---\n',
    );
    const here = { cwd: root };
    expect((await piton(home, ['hooks', 'promote', 'calm', '--yes'], here)).code).toBe(1);
    expect((await piton(home, ['trust', '--all', '--yes'], here)).code).toBe(0);
    expect((await piton(home, ['hooks', 'promote', 'calm', '--yes'], here)).code).toBe(0);
    const call = { session_id: 's', cwd: root, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } };
    expect((await fireAs(home, 'claude', 'PreToolUse', call)).stdout).toContain('project says no');
    write(file, readFileSync(file, 'utf8').replace('says no', 'says yes'));
    const changed = await piton(home, ['hooks', 'promote', 'calm', '--shadow', '--yes'], here);
    expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('piton') });
    expect(readFileSync(file, 'utf8')).not.toContain('mode:');
  });
});
