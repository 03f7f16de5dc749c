import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import { createTestHome, describeConfined, eventually, removeHome, type TestHome } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLI, fireAs, piton, play, write } from './setup.ts';

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

interface Result {
  readonly agent: string;
  readonly ok?: boolean;
  readonly ran: boolean;
  readonly why?: string;
  readonly source?: string;
  readonly payload?: string;
  readonly native_event: string;
  readonly decision: string;
  readonly answer: { readonly stdout: string; readonly stderr: string; readonly exitCode: number };
}
const results = async (...args: string[]): Promise<Result[]> =>
  (JSON.parse((await piton(home, ['hooks', 'test', ...args, '--json'])).stdout) as { results: Result[] }).results;
const hook = (event: string, name: string, script: string): string =>
  write(join(home.places.config, 'hooks', event, name), `#!/bin/sh\n${script}\n`, 0o755);

const FIXTURES = join(import.meta.dirname, '..', '..', 'packages', 'agents', 'src');

it('says a reason once, however many agents are tried, and what an agent gets if it is named', async () => {
  hook('pre-shell-execution', '10-no', 'echo "not on this branch" >&2; exit 2');
  const all = (await piton(home, ['hooks', 'test', '10-no'])).stdout;
  expect(all.match(/^✓ /gm)?.length).toBeGreaterThan(10);
  expect(all.match(/not on this branch/g)).toHaveLength(1);
  const one = (await piton(home, ['hooks', 'test', '10-no', '--agent', 'codex'])).stdout;
  expect(one).toMatch(/agent gets \{.*not on this branch/);
});

describe('hooks test --file', () => {
  const shell = (command: string) => ({
    ...{ session_id: 's', transcript_path: '/nowhere/t.jsonl', cwd: '/home/sam/project', hook_event_name: 'PreToolUse' },
    ...{ tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_01' },
  });
  const file = (name: string, text: string): string => write(join(home.work, name), text, 0o644);
  const guard = (): string => hook('pre-shell-execution', '10-no', 'grep -q "rm -rf" && { echo "not here" >&2; exit 2; }; exit 0');

  it('runs the hook on a payload as an agent sent it, and on nothing else', async () => {
    guard();
    for (const [command, decision] of [
      ['rm -rf build', 'deny'],
      ['ls', 'observe'],
    ] as const) {
      file('payload.json', JSON.stringify(shell(command)));
      const all = await results('10-no', '--file', 'payload.json');
      expect(all.map((one) => [one.agent, one.ran, one.decision, one.payload])).toEqual([['claude', true, decision, 'payload.json']]);
    }
  });

  it('takes every recorded payload of every agent for what it is', async () => {
    hook('pre-shell-execution', '10-no', 'exit 2');
    const recorded = (await results('10-no')).filter(({ ran, source }) => ran && source === 'recorded');
    const payloads = JSON.parse(readFileSync(join(import.meta.dirname, '../../dist/payloads.json'), 'utf8'));
    for (const { agent, payload, native_event } of recorded) {
      const one = payloads[agent].find(({ name }: { name: string }) => name === payload);
      file('payload.json', JSON.stringify(one.payload));
      const [read] = await results('10-no', '--file', 'payload.json', '--agent', agent);
      // Where a payload does not say what it is, it is taken for an event that the hook runs on.
      const isNamed = JSON.stringify(one.payload).includes(JSON.stringify(native_event));
      expect([agent, payload, isNamed ? read?.native_event : native_event, read?.decision]).toEqual([agent, payload, native_event, 'deny']);
    }
    expect(new Set(recorded.map(({ agent }) => agent)).size).toBeGreaterThan(8);
  }, 60_000);

  it('says of a payload that names no event that it names none, and does not guess one', async () => {
    guard();
    file('empty.json', '{}');
    const { code, stderr } = await piton(home, ['hooks', 'test', '10-no', '--file', 'empty.json']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('it names no event');
  });

  it('shows no two rows that look the same: the call of a subagent is named so', async () => {
    hook('pre-shell-execution', '10-no', 'exit 2');
    const { stdout } = await piton(home, ['hooks', 'test', '10-no', '--command', 'rm -rf x']);
    const rows = stdout
      .split('\n')
      .filter((line) => line.startsWith('✓'))
      .map((line) => line.replace(/ +[\d.]+ (?:µs|ms|s)$/, ''));
    expect(rows.length).toBeGreaterThan(15);
    expect([...new Set(rows)]).toEqual(rows);
  });

  it('takes what events show --json prints, and a test case', async () => {
    guard();
    const [claude] = await results('10-no', '--agent', 'gemini', '--command', 'rm -rf x');
    const native = JSON.parse(
      (await piton(home, ['hooks', 'test', '10-no', '--agent', 'gemini', '--command', 'rm -rf x', '--print-payload', '--native'])).stdout,
    );
    const event = { agent: 'gemini', nativeEvent: claude?.native_event, event: 'pre_tool_use', envelope: { payload: native } };
    file('event.json', JSON.stringify(event));
    file(
      'case.json',
      JSON.stringify({
        name: 'c',
        agent: 'gemini',
        event: 'pre_tool_use',
        native_event: claude?.native_event,
        payload: native,
        expect: {},
      }),
    );
    for (const name of ['event.json', 'case.json'])
      expect(
        (await results('10-no', '--file', name)).map((one) => [one.agent, one.decision]),
        name,
      ).toEqual([['gemini', 'deny']]);
  });

  it('reads - from stdin', async () => {
    guard();
    const child = spawn(process.execPath, [CLI, 'hooks', 'test', '10-no', '--file', '-', '--json'], {
      cwd: home.work,
      env: { PATH: process.env.PATH, HOME: home.root, PITON_HOME: home.root, PITON_ALLOW_UNDER_AGENT: '1' },
    });
    child.stdin.end(JSON.stringify(shell('rm -rf /')));
    let out = '';
    child.stdout.on('data', (data) => (out += data));
    await new Promise((resolve) => child.on('close', resolve));
    expect(JSON.parse(out).results[0]).toMatchObject({ agent: 'claude', decision: 'deny', payload: 'stdin' });
  });

  it('prints what the hook would read of it', async () => {
    guard();
    file('payload.json', JSON.stringify(shell('rm -rf build')));
    const { stdout } = await piton(home, ['hooks', 'test', '10-no', '--file', 'payload.json', '--print-payload']);
    expect(JSON.parse(stdout)).toMatchObject({ tool_input: { command: 'rm -rf build' }, piton: { event: 'pre_shell_execution' } });
  });

  it.each([
    ['no JSON', '{"tool_name": "Bash",', 'it is not JSON'],
    ['nothing', ' \n', 'it is empty'],
    ['a list', '[]', 'it is not an object'],
    ['an event that no agent sends', '{"hook_event_name": "NoSuch"}', 'no agent sends NoSuch'],
    ['another event', '{"hook_event_name": "Stop", "session_id": "s", "cwd": "/x"}', 'it is stop, and 10-no runs on pre_shell_execution'],
  ])('says what is wrong with %s', async (_, text, why) => {
    guard();
    file('payload.json', text);
    const said = await piton(home, ['hooks', 'test', '10-no', '--file', 'payload.json']);
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining(why) });
    expect(said.stderr).not.toContain('    at ');
  });

  it('says what is wrong with the path, and with the other options', async () => {
    guard();
    expect(await piton(home, ['hooks', 'test', '10-no', '--file', 'none.json'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('none.json'),
    });
    expect(await piton(home, ['hooks', 'test', '10-no', '--file', '.'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('directory'),
    });
    expect(await piton(home, ['hooks', 'test', '10-no', '--file', 'a', '--command', 'ls'])).toMatchObject({ code: 2 });
  });
});

describe('hooks test', () => {
  it('runs a hook on what each agent really sends of its event, and on no other', async () => {
    hook('pre-shell-execution', '10-no', 'echo "not $PITON_AGENT" >&2; exit 2');
    const all = await results('10-no');
    expect(new Set(all.map(({ agent }) => agent))).toEqual(new Set(AGENTS.map(({ id }) => id)));
    for (const { agent, ran, decision, answer } of all.filter((one) => one.ran)) {
      expect([agent, ran, decision]).toEqual([agent, true, 'deny']);
      expect(answer.stdout).toContain(`not ${agent}`);
    }
    expect(all.filter(({ ran }) => ran).length).toBeGreaterThanOrEqual(AGENTS.length);
  });

  it('gives byte for byte what the forwarder gives to the agent', async () => {
    hook('pre-tool-use', '10-no', 'echo "no: \\"quoted\\", ü" >&2; exit 2');
    const recorded = (await results('10-no', '--all')).filter(
      ({ ran, source, agent }) => ran && source === 'recorded' && !PLUGINS.has(agent),
    );
    const agents = new Map(recorded.map((one) => [one.agent, one]));
    expect([...agents.keys()]).toEqual(expect.arrayContaining(['claude', 'codex', 'gemini', 'qwen', 'copilot', 'droid', 'cline']));
    for (const { agent, payload, native_event, answer } of agents.values()) {
      const { stdin } = JSON.parse(readFileSync(join(FIXTURES, agent, 'fixtures', 'recorded', `${payload}.json`), 'utf8'));
      const place = JSON.parse(JSON.stringify(stdin).replaceAll('$REPO', home.work));
      const fired = await fireAs(home, agent, native_event, place);
      expect([agent, fired.stdout, fired.stderr, fired.code]).toEqual([agent, answer.stdout, answer.stderr, answer.exitCode]);
    }
  }, 120_000);

  it('fails where the hook fails, and not where it says nothing', async () => {
    hook('stop', '10-breaks', 'echo "jq: not found" >&2; exit 127');
    hook('stop', '20-silent', 'exit 0');
    const broken = await piton(home, ['hooks', 'test', '10-breaks', '--agent', 'claude']);
    expect(broken).toMatchObject({ code: 1, stdout: expect.stringContaining('jq: not found') });
    expect((await piton(home, ['hooks', 'test', '20-silent', '--agent', 'claude'])).code).toBe(0);
  });

  it('keeps a module loaded from payload to payload, as the server does', async () => {
    const module = `import { appendFileSync } from 'node:fs';
      const note = (line) => appendFileSync('${home.root}/seen', line + '\\n');
      note('loaded');
      export default () => note('ran');`;
    write(join(home.work, 'note.mjs'), module, 0o644);
    const settings = { hooks: [{ name: 'note', event: 'stop', module: join(home.work, 'note.mjs') }] };
    write(join(home.places.config, 'settings.json'), JSON.stringify(settings), 0o644);
    const ran = (await results('note')).filter((one) => one.ran);
    const seen = readFileSync(join(home.root, 'seen'), 'utf8').trimEnd().split('\n');
    expect(ran.length).toBeGreaterThan(5);
    expect(seen).toEqual(['loaded', ...ran.map(() => 'ran')]);
  });

  it('does no harm: the hook stands in a repository that is made for it, where the file of the event is', async () => {
    write(join(home.work, 'kept.txt'), 'mine');
    hook(
      'post-file-edit',
      '10-rough',
      `git rev-parse --show-toplevel; test -f "$PITON_TOOL_FILES" && cp "$PITON_TOOL_FILES" '${home.root}/seen'; pwd > '${home.root}/where'; echo x >> "$HOME/my.log"; rm -rf ./*`,
    );
    expect((await piton(home, ['hooks', 'test', '10-rough', '--agent', 'claude'])).code).toBe(0);
    expect(readFileSync(join(home.work, 'kept.txt'), 'utf8')).toBe('mine');
    expect(existsSync(join(home.root, 'seen'))).toBe(true);
    // A logger's line is not written into a real log.
    expect(existsSync(join(home.root, 'my.log'))).toBe(false);
    expect(existsSync(readFileSync(join(home.root, 'where'), 'utf8').trim())).toBe(false);
    await piton(home, ['hooks', 'test', '10-rough', '--agent', 'claude', '--here']);
    expect(existsSync(join(home.work, 'kept.txt'))).toBe(false);
    expect(existsSync(join(home.root, 'my.log'))).toBe(true);
  });

  it('takes an executable by its path, and runs what lies in a project before anybody trusts it', async () => {
    const loose = write(join(home.work, 'guard.sh'), '#!/bin/sh\nexit 2\n', 0o755);
    expect((await piton(home, ['hooks', 'test', loose])).stderr).toContain('--event');
    expect((await results('./guard.sh', '--event', 'pre-tool-use', '--agent', 'codex'))[0]).toMatchObject({ decision: 'deny' });
    write(join(home.work, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    write(join(home.work, '.piton', 'hooks', 'stop', '10-new'), '#!/bin/sh\necho go on >&2; exit 2\n', 0o755);
    expect((await results('10-new', '--agent', 'claude'))[0]).toMatchObject({ ran: true, decision: 'continue' });
  });

  it('says of an agent why nothing of it fits', async () => {
    const settings = {
      hooks: [
        { name: 'narrow', event: 'pre_tool_use', matcher: 'NoSuchTool', command: 'true' },
        { name: 'ours', event: 'stop', command: 'true', target_harnesses: ['codex'] },
      ],
    };
    write(join(home.places.config, 'settings.json'), JSON.stringify(settings));
    const narrow = await piton(home, ['hooks', 'test', 'narrow', '--agent', 'claude']);
    expect(narrow).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/none of its \d+ payloads of pre_tool_use matches the matcher NoSuchTool/),
    });
    expect((await results('ours', '--agent', 'claude,codex')).map(({ agent, why }) => [agent, why])).toEqual([
      ['claude', 'not among its target_harnesses'],
      ['codex', undefined],
    ]);
  });

  it('accepts a command, as each agent would report it', async () => {
    hook('pre-shell-execution', '10-no-rm', 'case "$PITON_TOOL_COMMAND" in "rm -rf ~") exit 2;; esac');
    const all = (await results('10-no-rm', '--command', 'rm -rf ~')).filter(({ ran }) => ran);
    expect(new Set(all.map(({ agent }) => agent)).size).toBeGreaterThanOrEqual(10);
    expect(new Set(all.map(({ decision }) => decision))).toEqual(new Set(['deny']));
  });

  it('prints what the hook would read, or what the agent sends', async () => {
    hook('pre-shell-execution', '10-no', 'exit 2');
    const portable = JSON.parse((await piton(home, ['hooks', 'test', '10-no', '--agent', 'gemini', '--print-payload'])).stdout);
    expect(portable).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      cwd: home.work,
      piton: { agent: 'gemini', event: 'pre_shell_execution', tool: { kind: 'shell' } },
    });
    const native = JSON.parse((await piton(home, ['hooks', 'test', '10-no', '--agent', 'gemini', '--print-payload', '--native'])).stdout);
    expect(native).toMatchObject({ hook_event_name: 'BeforeTool', tool_name: 'run_shell_command' });
  });

  it('steers no terminal with what a hook writes', async () => {
    hook('pre-shell-execution', '10-steers', "printf '\\033[2J\\033]0;owned\\007' >&2; exit 2");
    expect((await piton(home, ['hooks', 'test', '10-steers', '--agent', 'claude'])).stdout).not.toContain('\u001b');
  });
});

