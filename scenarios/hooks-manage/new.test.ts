import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claude, fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

interface Made {
  readonly id: string;
  readonly files: readonly string[];
  readonly settings: string | null;
  readonly trusted: boolean;
}
interface Case {
  readonly name: string;
  readonly payload: { readonly hook_event_name: string; readonly cwd: string };
  readonly env?: Record<string, string>;
  readonly expect: { readonly decision: string };
}

let box: Sandbox;
beforeEach(async () => {
  box = sandbox();
  mkdirSync(join(box.home, '.claude'));
  await box.piton(['init', '--agent', 'claude']);
});
afterEach(() => box.end());

const make = (...args: string[]): Promise<Made> => box.json<Made>(['hooks', 'new', ...args]);
const edit = (cwd: string, file: string) => ({
  ...claude.stop('s1', cwd),
  hook_event_name: 'PostToolUse',
  tool_name: 'Write',
  tool_input: { file_path: file, content: '' },
  tool_response: {},
});
/** What was decided on the latest event that an agent fired: a deny makes others of it. */
const lastDecision = async (): Promise<string> => {
  const events = await box.json<{ decision: string | null; derived: boolean }[]>(['events', '--limit', '5']);
  return events.filter(({ derived }) => !derived).at(-1)?.decision ?? 'observe';
};

const FORMS: readonly [string, string][] = [
  ['artifact', 'sh'],
  ['artifact', 'js'],
  ['artifact', 'ts'],
  ['artifact', 'python'],
  ['executable', 'sh'],
  ['executable', 'js'],
  ['executable', 'python'],
  ['setting', 'sh'],
  ['setting', 'js'],
  ['setting', 'ts'],
];

describe.each(FORMS)('hooks new --as %s --lang %s', (as, lang) => {
  it('writes hooks that do what they say, and cases that hold', async () => {
    const made: Made[] = [];
    for (const kind of ['guard', 'formatter', 'logger', 'context', 'notifier']) made.push(await make(kind, '--as', as, '--lang', lang));
    const { hooks } = await box.json<{ hooks: { status: string; builtIn: boolean }[] }>(['hooks', 'list']);
    const written = hooks.filter(({ builtIn }) => !builtIn);
    expect(written.map(({ status }) => status).sort()).toEqual([
      ...(as === 'executable' ? ['ready', 'ready'] : ['observes', 'observes']),
      'ready',
      'ready',
      'ready',
    ]);

    const work = box.repository();
    expect(await fire(box, claude.shell('s1', work, 'git push --force'))).toContain('without --force');
    expect(await fire(box, claude.shell('s1', work, 'git push', 'toolu_2'))).toBe('{}');
    expect(await fire(box, claude.start('s2', work))).toContain('Branch: main');
    const file = box.write(join(work, 'a.txt'), 'one  \ntwo\t\nthree\n');
    await fire(box, edit(work, file));
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\nthree\n');
    await expect.poll(() => existsSync(join(box.home, '.local/state/hooks.log'))).toBe(true);
    expect(box.read('.local/state/hooks.log')).toMatch(/^20\S+ claude post_tool_use Write .*a\.txt/);

    const cases = made.flatMap(({ files }) => files.filter((path) => path.endsWith('.json')));
    expect(cases.length).toBeGreaterThanOrEqual(6);
    for (const path of cases) {
      const one = JSON.parse(readFileSync(path, 'utf8')) as Case;
      await fire(box, one.payload, one.env);
      expect([path, await lastDecision()]).toEqual([path, one.expect.decision]);
    }
  });
});

describe('piton hooks new --lang python', () => {
  it('is refused where there is no Python, before anything is written', async () => {
    const empty = join(box.home, 'empty');
    mkdirSync(empty);
    const said = await box.piton(['hooks', 'new', 'guard', '--lang', 'python'], { env: { PATH: empty } });
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('python3 is not on your PATH') });
    expect(said.stderr).toContain('--lang sh');
    expect(existsSync(join(box.config, 'artifacts'))).toBe(false);
  });

  it('is refused as a setting, with a form that works', async () => {
    const said = await box.piton(['hooks', 'new', 'guard', '--lang', 'python', '--as', 'setting']);
    expect(said).toMatchObject({ code: 2, stderr: expect.stringContaining('--as artifact') });
  });

  it('declares what it needs, so that it is reported as broken without Python', async () => {
    const { files } = await make('logger', 'py', '--lang', 'python');
    expect(readFileSync(files[0] ?? '', 'utf8')).toContain('system_packages: [python3]');
    expect((await box.piton(['lint', join(box.config, 'artifacts/py')])).code).toBe(0);
  });

  it('is listed with the other languages', async () => {
    expect((await box.piton(['hooks', 'new', 'guard', '--lang', 'perl'])).stderr).toMatch(/sh, js, ts, python/);
  });
});

