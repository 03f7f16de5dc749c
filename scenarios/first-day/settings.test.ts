import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
});
afterEach(() => box.end());

describe('piton settings', () => {
  it('sets, gets, lists and takes out', async () => {
    expect((await box.piton(['settings'])).stdout).toMatch(/^hooks_enabled +true +default +Run the hooks/m);
    expect((await box.piton(['settings', 'set', 'hooks_enabled', 'false'])).code).toBe(0);
    expect((await box.piton(['settings', 'get', 'hooks_enabled'])).stdout).toBe('false\n');
    expect(JSON.parse(box.read(join(box.config, 'settings.json')))).toEqual({ hooks_enabled: false });
    expect(await box.json(['settings', 'list'])).toEqual({
      settings: expect.arrayContaining([expect.objectContaining({ key: 'hooks_enabled', value: false, default: true, source: 'user' })]),
      files: [expect.objectContaining({ scope: 'user', values: { hooks_enabled: false } })],
    });
    expect((await box.piton(['settings', 'unset', 'hooks_enabled'])).code).toBe(0);
    // What counts then.
    expect(await box.piton(['settings', 'get', 'hooks_enabled'])).toMatchObject({ code: 0, stdout: 'true\n' });
    expect((await box.piton(['settings', 'get', 'nothing'])).code).toBe(1);
  });

  it('takes how long git waits from the user alone', async () => {
    const given = { cwd: box.repository() };
    expect((await box.piton(['settings', 'get', 'post_commit_wait'])).stdout).toBe('2\n');
    expect((await box.piton(['settings', 'set', 'post_commit_wait', '0.5'], given)).code).toBe(0);
    expect((await box.piton(['settings', 'set', 'post_commit_wait', '9'], given)).code).not.toBe(0);
    const refused = await box.piton(['settings', 'set', 'post_commit_wait', '0.5', '--scope', 'project'], given);
    expect([refused.code, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining('only works in the user settings')]);
    expect(refused.code).not.toBe(0);
  });

  it('edits in place: comments, order and line ends stay', async () => {
    const file = box.write(
      join(box.config, 'settings.json'),
      '// mine\r\n{\r\n  "hooks": [], // none yet\r\n  "hooks_enabled": true, // on\r\n}\r\n',
    );
    await box.piton(['settings', 'set', 'hooks_enabled', 'false']);
    expect(box.read(file)).toBe('// mine\r\n{\r\n  "hooks": [], // none yet\r\n  "hooks_enabled": false, // on\r\n}\r\n');
  });

  it('adds and takes out without touching a byte of the rest', async () => {
    const text = '// mine\n{\n\t"hooks": [],   // none yet\n\t"guard": "ask" /* for now */ // asks\n\t// nothing more\n}\n';
    const file = box.write(join(box.config, 'settings.json'), text);
    expect((await box.piton(['settings', 'set', 'post_commit_wait', '1'])).code).toBe(0);
    expect(box.read(file)).toBe(text.replace('"ask"', '"ask",').replace('// nothing more\n', '// nothing more\n\t"post_commit_wait": 1\n'));
    expect((await box.piton(['settings', 'unset', 'post_commit_wait'])).code).toBe(0);
    expect(box.read(file)).toBe(text);
    expect((await box.piton(['settings', 'unset', 'hooks'])).code).toBe(0);
    for (const comment of ['// mine', '// none yet', '/* for now */', '// asks', '// nothing more'])
      expect(box.read(file)).toContain(comment);
  });

  it('knows the scopes of a repository, and says where each lies', async () => {
    const repository = box.repository();
    const given = { cwd: repository };
    const off = await box.piton(['settings', 'set', 'hooks_enabled', 'false', '--scope', 'project'], given);
    expect(off.stdout).toContain("This project's hooks no longer run.");
    expect(JSON.parse(box.read(join(repository, '.piton/settings.json')))).toEqual({ hooks_enabled: false });
    expect((await box.piton(['settings', 'path', '--scope', 'local'], given)).stdout).toBe(
      `${join(repository, '.piton/settings.local.json')}\n`,
    );
    const outside = await box.piton(['settings', 'path', '--scope', 'local']);
    expect(outside.code).toBe(1);
    expect(outside.stderr).toContain('repository');
  });

  it('refuses a value of the wrong kind and changes nothing', async () => {
    const said = await box.piton(['settings', 'set', 'hooks_enabled', '"perhaps"']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('hooks_enabled');
    expect(existsSync(join(box.config, 'settings.json'))).toBe(false);
  });

  it.each([
    ['hook_enabled', 'hooks_enabled'],
    ['gaurd', 'guard'],
    ['checkpoints.stratgy', 'checkpoints.strategy'],
    ['Guard', 'guard'],
    ['redact.rule', 'redact.rules'],
  ])('refuses %s, which is no setting, and names %s', async (key, meant) => {
    const said = await box.piton(['settings', 'set', key, 'ask']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain(`did you mean ${meant}?`);
    expect(existsSync(join(box.config, 'settings.json'))).toBe(false);
    expect((await box.piton(['settings', 'get', key])).stderr).toContain(`did you mean ${meant}?`);
  });

  it('refuses a group that holds something unknown', async () => {
    const said = await box.piton(['settings', 'set', 'checkpoints', '{"trailer":"never","colour":1}']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('checkpoints.colour is not a setting of this version');
    expect((await box.piton(['settings', 'set', 'checkpoints', '{"trailer":"never"}'])).code).toBe(0);
  });

  it('keeps, names and removes what a newer Piton may have written', async () => {
    box.write(join(box.config, 'settings.json'), '{ "later": 1, "guard": "ask" }');
    const said = await box.piton(['settings']);
    expect(said.stdout).toMatch(/^guard +ask +user /m);
    expect(said.stderr).toContain('later is not a setting of this version');
    expect((await box.piton(['settings', 'set', 'guard', 'deny'])).code).toBe(0);
    expect((await box.piton(['settings', 'unset', 'later'])).code).toBe(0);
    expect(JSON.parse(box.read(join(box.config, 'settings.json')))).toEqual({ guard: 'deny' });
  });

  it('shows the value that counts: the nearest, and never one that a repository may not set', async () => {
    const given = { cwd: box.repository() };
    await box.piton(['settings', 'set', 'checkpoints.trailer', 'never'], given);
    await box.piton(['settings', 'set', 'checkpoints.trailer', 'always', '--scope', 'project'], given);
    await box.piton(['settings', 'set', 'hooks_enabled', 'false', '--scope', 'project'], given);
    box.write(
      join(given.cwd, '.piton/settings.json'),
      '{ "guard": "off", "checkpoints": { "trailer": "always", "strategy": "auto-commit" }, "hooks_enabled": false }',
    );
    const { stdout, stderr } = await box.piton(['settings'], given);
    expect(stdout).toMatch(/^checkpoints\.trailer +always +project /m);
    expect(stdout).toMatch(/^checkpoints\.strategy +manual-commit +default /m);
    expect(stdout).toMatch(/^guard +deny +default /m);
    expect(stdout).toMatch(/^hooks_enabled +false +project /m);
    expect(stderr).toContain('guard only works in the user settings');
  });

  it('names the line of a file that is no JSON', async () => {
    const file = box.write(join(box.config, 'settings.json'), '{\n  "a": 1\n  "b": 2\n}\n');
    const said = await box.piton(['settings', 'set', 'hooks_enabled', 'false']);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain(`${file}:3`);
  });

  it('lets no agent change a setting by itself', async () => {
    const under = { env: { PITON_ALLOW_UNDER_AGENT: undefined, CLAUDECODE: '1' } };
    for (const args of [
      ['settings', 'set', 'hooks_enabled', 'false'],
      ['settings', 'set', 'hooks_enabled', 'false', '--yes'],
    ]) {
      const said = await box.piton(args, under);
      expect(said.code).toBe(1);
    }
    expect((await box.piton(['settings', 'set', 'hooks_enabled', 'false', '--yes'], under)).stderr).toContain('CLAUDECODE');
    expect(existsSync(join(box.config, 'settings.json'))).toBe(false);
  });
});