/** Those take their answer inside the agent: no forwarder prints it. */
const PLUGINS = new Set(['opencode', 'kilo', 'pi']);

describe('cases of a hook', () => {
  const rm = (command: string, decision: string, more: object = {}): object => ({
    name: command,
    agent: 'claude',
    event: 'pre_tool_use',
    native_event: 'PreToolUse',
    payload: { session_id: 's', cwd: '/somewhere/project', tool_name: 'Bash', tool_input: { command } },
    expect: { decision, ...more },
  });
  const layArtifact = (...cases: object[]): string => {
    const folder = join(home.places.config, 'artifacts', 'no-rm');
    write(
      join(folder, 'ARTIFACT.md'),
      '---\ntype: hook\nversion: 1.0.0\nhook_event: pre_shell_execution\nhook_action: |\n  case "$PITON_TOOL_COMMAND" in *"rm -rf"*) echo "$PITON_CWD stays" >&2; exit 2;; esac\n---\n',
    );
    write(join(folder, 'tests', 'cases.json'), JSON.stringify(cases));
    return folder;
  };

  it('are run with the hook, and one that does not come out as expected fails the run', async () => {
    layArtifact(rm('rm -rf /', 'deny', { reason_matches: '^/somewhere/project stays$' }), rm('ls', 'observe'));
    expect(await piton(home, ['hooks', 'test', 'no-rm', '--agent', 'claude'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 test cases: all passed'),
    });
    layArtifact(rm('rm -r -f /', 'deny'), rm('ls', 'observe'));
    expect(await piton(home, ['hooks', 'test', 'no-rm', '--agent', 'claude'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('expected deny, got observe'),
    });
  });

  it('by the path of one file run alone; one that cannot be read is named with its file', async () => {
    const folder = layArtifact(rm('ls', 'deny'));
    const one = write(join(home.work, 'one.json'), JSON.stringify(rm('rm -rf x', 'deny')));
    const alone = await piton(home, ['hooks', 'test', folder, '--case', one, '--json']);
    expect(alone.code).toBe(0);
    expect(JSON.parse(alone.stdout).results).toMatchObject([{ case: 'rm -rf x', ok: true, decision: 'deny' }]);
    write(one, '{ "name": "x" }');
    expect(await piton(home, ['hooks', 'test', folder, '--case', one])).toMatchObject({ code: 1, stderr: expect.stringContaining(one) });
  });

  it('are made of a recorded session, with what was decided then, and without its secrets', async () => {
    layArtifact();
    rmSync(join(home.places.config, 'artifacts', 'no-rm', 'tests'), { recursive: true });
    const secret = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`;
    await play(home, [
      { agent: 'codex', command: 'rm -rf build', ends: 'never' },
      { agent: 'codex', command: `TOKEN=${secret} ls`, ends: 'well' },
    ]);
    const recorded = await piton(home, ['hooks', 'record', 'codex-1', '--out', 'cases', '--event', 'pre_tool_use']);
    expect(recorded).toMatchObject({ code: 0, stdout: expect.stringContaining('2 cases') });
    const files = readdirSync(join(home.work, 'cases')).sort();
    const cases = files.map((file) => JSON.parse(readFileSync(join(home.work, 'cases', file), 'utf8')));
    expect(cases).toMatchObject([
      {
        agent: 'codex',
        event: 'pre_tool_use',
        native_event: 'PreToolUse',
        payload: { tool_input: { command: 'rm -rf build' } },
        expect: { decision: 'deny' },
      },
      { expect: { decision: 'observe' } },
    ]);
    expect(JSON.stringify(cases)).not.toContain(secret);
    expect((await piton(home, ['hooks', 'test', 'no-rm', '--case', 'cases'])).code).toBe(0);
    expect((await piton(home, ['hooks', 'record', 'codex-1', '--out', 'cases'])).code).toBe(1);
    write(join(home.work, 'a-file'), '');
    expect((await piton(home, ['hooks', 'record', 'codex-1', '--out', 'a-file'])).stderr).toMatch(/^error: that is a file, not a folder/);
    expect((await piton(home, ['hooks', 'record', 'codex-1', '--out', 'two words'])).stdout).toMatch(/--case '.*two words'/);
  });
});

describe('hooks test --watch', () => {
  it('runs again when a file of the hook changes, and Ctrl-C ends it cleanly', async () => {
    const path = hook('stop', '10-x', 'exit 0');
    const env = { PATH: process.env.PATH, HOME: home.root, PITON_HOME: home.root };
    const child = spawn(process.execPath, [CLI, 'hooks', 'test', '10-x', '--agent', 'claude', '--watch'], { cwd: home.work, env });
    let said = '';
    child.stdout.on('data', (data) => (said += data));
    const ended = new Promise((resolve) => child.on('close', resolve));
    await eventually(() => said.includes('Waiting'));
    expect(said).toContain('all passed');
    write(path, '#!/bin/sh\nexit 9\n', 0o755);
    await eventually(() => said.includes('1 failed'));
    expect(said).toContain('1 failed');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});

describeConfined('a confined hook under test', () => {
  it('keeps to its own profile', async () => {
    const folder = join(home.places.config, 'artifacts', 'calm');
    write(
      join(folder, 'ARTIFACT.md'),
      '---\ntype: hook\nversion: 1.0.0\nhook_event: stop\nsandbox_profile: read-only\nhook_action: touch x 2>/dev/null && { echo wrote >&2; exit 2; }; exit 0\n---\n',
    );
    expect((await results('calm', '--agent', 'claude')).map(({ decision }) => decision)).toEqual(expect.not.arrayContaining(['continue']));
    write(join(folder, 'ARTIFACT.md'), readFileSync(join(folder, 'ARTIFACT.md'), 'utf8').replace('read-only', 'none'));
    expect((await results('calm', '--agent', 'claude'))[0]).toMatchObject({ decision: 'continue' });
  });
});