describe('piton hooks new', () => {
  it('lays an artifact out with an executable script and its cases', async () => {
    const { id, files } = await make('guard', 'git/no-force');
    expect(id).toBe('user:artifacts/git/no-force');
    const folder = join(box.config, 'artifacts/git/no-force');
    expect(readdirSync(folder).sort()).toEqual(['ARTIFACT.md', 'scripts', 'tests']);
    expect(statSync(join(folder, 'scripts/no-force.sh')).mode & 0o111).not.toBe(0);
    expect(files.filter((path) => path.includes('/tests/'))).toHaveLength(2);
  });

  it('guards files where it is made for an event of files', async () => {
    await make('guard', 'keep-env', '--event', 'pre-file-edit');
    const write = (file: string) => ({ ...edit(box.home, file), hook_event_name: 'PreToolUse' });
    expect(await fire(box, write('/x/.env'))).toContain('.env.example');
    expect(await fire(box, write('/x/.env.local'))).toContain('.env.example');
    expect(await fire(box, write('/x/.env.example'))).toBe('{}');
    expect(await fire(box, write('/x/environment.ts'))).toBe('{}');
  });

  it('calls the program that the person names', async () => {
    await make('notifier');
    const bell = box.write('bell', `#!/bin/sh\necho "$1|$2" > ${box.home}/rang\n`, 0o755);
    await fire(box, claude.stop('s1', box.home), { HOOK_NOTIFY: bell });
    await expect.poll(() => existsSync(join(box.home, 'rang'))).toBe(true);
    expect(box.read('rang')).toBe(`claude: stop|${box.home}\n`);
  });

  it.each(['artifact', 'executable', 'setting'])('overwrites nothing: %s', async (as) => {
    const { files, settings } = await make('guard', 'mine', '--as', as);
    const before = [...files, ...(settings ? [settings] : [])].map((path) => readFileSync(path, 'utf8'));
    const again = await box.piton([
      'hooks',
      'new',
      'logger',
      'mine',
      '--as',
      as,
      ...(as === 'executable' ? ['--event', 'pre_shell_execution'] : []),
    ]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already') });
    expect([...files, ...(settings ? [settings] : [])].map((path) => readFileSync(path, 'utf8'))).toEqual(before);
  });

  it('keeps comments and other hooks of the settings', async () => {
    box.write(
      join(box.config, 'settings.json'),
      '{\n  // mine\n  "hooks": [\n    { "name": "old", "event": "stop", "command": "true" }\n  ]\n}\n',
    );
    await make('logger', '--as', 'setting');
    const text = box.read(join(box.config, 'settings.json'));
    expect(text).toContain('// mine');
    expect((await box.json<{ hooks: { id: string }[] }>(['hooks', 'list'])).hooks.map(({ id }) => id).sort()).toEqual([
      'piton:own-files',
      'user:settings/logger',
      'user:settings/old',
    ]);
  });

  it.each(['artifact', 'executable', 'setting'])('trusts what it writes into a project: %s', async (as) => {
    const work = box.repository();
    const said = await box.piton(['hooks', 'new', 'guard', '--as', as, '--scope', 'project'], { cwd: work });
    expect(said).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('It now runs') });
    expect(await fire(box, claude.shell('s1', work, 'git push -f'))).toContain('without --force');
    expect(box.read(join(work, '.piton/.gitignore'))).toContain('local/');
  });

  it('under an agent writes into a project without trust, and nothing else', async () => {
    const work = box.repository();
    const given = { cwd: work, env: { CLAUDECODE: '1', PITON_ALLOW_UNDER_AGENT: undefined } };
    for (const args of [['guard'], ['guard', '--scope', 'project']])
      expect(await box.piton(['hooks', 'new', ...args], given)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('under an agent'),
      });
    expect(existsSync(join(work, '.piton'))).toBe(false);
    expect(await box.piton(['hooks', 'new', 'guard', '--scope', 'project', '--no-trust'], given)).toMatchObject({ code: 0 });
    expect(await fire(box, claude.shell('s1', work, 'git push --force'))).toBe('{}');
  });

  it.each([
    [['nonsense'], 'no such kind'],
    [['guard', '../up'], 'not a valid name'],
    [['guard', '--event', 'stop'], 'does not work on'],
    [['logger', '--event', 'nope'], 'no event is named'],
    [['guard', '--as', 'executable', '--lang', 'ts'], 'cannot be TypeScript'],
  ])('refuses %j', async (args, words) => {
    expect(await box.piton(['hooks', 'new', ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });
});

describe('a hook that would never run', () => {
  it.each([
    ['README', 'executable'],
    ['notes.md', 'executable'],
    ['guard.bak', 'executable'],
    ['outer/inner', 'artifact'],
    ['outer/tests/inner', 'artifact'],
    ['node_modules/guard', 'artifact'],
    ['a/b/c/d/e/f/g/h/i', 'artifact'],
  ])('is not written: %s as an %s', async (name, as) => {
    await make('guard', 'outer');
    const said = await box.piton(['hooks', 'new', 'guard', name, '--as', as]);
    expect(said).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('use another name') });
    const { hooks } = await box.json<{ hooks: { id: string }[] }>(['hooks', 'list']);
    expect(hooks.map(({ id }) => id)).toEqual(['piton:own-files', 'user:artifacts/outer']);
  });

  it('is not said to run where hooks are switched off', async () => {
    box.write(join(box.config, 'settings.json'), '{ "hooks_enabled": false }\n');
    const { stdout } = await box.piton(['hooks', 'new', 'guard']);
    expect(stdout).toContain('It does not run: hooks are disabled in these settings');
    expect(stdout).not.toContain('It now runs');
  });
});
