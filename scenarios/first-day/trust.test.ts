import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claude, fire } from './payloads.ts';
import { CLI, type Sandbox, sandbox } from './sandbox.ts';

const GUARD = '#!/bin/sh\ncase "$PITON_TOOL_COMMAND" in *forbidden*) echo "not in this project" >&2; exit 2 ;; esac\n';
const ID = 'project:pre-tool-use/10-guard';

let box: Sandbox;
let repository: string;
let guard: string;
beforeEach(async () => {
  box = sandbox();
  repository = box.repository();
  guard = box.write(join(repository, '.piton/hooks/pre-tool-use/10-guard'), GUARD, 0o755);
  mkdirSync(join(box.home, '.claude'));
});
afterEach(() => box.end());

const tryForbidden = (): Promise<string> => fire(box, claude.shell('s1', repository, 'do the forbidden thing'));

describe('piton trust', () => {
  it('is offered by init, which with --yes trusts nothing', async () => {
    const said = await box.piton(['init', '--yes'], { cwd: repository });
    expect(said.stdout).toContain(ID);
    expect(said.stdout).toContain('piton trust');
    expect(await tryForbidden()).toBe('{}');
  });

  it('shows what would run, lets it run, and takes it back', async () => {
    await box.piton(['init'], { cwd: repository });
    expect(await tryForbidden()).toBe('{}');
    const said = await box.piton(['trust', '10-guard', '--yes'], { cwd: repository });
    expect(said).toMatchObject({ code: 0, stderr: '' });
    expect(said.stdout).toContain('not in this project');
    expect(said.stdout).toContain(`${ID} is trusted`);
    expect(await tryForbidden()).toContain('not in this project');

    expect((await box.piton(['untrust', ID, '--yes'], { cwd: repository })).code).toBe(0);
    expect(await tryForbidden()).toBe('{}');
  });

  it('gives permissions to hooks that are trusted already, and keeps them when the hook changes', async () => {
    const allows = '#!/bin/sh\necho \'{"decision":"allow"}\'\n';
    box.write(guard, allows, 0o755);
    await box.piton(['init'], { cwd: repository });
    await box.piton(['trust', '--all', '--yes'], { cwd: repository });
    expect(await tryForbidden()).toBe('{}');
    const [event] = await box.json<{ eventId: string }[]>(['events', '--event', 'pre_tool_use']);
    expect((await box.piton(['events', 'show', event?.eventId as string])).stdout).toContain(
      'which it is not permitted: piton trust --may allow',
    );

    const given = await box.piton(['trust', '--may', 'allow', '--all', '--yes'], { cwd: repository });
    expect(given.stdout).toContain(`${ID} is trusted, and may allow\n`);
    expect(await tryForbidden()).toContain('"allow"');
    expect((await box.piton(['trust', '--may', 'allow', '--all', '--yes'], { cwd: repository })).stdout).toMatch(/nothing to do/i);

    box.write(guard, `${allows}exit 0\n`, 0o755);
    const again = await box.piton(['trust', '--all', '--yes'], { cwd: repository });
    expect(again.stdout).toContain('may allow as before');
    expect(await tryForbidden()).toContain('"allow"');
  });

  it('distinguishes a changed hook, whose trusted copy runs, from one that does not run', async () => {
    await box.piton(['init'], { cwd: repository });
    await box.piton(['trust', '--all', '--yes'], { cwd: repository });
    box.write(guard, `${GUARD}exit 0\n`, 0o755);
    const init = await box.piton(['init', '--yes'], { cwd: repository });
    expect(init.stdout).toContain('the trusted copy runs');
    expect(init.stdout).not.toContain('not run');
    expect((await box.piton(['status'], { cwd: repository })).stdout).toMatch(/! hooks +1 active here, 1 changed/);
  });

  it('--list shows what is trusted in every project, since when, with which permissions, and whether it changed', async () => {
    expect((await box.piton(['trust', '--list'])).stdout).toBe('No project hooks are trusted.\n');
    await box.piton(['init'], { cwd: repository });
    const other = box.repository('other');
    for (const [root, name] of [
      [repository, '20-gone'],
      [other, 'allows'],
    ] as const)
      box.write(join(root, '.piton/hooks/pre-tool-use', name), '#!/bin/sh\n', 0o755);
    await box.piton(['trust', '--all', '--yes'], { cwd: repository });
    await box.piton(['trust', '--all', '--yes', '--may', 'allow'], { cwd: other });
    box.write(guard, `${GUARD}exit 0\n`, 0o755);
    rmSync(join(repository, '.piton/hooks/pre-tool-use/20-gone'));

    interface Row {
      readonly root: string;
      readonly id: string;
      readonly since: string;
      readonly may: readonly string[];
      readonly state: string;
    }
    const rows = await box.json<Row[]>(['trust', '--list'], { cwd: box.home });
    expect(rows.map(({ root, id, may, state }) => [root, id, may.join(), state]).sort()).toEqual(
      [
        [repository, ID, '', 'changed'],
        [repository, 'project:pre-tool-use/20-gone', '', 'source gone'],
        [other, 'project:pre-tool-use/allows', 'allow', 'as trusted'],
      ].sort(),
    );
    for (const { since } of rows) expect(Date.now() - Date.parse(since)).toBeLessThan(600_000);
    const { stdout } = await box.piton(['trust', '--list'], { env: { CLAUDECODE: '1', PITON_ALLOW_UNDER_AGENT: undefined } });
    expect(stdout).toMatch(/project:pre-tool-use\/allows +pre_tool_use +\S.* ago +allow +as trusted +\S+other\n/);
    expect((await box.piton(['trust', '--list', '--yes'])).stderr).toContain('--list takes no hooks');

    rmSync(other, { recursive: true });
    expect(await box.json<Row[]>(['trust', '--list'])).toContainEqual(expect.objectContaining({ root: other, state: 'project gone' }));
  });

  it('fails for a name where nothing is trusted', async () => {
    await box.piton(['init'], { cwd: repository });
    expect((await box.piton(['untrust', 'nope', '--yes'], { cwd: repository })).code).toBe(1);
  });

  it('keeps the trusted copy running when the source is changed, and shows the difference', async () => {
    await box.piton(['init'], { cwd: repository });
    await box.piton(['trust', '--all', '--yes'], { cwd: repository });
    box.write(guard, GUARD.replace('exit 2', 'exit 0'), 0o755);
    expect(await tryForbidden()).toContain('not in this project');
    const list = await box.json<{ id: string; trusted: string }[]>(['trust'], { cwd: repository });
    expect(list).toEqual([expect.objectContaining({ id: ID, trusted: 'changed' })]);
    const said = await box.piton(['trust'], { cwd: repository });
    expect(said.code).toBe(1);
    expect(said.stdout).toMatch(/- .*exit 2/);
    expect(said.stdout).toMatch(/\+ .*exit 0/);
    expect(await tryForbidden()).toContain('not in this project');
    await box.piton(['trust', ID, '--yes'], { cwd: repository });
    expect(await tryForbidden()).toBe('{}');
  });

  it('never asks without a terminal, and never takes silence for a yes', async () => {
    await box.piton(['init'], { cwd: repository });
    const said = await box.piton(['trust', '10-guard'], { cwd: repository, input: 'y\n' });
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('--yes');
    expect(await tryForbidden()).toBe('{}');
  });

  it.skipIf(spawnSync('script', ['--version']).status !== 0)('asks on a terminal, and takes a yes there', async () => {
    await box.piton(['init'], { cwd: repository });
    const line = `"${process.execPath}" "${CLI}" trust`;
    const said = spawnSync('script', ['-qec', line, '/dev/null'], {
      cwd: repository,
      env: { ...box.env, TERM: 'xterm' },
      input: 'y\n',
      encoding: 'utf8',
    });
    expect(said.stdout).toContain('Trust it? [y/N]');
    expect(said.stdout).toContain('\u001b[');
    expect(await tryForbidden()).toContain('not in this project');
  });

  it('shows a name that would steer the terminal as what it is', async () => {
    box.write(
      join(repository, '.piton/hooks/pre-tool-use/20-x\u001b[2J\u001b]0;t\u0007\n✓ all is well'),
      '#!/bin/sh\necho \u001b]0;./hidden;echo \u0007 "\u001b[31mno" >&2; exit 7\n',
      0o755,
    );
    const shown: unknown[] = [];
    const see = async (...args: string[]) => shown.push(...Object.values(await box.piton(args, { cwd: repository })));
    await see('init', '--yes');
    await see('trust');
    await see('trust', '--all', '--yes');
    await tryForbidden();
    await see('doctor');
    await see('untrust', '--all', '--yes');
    expect(shown.join('')).toContain('20-x');
    expect(shown.join('')).toContain(';./hidden;');
    expect(shown.join('')).not.toMatch(/[\u001b\u0007]|^✓ all is well/m);
  });

  it('requires names without a terminal', async () => {
    const said = await box.piton(['trust', '--yes'], { cwd: repository });
    expect(said.code).toBe(2);
    expect(said.stderr).toContain('--all');
  });

  it('names the hooks that there are when it is given another name', async () => {
    const said = await box.piton(['trust', '10-gaurd', '--yes'], { cwd: repository });
    expect(said.code).toBe(1);
    expect(said.stderr).toContain(ID);
  });

  it('does not trust what cannot run, and says why', async () => {
    box.write(guard, GUARD, 0o644);
    execFileSync('chmod', ['644', guard]);
    const said = await box.piton(['trust', '10-guard', '--yes'], { cwd: repository });
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('not trusted');
  });
});

