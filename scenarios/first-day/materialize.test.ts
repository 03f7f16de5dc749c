import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
let project: string;
beforeEach(() => {
  box = sandbox();
  project = box.repository();
});
afterEach(() => box.end());

/** An artifact with a bundled script, in a folder of its own. */
function artifact(name: string, fields = 'hook_event: pre_shell_execution'): string {
  const folder = join(box.home, 'artifacts', name);
  const head = `type: hook\nname: ${name}\nversion: 1.0.0\ndescription: Denies what should not be done here.\n${fields}\nhook_action: scripts/check.sh`;
  box.write(join(folder, 'ARTIFACT.md'), `---\n${head}\n---\n`);
  box.write(join(folder, 'scripts', 'check.sh'), '#!/bin/sh\ncat > /dev/null\n', 0o755);
  box.write(join(folder, 'scripts', 'words.txt'), 'some words\n', 0o640);
  return folder;
}
const piton = (...args: string[]) => box.piton(['materialize', ...args], { cwd: project });
const settings = (): string => join(project, '.claude', 'settings.json');
const OWN = '{\n  // mine\n  "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "mine" }] }] }\n}\n';

describe('piton materialize', () => {
  it('writes a hook into the configuration of an agent, with its scripts, and says what is lost', async () => {
    const said = await piton(artifact('guard'), '--agent', 'claude');
    expect(said).toMatchObject({ code: 0, stderr: '' });
    expect(said.stdout).toMatch(/guard +Claude Code +written +PreToolUse/);
    expect(said.stdout).toContain('differences from running under Piton');
    const folder = join(project, '.claude', 'piton-hooks', 'guard');
    const mode = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8);
    expect(mode('run.sh')).toBe('755');
    expect(mode('artifact/scripts/check.sh')).toBe('755');
    expect(mode('artifact/scripts/words.txt')).toBe('640');
    expect(box.read(settings())).toContain('.claude/piton-hooks/guard/run.sh PreToolUse');
  });

  it.each(['cursor', 'copilot', 'vscode'])('writes a new file of %s as a person would, and removes it again', async (agent) => {
    const folder = artifact('guard');
    box.write(join(folder, 'scripts', 'fixed.txt'), 'never changes\n', 0o400);
    await piton(folder, '--agent', agent);
    const [file = ''] = readdirSync(project, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.json') && !path.startsWith('.git/'),
    );
    const text = box.read(join(project, file));
    expect(text.split('\n').map((line) => line.trimEnd())).toEqual(
      expect.arrayContaining(['{', '  "version": 1,', '  "hooks": {', '  }', '}']),
    );
    const copies = readdirSync(project, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('fixed.txt'));
    expect(copies.map((path) => (statSync(join(project, path)).mode & 0o777).toString(8))).toEqual(['600']);
    await piton('--remove', folder, '--agent', agent);
    expect(existsSync(join(project, file))).toBe(false);
  });

  it('removes what an older version of Piton wrote on one line', async () => {
    const folder = artifact('guard');
    await piton(folder, '--agent', 'cursor');
    const file = join(project, '.cursor/hooks.json');
    box.write(file, box.read(file).replace(/"version": 1, \n {2}/, '"version": 1,  '));
    expect(box.read(file)).toContain('"version": 1,  "hooks"');
    await piton('--remove', folder, '--agent', 'cursor');
    expect(existsSync(file)).toBe(false);
  });

  it('leaves the entries of others as they are, changes nothing the second time, and gives the file back', async () => {
    box.write(settings(), OWN);
    const [first, second] = [artifact('first'), artifact('second', 'hook_event: stop')];
    await piton(first, second, '--agent', 'claude,codex');
    const written = box.read(settings());
    expect(written).toContain('"command": "mine"');
    const again = await piton(first, second, '--agent', 'claude,codex');
    expect(again.stdout.match(/ unchanged /g)).toHaveLength(4);
    expect(box.read(settings())).toBe(written);

    await piton('--remove', first, '--agent', 'claude,codex');
    expect(box.read(settings())).toContain('piton-hooks/second');
    expect(box.read(settings())).not.toContain('piton-hooks/first');
    await piton('--remove', second, '--agent', 'claude,codex');
    expect(box.read(settings())).toBe(OWN);
    expect(readdirSync(join(project, '.claude'))).toEqual(['settings.json']);
    expect(existsSync(join(project, '.codex'))).toBe(false);
  });

  it('neither writes nor takes out under an agent, and shows what it would do', async () => {
    const guard = artifact('guard');
    await piton(guard, '--agent', 'claude');
    const written = box.read(settings());
    const under = { cwd: project, env: { PITON_ALLOW_UNDER_AGENT: undefined, CLAUDECODE: '1' } };
    for (const line of [
      [guard, '--agent', 'claude,gemini', '--yes'],
      ['guard', '--agent', 'claude', '--remove', '--json'],
    ]) {
      const said = await box.piton(['materialize', ...line], under);
      expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('under an agent (CLAUDECODE is set)') });
    }
    expect(box.read(settings())).toBe(written);
    expect(existsSync(join(project, '.gemini'))).toBe(false);
    expect(await box.piton(['materialize', guard, '--agent', 'gemini', '--dry-run'], under)).toMatchObject({ code: 0 });
  });

  it('removes by its name what came from an artifact that is gone', async () => {
    const folder = artifact('guard');
    await piton(folder, '--all');
    rmSync(folder, { recursive: true });
    const said = await piton('guard', '--all', '--remove');
    expect(said.code).toBe(0);
    expect(readdirSync(project)).toEqual(['.git']);
  });

  it('takes away what a newer version of the artifact no longer has', async () => {
    const folder = artifact('guard');
    await piton(folder, '--agent', 'claude');
    rmSync(join(folder, 'scripts', 'words.txt'));
    await piton(folder, '--agent', 'claude');
    expect(readdirSync(join(project, '.claude/piton-hooks/guard/artifact/scripts'))).toEqual(['check.sh']);
  });

  it('shows the diff and changes nothing in a dry run', async () => {
    box.write(settings(), OWN);
    const said = await piton(artifact('guard'), '--agent', 'claude', '--dry-run');
    expect(said.stdout).toContain(`+++ ${settings()}`);
    expect(said.stdout).toMatch(/^\+.*piton-hooks\/guard\/run\.sh/m);
    expect(box.read(settings())).toBe(OWN);
    expect(readdirSync(join(project, '.claude'))).toEqual(['settings.json']);
    await piton(artifact('guard'), '--agent', 'claude', '--dry-run', '--out', 'new/place');
    expect(existsSync(join(project, 'new'))).toBe(false);
  });

  it('finishes the others where one cannot be translated, and says so by its exit code', async () => {
    const denied = artifact('denied', 'hook_event: permission_denied');
    const said = await piton(denied, artifact('guard'), '--agent', 'codex');
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('materialize.untranslatable');
    expect(readdirSync(join(project, '.codex/piton-hooks'))).toEqual(['guard']);
  });

  it('says once why it refuses, and in which agents', async () => {
    const folder = artifact('guard', 'hook_event: stop\nruntime_requirements: { system_packages: [no-such-program-here] }');
    const { stderr } = await piton(folder, '--agent', 'claude,codex,gemini');
    expect(stderr.match(/no-such-program-here/g)).toHaveLength(1);
    expect(stderr).toContain('guard in Claude Code, Codex, Gemini CLI: materialize.runtime_unavailable');
  });

  it('names a program that is missing, and writes the hook if that is wanted', async () => {
    const folder = artifact('guard', 'hook_event: stop\nruntime_requirements: { system_packages: [no-such-program-here] }');
    const refused = await piton(folder, '--agent', 'claude');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/materialize\.runtime_unavailable: not on PATH: no-such-program-here/);
    expect(existsSync(settings())).toBe(false);
    expect((await piton(folder, '--agent', 'claude', '--allow-missing')).code).toBe(0);
  });

  it('writes for the user with absolute paths, and finds an artifact that is in force by its id', async () => {
    box.write(join(box.config, 'artifacts', 'team', 'log', 'ARTIFACT.md'), LOG);
    const outcome = await box.json<Report>(['materialize', 'user:artifacts/team/log', '--agent', 'claude', '--scope', 'user', '--json']);
    expect(outcome).toMatchObject({ ok: true, hooks: [{ hook: 'log', agent: 'claude', status: 'written', nativeEvents: ['Stop'] }] });
    expect(box.read(box.settings)).toContain(`${box.home}/.claude/piton-hooks/log/run.sh`);
    expect(existsSync(box.state)).toBe(false);
  });

  it('takes the trusted copy of a project, under the name that it has there', async () => {
    const file = box.write(join(project, '.piton', 'artifacts', 'log', 'ARTIFACT.md'), LOG);
    await box.piton(['trust', '--all', '--yes'], { cwd: project });
    box.write(file, LOG.replace('turns.log', 'changed.log'));
    const said = await piton('project:artifacts/log', '--agent', 'claude');
    expect(said).toMatchObject({ code: 0, stderr: '' });
    expect(box.read(join(project, '.claude/piton-hooks/log/action.sh'))).toContain('turns.log');
  });

  it('says where it would run twice, since Piton runs it too', async () => {
    box.write(join(box.config, 'artifacts', 'log', 'ARTIFACT.md'), LOG);
    await box.piton(['init', '--agent', 'claude', '--yes']);
    const said = await piton('user:artifacts/log', '--agent', 'claude,codex');
    expect(said.stdout).toMatch(/piton: .*twice.* \(claude\)/);
  });

  it('says what an agent wants before it runs the hook', async () => {
    const said = await piton(artifact('guard'), '--agent', 'codex');
    expect(said.stdout).toMatch(/Before it runs:\n.*Codex.*\/hooks/);
  });

  it('does not follow a link out of the project', async () => {
    mkdirSync(join(box.home, 'elsewhere'));
    symlinkSync(join(box.home, 'elsewhere'), join(project, '.claude'));
    const said = await piton(artifact('guard'), '--agent', 'claude');
    expect(said.code).toBe(1);
    expect(readdirSync(join(box.home, 'elsewhere'))).toEqual([]);
    expect(lstatSync(join(project, '.claude')).isSymbolicLink()).toBe(true);
  });

  it('keeps a folder of the same name that somebody else made', async () => {
    box.write(join(project, '.claude/piton-hooks/guard/run.sh'), '#!/bin/sh\nmine\n');
    await piton('guard', '--agent', 'claude', '--remove');
    expect((await piton(artifact('guard'), '--agent', 'claude')).stderr).toContain('was not written by Piton');
    expect(box.read(join(project, '.claude/piton-hooks/guard/run.sh'))).toBe('#!/bin/sh\nmine\n');
  });

  it('wants to know for which agent, and takes a missing artifact for a mistake', async () => {
    expect((await piton(artifact('guard'))).code).toBe(2);
    const said = await piton('nothing-here', '--agent', 'claude');
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('nothing-here');
  });

  it('does not let the name of an artifact steer the terminal or the shell', async () => {
    const folder = artifact('odd');
    box.write(join(folder, 'ARTIFACT.md'), LOG.replace('type: hook', 'type: hook\nname: "a\\e[31m\\nb $(touch pwned) \\"c"'));
    const said = await piton(folder, '--agent', 'claude,cline,opencode');
    expect(said.code).toBe(0);
    expect(said.stdout).not.toContain('\u001b');
    const script = box.read(join(project, '.claude/piton-hooks/a-31m-b-touch-pwned-c/run.sh'));
    expect(script.split('\n')[1]).toMatch(/^# a.*by piton materialize/);
    expect(script).not.toMatch(/^[^#]*\$\(touch/m);
  });
});

const LOG = `---
type: hook
version: 1.0.0
description: Writes a line at the end of each turn of an agent.
hook_event: stop
hook_action: cat >> "$HOME/turns.log"
---
`;

interface Report {
  readonly ok: boolean;
  readonly hooks: readonly {
    readonly hook: string;
    readonly agent: string;
    readonly status: string;
    readonly nativeEvents: readonly string[];
  }[];
}
