import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { registrationArgs } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

const SAMPLE = join(import.meta.dirname, 'samples');
const GOLDEN = join(import.meta.dirname, 'golden');

let box: Sandbox;
let imported: string;
beforeEach(() => {
  box = sandbox();
  imported = join(box.config, 'artifacts', 'imported');
  cpSync(SAMPLE, box.home, { recursive: true });
});
afterEach(() => box.end());

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(filesBelow(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

function projectWithHooks(): string {
  const repository = box.repository();
  box.write(
    join(repository, '.claude/settings.local.json'),
    '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "make test" }] }] } }',
  );
  return repository;
}

/** `PITON_GOLDEN=1` writes them anew; the difference is for a person to look at. */
function keepGolden(): void {
  for (const [name, text] of Object.entries(contents(imported))) {
    mkdirSync(dirname(join(GOLDEN, name)), { recursive: true });
    writeFileSync(join(GOLDEN, name), text);
  }
}

describe('piton import', () => {
  it('makes artifacts of the hooks of five agents, as they were once looked at, and they have no errors', async () => {
    expect((await box.piton(['import', '--yes'])).code).toBe(0);
    if (process.env.PITON_GOLDEN) keepGolden();
    expect(contents(imported)).toEqual(contents(GOLDEN));
    const { errors, looked } = await box.json<{ errors: number; looked: number }>(['lint', imported]);
    expect({ errors, looked }).toEqual({ errors: 0, looked: filesBelow(GOLDEN).filter((file) => file.endsWith('ARTIFACT.md')).length });
  });

  it('says of what it leaves behind where it stands and why', async () => {
    const { left } = await box.json<{ left: { agent: string; line: number; what: string; why: string }[] }>(['import']);
    expect(left.map(({ agent, line, what }) => `${agent}:${line} ${what}`)).toEqual([
      'claude:10 a hook of the type prompt',
      'claude:22 the matcher reviewer',
      'claude:24 a command for PowerShell',
      'claude:25 a hook on TaskCompleted',
      'claude:26 a hook on NoSuchEvent',
      'codex:2 a hook on Interrupt',
      'gemini:9 the matcher read_(file|many)',
      'gemini:12 a hook on BeforeModel',
      'copilot:6 a command for Windows or macOS only',
      'cursor:6 a hook on afterAgentThought',
      'claude:17 a hook on PreToolUse',
      'cursor:5 a hook on beforeShellExecution',
    ]);
    expect(left.every(({ why }) => why.length > 10)).toBe(true);
    expect(existsSync(imported)).toBe(false);
  });

  it('imports nothing twice', async () => {
    await box.piton(['import', '--yes']);
    const before = contents(imported);
    const again = await box.piton(['import', '--yes']);
    expect(again.stdout).toContain('0 artifacts written');
    expect(contents(imported)).toEqual(before);
  });

  it('shows what differs, and writes over it only if that is said', async () => {
    await box.piton(['import', '--agent', 'claude', '--yes']);
    const file = join(imported, 'claude', 'pre-tool-use-no-force', 'ARTIFACT.md');
    const before = box.read(file);
    box.write(file, before.replace('timeout: 10', 'timeout: 3'));
    const said = await box.piton(['import', '--agent', 'claude', '--yes']);
    expect(said.stdout).toContain('-timeout: 3\n');
    expect(said.stdout).toContain('--force');
    expect(box.read(file)).toContain('timeout: 3');
    await box.piton(['import', '--agent', 'claude', '--yes', '--force']);
    expect(box.read(file)).toBe(before);
  });

  it('writes nothing on a dry run, nor without a yes', async () => {
    expect((await box.piton(['import', '--dry-run'])).stdout).toContain('would be written');
    const refused = await box.piton(['import']);
    expect(refused.code).toBe(1);
    expect(existsSync(imported)).toBe(false);
    // What it says to give is what was given.
    const more = ['--agent', 'claude', '--copy-scripts', '--remove-original', '--force'];
    expect((await box.piton(['import', ...more])).stderr).toContain(`import ${more.join(' ')} --yes`);
    const project = await box.piton(['import', '--scope', 'project', '--out', "it's here"], { cwd: projectWithHooks() });
    expect(project.stderr).toContain("import --scope project --out 'it'\\''s here' --yes");
  });

  it('passes over what Piton itself has registered', async () => {
    await box.piton(['init', '--yes', '--agent', 'claude']);
    const { artifacts, left } = await box.json<{ artifacts: { place: string }[]; left: unknown[] }>(['import', '--agent', 'claude']);
    expect(artifacts).toHaveLength(7);
    expect(left).toHaveLength(6);
  });

  it('names a file that it cannot read, and goes on with the others', async () => {
    box.write('.gemini/settings.json', '{ "hooks": ');
    const said = await box.piton(['import', '--dry-run']);
    expect(said.code).toBe(1);
    expect(said.stdout).toContain('~/.gemini/settings.json  cannot be read');
    expect(said.stdout).toContain('claude/pre-tool-use-no-force');
  });

  it('copies scripts where that is asked, and else says that they are not pinned', async () => {
    const kept = await box.piton(['import', '--agent', 'claude', '--dry-run']);
    expect(kept.stdout).toContain(`not pinned: ${join(box.home, '.claude/hooks/no-force.sh')}`);
    await box.piton(['import', '--agent', 'claude', '--copy-scripts', '--yes']);
    const folder = join(imported, 'claude', 'pre-tool-use-no-force');
    expect(box.read(join(folder, 'ARTIFACT.md'))).toContain('hook_action: scripts/no-force.sh\n');
    expect(box.read(join(folder, 'scripts/no-force.sh'))).toBe(box.read('.claude/hooks/no-force.sh'));
    expect((await box.json<{ errors: number }>(['lint', folder])).errors).toBe(0);
  });

  it('copies a script whose name has a space', async () => {
    const command = 'python3 "$HOME/.claude/hooks/no secrets.py"';
    const absolute = `python3 "${join(box.home, '.claude/hooks/no secrets.py')}"`;
    box.write('.claude/hooks/no secrets.py', 'print(1)\n');
    const hooks = [command, absolute].map((each) => ({ hooks: [{ type: 'command', command: each }] }));
    box.write('.claude/settings.json', JSON.stringify({ hooks: { Stop: hooks } }));
    expect((await box.piton(['import', '--agent', 'claude', '--dry-run'])).stdout.match(/not pinned: .*no secrets\.py/g)).toHaveLength(2);
    await box.piton(['import', '--agent', 'claude', '--copy-scripts', '--yes']);
    for (const name of ['stop-no-secrets', 'stop-no-secrets-2']) {
      const folder = join(imported, 'claude', name);
      expect(box.read(join(folder, 'ARTIFACT.md'))).toContain('hook_action: python3 scripts/no-secrets.py\n');
      expect(box.read(join(folder, 'scripts/no-secrets.py'))).toBe('print(1)\n');
    }
  });

  it("brings a project's hooks into the project, where they wait for trust", async () => {
    const repository = box.repository();
    const settings = '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "make test" }] }] } }';
    box.write(join(repository, '.claude/settings.json'), settings);
    const said = await box.piton(['import', '--scope', 'project', '--yes'], { cwd: repository });
    expect(said.stdout).toMatch(/trust them: .* trust$/m);
    expect(box.read(join(repository, '.piton/artifacts/imported/claude/stop-make/ARTIFACT.md'))).toContain('hook_action: make test');
    const hooks = await box.json<{ id: string; trusted: string }[]>(['trust'], { cwd: repository });
    expect(hooks).toMatchObject([{ id: 'project:artifacts/imported/claude/stop-make', trusted: 'no' }]);
  });

  it("keeps a person's own hooks in a project out of git", async () => {
    const repository = projectWithHooks();
    await box.piton(['import', '--scope', 'project', '--yes'], { cwd: repository });
    expect(box.read(join(repository, '.piton/local/artifacts/imported/claude/stop-make/ARTIFACT.md'))).toContain('make test');
    const { stdout } = spawnSync('git', ['status', '--porcelain', '--untracked-files=all', '.piton'], {
      cwd: repository,
      encoding: 'utf8',
    });
    expect(stdout.trim()).toBe('?? .piton/.gitignore');
    const { hooks } = await box.json<{ hooks: { id: string }[] }>(['hooks', 'list'], { cwd: repository });
    expect(hooks.map(({ id }) => id)).toContain('local:artifacts/imported/claude/stop-make');
  });
});

describe('an original', () => {
  const originals = () => box.read('.claude/settings.json');

  it('stays where it is, and a warning says that it runs twice', async () => {
    await box.piton(['init', '--yes', '--agent', 'claude']);
    const before = originals();
    const said = await box.piton(['import', '--agent', 'claude', '--yes']);
    expect(said.stdout).toContain('twice');
    expect(said.stdout).toContain('~/.claude/settings.json:9  hooks.PreToolUse[0].hooks[0]');
    expect(originals()).toBe(before);
  });

  it('runs alone where Piton is not registered with its agent, and that is what is said', async () => {
    await box.piton(['init', '--yes', '--agent', 'claude']);
    const said = await box.piton(['import', '--agent', 'claude,gemini', '--yes']);
    const [twice, alone] = said.stdout.split('Piton is not registered with Gemini CLI');
    expect(alone).toContain(' init --agent gemini');
    expect(twice).toContain('twice');
    expect(twice?.slice(twice.indexOf('twice'))).not.toContain('.gemini');
    const other = await box.piton(['import', '--agent', 'codex', '--yes']);
    expect(other.stdout).toContain('Piton is not registered with Codex');
    expect(other.stdout).not.toContain('twice');
  });

  it('is taken out if that is said, with nothing else touched and the file kept as it was', async () => {
    await box.piton(['init', '--yes', '--agent', 'claude']);
    const before = originals();
    const said = await box.piton(['import', '--agent', 'claude', '--remove-original', '--yes']);
    expect(said).toMatchObject({ code: 0, stderr: '' });
    expect(originals()).not.toContain('no-force.sh');
    expect(originals()).not.toContain('save-notes');
    expect(originals()).toContain('"type": "prompt"');
    expect(originals()).toContain('// Nothing is pushed with force here.');
    const kept = /Backup: (\S+)/.exec(said.stdout)?.[1] as string;
    expect(box.read(kept)).toBe(before);
  });

  it('stays where Piton is not registered with its agent: nothing would guard it', async () => {
    const before = originals();
    const said = await box.piton(['import', '--agent', 'claude', '--remove-original', '--yes']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain(' init --agent claude');
    expect(originals()).toBe(before);
  });
});

describe("a guard from Claude Code's settings", () => {
  it('denies in a session of Codex', async () => {
    const repository = box.repository();
    await box.piton(['init', '--yes', '--agent', 'codex'], { cwd: repository });
    const ask = (command: string) => {
      const registration = { agent: 'codex', nativeEvent: 'PreToolUse', scope: 'user', timeoutMs: 30_000, variables: [] } as const;
      const payload = {
        ...{ session_id: 'c1', turn_id: 't1', cwd: repository, hook_event_name: 'PreToolUse', model: 'gpt-5', permission_mode: 'default' },
        ...{ transcript_path: null, tool_name: 'Bash', tool_use_id: 'call_1', tool_input: { command } },
      };
      const forwarder = join(box.state, 'runtime', 'current', 'piton-forward');
      return spawnSync(forwarder, registrationArgs(registration), {
        cwd: repository,
        env: box.env,
        input: JSON.stringify(payload),
        encoding: 'utf8',
      });
    };
    expect(ask('git push --force').stdout).not.toContain('not with force');
    await box.piton(['import', '--agent', 'claude', '--yes']);
    const denied = ask('git push --force');
    expect(JSON.parse(denied.stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: expect.stringContaining('not with force') },
    });
    expect(ask('git push').stdout).not.toContain('deny');
  });
});

describe('piton import --copy-scripts', () => {
  /** A log that a hook writes, by every way in which it may be named. */
  const LOGGERS = {
    'a redirection': '~/hooks/log.sh >> ~/hooks/calls.log',
    'a redirection of errors': '~/hooks/log.sh 2>> "$HOME/hooks/calls.log"',
    'an input': '~/hooks/log.sh < ~/hooks/calls.log',
    tee: '~/hooks/log.sh | tee -a ~/hooks/calls.log',
    'an argument': '~/hooks/log.sh ~/hooks/calls.log',
  };
  for (const [how, command] of Object.entries(LOGGERS)) {
    it(`copies the script, and leaves the log where it is: ${how}`, async () => {
      box.write('hooks/log.sh', '#!/bin/sh\ndate\n', 0o755);
      box.write('hooks/calls.log', 'earlier\n');
      box.write('.claude/settings.json', JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }));
      expect((await box.piton(['import', '--agent', 'claude', '--copy-scripts', '--yes'])).code).toBe(0);
      const files = contents(join(imported, 'claude'));
      expect(Object.keys(files).filter((name) => name.includes('scripts/'))).toEqual(['stop-log/scripts/log.sh']);
      expect(files['stop-log/ARTIFACT.md']).toMatch(/hook_action: .*scripts\/log\.sh.*hooks\/calls\.log/);
    });
  }
});