describe('under an agent', () => {
  const lines = (): string[][] => [
    ['trust', '--all', '--yes'],
    ['untrust', '--all', '--yes'],
    ['uninstall', '--yes'],
    ['settings', 'set', 'hooks_enabled', 'false', '--yes'],
  ];

  it('--yes does not count for any command that guards agents', async () => {
    await box.piton(['init'], { cwd: repository });
    await box.piton(['trust', '--all', '--yes'], { cwd: repository });
    for (const line of lines()) {
      const said = await box.piton(line, { cwd: repository, env: { PITON_ALLOW_UNDER_AGENT: undefined, CLAUDECODE: '1' } });
      expect([line, said.code === 1 || /nothing to do/i.test(said.stdout)]).toEqual([line, true]);
    }
    expect(await tryForbidden()).toContain('not in this project');
    expect(box.read(box.settings)).toContain('piton-forward');
  });

  it('--yes does not count below a process that is an agent, though it cleared its traces', async () => {
    await box.piton(['init'], { cwd: repository });
    mkdirSync(join(box.home, 'bin'));
    const agent = join(box.home, 'bin', 'claude');
    copyFileSync('/bin/sh', agent);
    execFileSync('chmod', ['755', agent]);
    const { PITON_ALLOW_UNDER_AGENT: _, ...env } = box.env;
    // The second command keeps the shell from replacing itself by the first.
    const said = spawnSync(agent, ['-c', '"$@"; exit $?', 'sh', process.execPath, CLI, 'trust', '--all', '--yes'], {
      cwd: repository,
      env,
      encoding: 'utf8',
    });
    expect(said.status).toBe(1);
    expect(said.stderr).toMatch(/parent process \d+ is claude/);
  });
});
