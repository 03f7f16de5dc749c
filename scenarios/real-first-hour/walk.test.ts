import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  agentCommand,
  baseEnvironment,
  bash,
  COMMAND,
  claudeDriver,
  claudeSettings,
  describeReal,
  eventually,
  type Facts,
  MODEL_URL,
  runAgent,
  runPitonSync,
  talk,
  type Workspace,
} from '@piton/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareScreen } from '../first-hour/screens.ts';
import { newTerminal, type Terminal, useTerminal } from '../first-hour/terminal.ts';
import { newStage, removeRoom } from '../real-agents/setup.ts';

const BEFORE = 'export const total = 1;\n';
const HOOK = `#!/bin/sh
# The call is on standard input, whole, as JSON. Exit 2 denies, and the model reads why.
if grep -q 'push.*--force'; then
  echo "Do not force-push. Open a pull request." >&2
  exit 2
fi
`;

/** The first hour with the real agent in it: a person types, and Claude Code runs in the same terminal. Only its model is scripted. */
describeReal('claude', 'the first hour, in a terminal of 80 columns', () => {
  let workspace: Workspace;
  let terminal: Terminal;
  let ended: Promise<Facts>;
  let settings: string;
  const end = (): string => join(workspace.state, 'end');
  const env = (): Record<string, string> => ({
    ...baseEnvironment(workspace),
    ...claudeDriver.env(MODEL_URL),
    PATH: `${join(workspace.home, '.local/bin')}:${join(workspace.state, 'bin')}:${baseEnvironment(workspace).PATH}`,
    ...{ TERM: 'screen', PAGER: 'cat', TZ: 'UTC' },
  });

  beforeAll(async () => {
    workspace = newStage(claudeDriver);
    mkdirSync(join(workspace.state, 'bin'));
    workspace.writeProgram(join(workspace.state, 'bin/piton'), `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`);
    symlinkSync(agentCommand(claudeDriver.pinned), join(workspace.state, 'bin/claude'));
    writeFileSync(join(workspace.repo, 'cart.ts'), BEFORE);
    settings = readFileSync(claudeSettings(workspace), 'utf8');
    const socket = join(workspace.root, 'tmux');
    // The terminal is where the model is: in the namespaces of the run.
    const words = newTerminal(socket).map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    const held = `tmux ${words.join(' ')} && while [ ! -e '${end()}' ]; do sleep 0.1; done`;
    ended = runAgent({ ...claudeDriver, command: () => ['sh', '-c', held] }, workspace, {
      script: talk(
        bash('git push --force origin main'),
        { calls: [{ name: 'Read', input: { file_path: join(workspace.repo, 'cart.ts') } }] },
        { calls: [{ name: 'Write', input: { file_path: join(workspace.repo, 'cart.ts'), content: 'export const total = 2;\n' } }] },
        { text: 'Force-pushing is not allowed here, so I changed cart.ts only.' },
      ),
      env: env(),
      limitMs: 280_000,
    });
    await eventually(() => existsSync(socket));
    terminal = await useTerminal(socket, workspace.repo, env());
  });
  afterAll(async () => {
    writeFileSync(end(), '');
    await ended;
    removeRoom(workspace);
  });

  /** Looked at by a person when it was recorded. */
  const expectScreen = (name: string, screen: string): void => {
    const { shown, recorded } = compareScreen(`real-${name}`, workspace.root, screen);
    expect(shown).toBe(recorded);
  };

  test('init finds Claude Code, names everything and asks once', async () => {
    expectScreen('start', await terminal.type('piton'));
    await terminal.clear();
    const asked = await terminal.type('piton init --link', /\[y\/N\]/);
    expectScreen('init', asked);
    const done = await terminal.type('y');
    expectScreen('init-done', done);
    expect(done).toContain('Done:');
    await terminal.clear();
  });

  test('a hook of ten seconds is tried and trusted', async () => {
    const hook = join(workspace.repo, '.piton/hooks/pre-shell-execution/10-no-force-push');
    mkdirSync(dirname(hook), { recursive: true });
    workspace.writeProgram(hook, HOOK);
    expectScreen('hooks-test', await terminal.type("piton hooks test 10-no-force-push --agent claude --command 'git push --force'"));
    await terminal.clear();
    const asked = await terminal.type('piton trust', /\[y\/N\]/);
    expect(asked).toContain('Do not force-push');
    expect(await terminal.type('y')).toContain('is trusted');
    await terminal.clear();
  });

  test('the real agent is denied, reads why, and goes on', async () => {
    const screen = await terminal.type("claude -p 'Ship the new cart' --model claude-sonnet-4-5", /changed cart\.ts only\.\n\$$/);
    expectScreen('claude', screen);
    expect(readFileSync(join(workspace.repo, 'cart.ts'), 'utf8')).toBe('export const total = 2;\n');
    const stored = (): string => runPitonSync(['events', '--json'], { cwd: workspace.repo, env: env() }).stdout;
    await eventually(() => stored().includes('"session_end"'));
    await terminal.clear();
    const events = await terminal.type('piton events');
    // How much of a text fits depends on how long the ids are: no two runs have the same.
    expect(events).toMatch(/claude +Bash: git push\S* .*denied by 10-no-force/);
    expect(events).toContain('  ↳ Do not force-push. Open a pull request.');
    expect(events).toMatch(/claude +Write: cart\.ts +ran +01/);
    expect(Math.max(...events.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    await terminal.clear();
    const why = (await terminal.type('piton hooks explain')).replace(/\s+/g, ' ');
    expect(why).toContain('Decision: deny, by project:pre-shell-execution/10-no-force-push. “Do not force-push. Open a pull request.”');
    expect(why).toContain('Claude Code got deny.');
    await terminal.clear();
  });

  test('rewind takes the turn back, and export tells of it', async () => {
    const asked = await terminal.type('piton rewind', /\[y\/N\]/);
    expectScreen('rewind', asked);
    expectScreen('rewind-done', await terminal.type('y'));
    expect(readFileSync(join(workspace.repo, 'cart.ts'), 'utf8')).toBe(BEFORE);
    await terminal.clear();
    const [session] = JSON.parse(runPitonSync(['sessions', '--json'], { cwd: workspace.repo, env: env() }).stdout) as { id: string }[];
    await terminal.type(`piton export ${session?.id} --out report.md`);
    const report = readFileSync(join(workspace.repo, 'report.md'), 'utf8');
    expect(report).toContain('Ship the new cart');
    expect(report).toContain('denied, Do not force-push');
    await terminal.clear();
  });

  test('uninstall gives the settings back byte for byte', async () => {
    const asked = await terminal.type('piton uninstall', /\[y\/N\]/);
    expectScreen('uninstall', asked);
    expectScreen('uninstall-done', await terminal.type('y', /What stays:[\s\S]*\n\$$/));
    expect(readFileSync(claudeSettings(workspace), 'utf8')).toBe(settings);
  });

  test('what the model read is what the hook said', async () => {
    writeFileSync(end(), '');
    const { toolResults } = await ended;
    expect(toolResults[0]).toMatchObject({ failed: true, text: expect.stringContaining('Do not force-push') });
    expect(toolResults.map(({ failed }) => failed)).toEqual([true, false, false]);
  });
});
