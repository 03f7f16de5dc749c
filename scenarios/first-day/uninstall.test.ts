import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
});
afterEach(() => box.end());

/** Files as people really keep them: comments, tabs, CRLF, a byte order mark, no final newline, foreign hooks. */
const FILES: Readonly<Record<string, string>> = {
  'an empty object': '{}',
  'an empty file': '',
  'comments, order and foreign hooks':
    '// mine\n{\n\t"z": 1, /* keep */\n\t"hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard" }] }] },\n\t"a": [1,2,],\n}\n',
  'CRLF and a byte order mark': '\ufeff{\r\n  "model": "opus"\r\n}\r\n',
  'no newline at the end': '{"model":"opus","env":{"A":"\u00e9 \u4f60"}}',
};

describe('piton uninstall', () => {
  for (const [name, text] of Object.entries(FILES)) {
    it(`gives a file back byte for byte: ${name}`, async () => {
      box.write(box.settings, text, 0o604);
      expect((await box.piton(['init'])).code).toBe(0);
      expect(box.read(box.settings)).not.toBe(text);
      const said = await box.piton(['uninstall', '--yes']);
      expect(said).toMatchObject({ code: 0, stderr: '' });
      expect(said.stdout).toContain('byte for byte');
      expect(readFileSync(box.settings).equals(Buffer.from(text))).toBe(true);
      expect(statSync(box.settings).mode & 0o777).toBe(0o604);
    });
  }

  it('leaves nothing where nothing was', async () => {
    await box.piton(['init', '--agent', 'claude']);
    await box.piton(['uninstall', '--yes']);
    expect(existsSync(join(box.home, '.claude'))).toBe(false);
  });

  it('keeps a directory that somebody else uses by now', async () => {
    await box.piton(['init', '--agent', 'claude']);
    box.write('.claude/CLAUDE.md', 'notes');
    await box.piton(['uninstall', '--yes']);
    expect(existsSync(box.settings)).toBe(false);
    expect(box.read('.claude/CLAUDE.md')).toBe('notes');
  });

  it('takes out only ours when the file was changed since', async () => {
    box.write(box.settings, FILES['comments, order and foreign hooks'] as string);
    await box.piton(['init']);
    const edited = box.read(box.settings).replace('"z": 1', '"z": 2, "later": true');
    box.write(box.settings, edited);
    const said = await box.piton(['uninstall', '--yes']);
    expect(said.code).toBe(0);
    expect(said.stdout).toContain('removed');
    const text = box.read(box.settings);
    expect(text).not.toContain('piton-forward');
    expect(text).toContain('"z": 2, "later": true, /* keep */');
    expect(text).toContain('"command": "guard"');
  });

  it('gives back what was there before the first init, however often init ran', async () => {
    box.write(box.settings, '{ "a": 1 }\n');
    await box.piton(['init']);
    // As an older Piton would have left it: one of ours is missing, so init writes again.
    const text = box.read(box.settings);
    box.write(box.settings, text.replace(/"PreToolUse"/, '"Renamed"'));
    await box.piton(['init']);
    await box.piton(['uninstall', '--yes']);
    expect(box.read(box.settings)).not.toContain('piton-forward');
    expect(JSON.parse(box.read(box.settings))).toMatchObject({ a: 1 });
  });

  it('asks first: without a terminal and without --yes nothing is changed', async () => {
    await box.piton(['init', '--agent', 'claude']);
    const before = box.read(box.settings);
    const said = await box.piton(['uninstall']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('--yes');
    expect(box.read(box.settings)).toBe(before);
  });

  it('keeps what was recorded, unless it is called with --purge', async () => {
    await box.piton(['init', '--agent', 'claude']);
    await box.piton(['uninstall', '--yes']);
    expect(existsSync(box.state)).toBe(true);
    const said = await box.piton(['uninstall', '--purge', '--yes']);
    expect(said.code).toBe(0);
    expect(existsSync(box.state)).toBe(false);
  });

  it('takes out what it wrote though its own home is gone', async () => {
    box.write(box.settings, '{ "a": 1 }\n');
    await box.piton(['init']);
    rmSync(box.state, { recursive: true });
    expect((await box.piton(['uninstall', '--yes'])).code).toBe(0);
    expect(JSON.parse(box.read(box.settings))).toEqual({ a: 1 });
  });

  it('has nothing to do where nothing is installed', async () => {
    mkdirSync(join(box.home, '.claude'));
    const said = await box.piton(['uninstall', '--yes']);
    expect(said.code).toBe(0);
    expect(said.stdout).toMatch(/nothing to do/i);
  });

  it('gives a repository back as it was', async () => {
    const repository = box.repository();
    const file = join(repository, '.claude/settings.json');
    box.write(file, '{ "permissions": {} }\n');
    await box.piton(['init', '--agent', 'claude', '--project'], { cwd: repository });
    expect(box.read(file)).toContain('piton-forward');
    expect((await box.piton(['uninstall', '--project', '--yes'], { cwd: repository })).code).toBe(0);
    expect(box.read(file)).toBe('{ "permissions": {} }\n');
    expect(readdirSync(repository).sort()).toEqual(['.claude', '.git']);
  });
});
