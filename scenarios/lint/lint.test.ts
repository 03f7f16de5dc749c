import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

const head = (fields: string): string =>
  `---\ntype: hook\nversion: 1.0.0\ndescription: Keep agents from pushing with force.\n${fields}\n---\n`;
const GUARD = head('hook_event: pre_shell_execution\nhook_action: scripts/guard.sh');
const SCRIPT = '#!/bin/sh\ncase "$PITON_TOOL_COMMAND" in *--force*) echo "not with force" >&2; exit 2 ;; esac\n';

let box: Sandbox;
let repository: string;
beforeEach(() => {
  box = sandbox();
  repository = box.repository();
});
afterEach(() => box.end());

const artifact = (name: string, text: string, script?: { text: string; mode: number }): string => {
  const folder = join(repository, '.piton', 'artifacts', name);
  box.write(join(folder, 'ARTIFACT.md'), text);
  if (script) box.write(join(folder, 'scripts', 'guard.sh'), script.text, script.mode);
  return folder;
};

describe('piton lint', () => {
  it('says where an error is and what to do, and ends with 1', async () => {
    artifact('guard', GUARD, { text: SCRIPT, mode: 0o644 });
    const said = await box.piton(['lint'], { cwd: repository });
    expect(said).toMatchObject({ code: 1, stderr: '' });
    expect(said.stdout).toContain('.piton/artifacts/guard/ARTIFACT.md:6  error  scripts/guard.sh is not executable  script.not-executable');
    expect(said.stdout).toContain('chmod +x');
    expect(said.stdout).toContain('1 error, 0 warnings');
  });

  it('says of settings that they are nested too deeply, and so does the list', async () => {
    const deep = `{"hooks":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    box.write(join(repository, '.piton', 'settings.json'), deep);
    const said = await box.piton(['lint', '.piton/settings.json'], { cwd: repository });
    expect(said).toMatchObject({ code: 1, stderr: '' });
    expect(said.stdout).toContain('settings.json:1  error  nested too deeply  unreadable');
    const listed = await box.piton(['hooks'], { cwd: repository });
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toContain('nested too deeply');
  });

  it('finds nothing in a sound hook, and ends with 0', async () => {
    artifact('guard', GUARD, { text: SCRIPT, mode: 0o755 });
    expect(await box.piton(['lint', '.piton/artifacts'], { cwd: repository })).toEqual({
      code: 0,
      stderr: '',
      stdout: '1 hook file or folder: no problems\n',
    });
  });

  it('ends with 1 for a warning only if that is asked', async () => {
    artifact('guard', GUARD.replace('Keep agents from pushing with force.', 'Guard'), { text: SCRIPT, mode: 0o755 });
    expect((await box.piton(['lint'], { cwd: repository })).code).toBe(0);
    expect((await box.piton(['lint', '--strict'], { cwd: repository })).code).toBe(1);
  });

  it('looks at settings and at programs too, each at its line', async () => {
    box.write(
      join(box.config, 'settings.json'),
      '{\n  "hooks": [\n    { "event": "pre_tool_use",\n      "matcher": "shell_tool|bash", "command": "true" },\n    { "event": "PreToolUse", "command": "true" }\n  ]\n}\n',
    );
    box.write(join(repository, '.piton/hooks/session-start/10-x'), '#!/bin/sh\ntrue\nexit 2\n', 0o755);
    const { findings } = await box.json<{ findings: { file: string; line: number; rule: string }[] }>(['lint'], { cwd: repository });
    expect(findings.map(({ file, line, rule }) => [file.replace(`${box.config}/`, ''), line, rule])).toEqual([
      ['settings.json', 4, 'matcher.part'],
      ['settings.json', 5, 'event'],
      ['.piton/hooks/session-start/10-x', 3, 'decision.exit'],
    ]);
  });

  it('says so where a path leads to no hook', async () => {
    const said = await box.piton(['lint', 'nowhere'], { cwd: repository });
    expect(said).toMatchObject({ code: 1, stdout: '' });
    expect(said.stderr).toContain('no such file or folder: "nowhere"');
  });

  it('lets no file write to the terminal', async () => {
    artifact('guard', head('hook_event: "stop\\e[31m"\nhook_action: "true"'));
    expect((await box.piton(['lint'], { cwd: repository })).stdout).not.toContain('\u001b');
  });

  it('passes on what shellcheck says, where there is one', async () => {
    artifact('guard', GUARD, { text: SCRIPT, mode: 0o755 });
    const comments = [
      { line: 2, level: 'warning', code: 2086, message: 'Double quote it.' },
      { line: 1, level: 'style', code: 1, message: 'x' },
    ];
    const answer = `#!/bin/sh\ngrep -q 'PITON_TOOL_COMMAND' || exit 0\nprintf '%s' '${JSON.stringify({ comments })}'\nexit 1\n`;
    box.write(join(box.home, 'bin', 'shellcheck'), answer, 0o755);
    const { findings } = await box.json<{ findings: object[] }>(['lint'], {
      cwd: repository,
      env: { PATH: `${join(box.home, 'bin')}:${box.env.PATH}` },
    });
    expect(findings).toEqual([
      {
        severity: 'warning',
        rule: 'shellcheck/SC2086',
        file: '.piton/artifacts/guard/scripts/guard.sh',
        line: 2,
        what: 'Double quote it.',
        remedy: expect.any(String),
      },
    ]);
  });
});

describe('an artifact with an error', () => {
  it('is refused by piton trust, with what is wrong, until that is mended', async () => {
    const folder = artifact('guard', GUARD, { text: SCRIPT, mode: 0o644 });
    artifact('lost', head('hook_event: PreToolUse\nhook_action: "true"'));
    await box.piton(['init', '--yes'], { cwd: repository });
    const refused = await box.piton(['trust', '--all', '--yes'], { cwd: repository });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('scripts/guard.sh is not executable');
    expect(refused.stderr).toContain('use pre_tool_use');
    expect(refused.stdout).not.toContain('is trusted');
    chmodSync(join(folder, 'scripts', 'guard.sh'), 0o755);
    expect((await box.piton(['trust', 'guard', '--yes'], { cwd: repository })).stdout).toContain('project:artifacts/guard is trusted');
  });

  it('is named by doctor', async () => {
    box.write(join(box.home, '.claude', 'settings.json'), '{}\n');
    artifact('guard', GUARD, { text: SCRIPT, mode: 0o644 });
    await box.piton(['init', '--yes'], { cwd: repository });
    const said = await box.piton(['doctor'], { cwd: repository });
    expect(said.stdout).toContain('line 6: scripts/guard.sh is not executable');
  });
});
