import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestHome } from '@piton/testing';
import { describe, expect, it } from 'vitest';
import { piton, write } from '../hooks-test/setup.ts';
import { commit, folderOf, hooksRepository, isAdded, newHome, writeGuard } from './setup.ts';

interface Row {
  readonly name: string;
  readonly from: string;
  readonly state: string;
  readonly digest: string;
}

const search = async (home: TestHome, ...args: readonly string[]): Promise<Row[]> =>
  JSON.parse((await piton(home, ['hooks', 'search', '--json', ...args])).stdout) as Row[];

/** A catalogue of the guards in a repository. */
async function catalogueOf(home: TestHome): Promise<{ file: string; path: string }> {
  const { path, url } = hooksRepository(home);
  const file = join(home.root, 'hooks.json');
  expect((await piton(home, ['hooks', 'index', join(path, 'hooks'), '--out', file])).code).toBe(0);
  expect((await piton(home, ['hooks', 'index', path, '--source', `${url}#v1`, '--out', file])).code).toBe(0);
  return { file, path };
}

describe('hooks index and search', () => {
  it('finds in the library and in the catalogues that are named, by all words', async () => {
    const home = newHome();
    const { file } = await catalogueOf(home);
    expect((await search(home, 'secret')).map(({ name }) => name)).toEqual([
      'protect-paths',
      'scan-secrets-before-commit',
      'scan-secrets-before-write',
    ]);
    expect(await search(home, 'denies', 'RESET', '--catalogue', file)).toMatchObject([{ name: 'no-reset', from: file, state: '' }]);
    const { code, stdout } = await piton(home, ['hooks', 'search', 'no-such-word']);
    expect([code, stdout]).toEqual([1, 'No hook has all of these words.\n']);
  });

  it('adds by a name of a catalogue what the catalogue has pinned, and nothing else', async () => {
    const home = newHome();
    const { file, path } = await catalogueOf(home);
    const add = (name: string) => piton(home, ['hooks', 'add', name, '--catalogue', file, '--yes']);
    expect(await add('no-force')).toMatchObject({ code: 0, stderr: '' });
    expect(await search(home, 'no-force', '--catalogue', file)).toMatchObject([{ state: 'added' }]);
    // The tag is moved to other files.
    writeGuard(join(path, 'hooks', 'no-reset'), { denies: 'anything' });
    commit(path, 'Other');
    execFileSync('git', ['tag', '-f', 'v1'], { cwd: path, stdio: 'ignore' });
    const { code, stderr } = await add('no-reset');
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not the hook that was named')]);
    expect(isAdded(home, 'no-reset')).toBe(false);
  });

  it('of the library too only what has the digest that was asked for', async () => {
    const home = newHome();
    const [{ digest }] = (await search(home, 'desktop', 'waits')) as [Row];
    const wrong = `sha256:${'0'.repeat(64)}`;
    expect(await piton(home, ['hooks', 'add', 'notify', '--digest', wrong])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(wrong),
    });
    expect(isAdded(home, 'notify')).toBe(false);
    expect((await piton(home, ['hooks', 'add', 'notify', '--digest', digest])).code).toBe(0);
  });

  it('makes the same bytes of the same hooks, and a catalogue of folders for the folder that it lies in', async () => {
    const home = newHome();
    const { path } = hooksRepository(home);
    const index = async (): Promise<string> => (await piton(home, ['hooks', 'index', path])).stdout;
    expect(await index()).toBe(await index());
    const file = join(path, 'hooks.json');
    writeFileSync(file, await index());
    expect((await piton(home, ['hooks', 'add', 'no-force', '--catalogue', file, '--yes'])).code).toBe(0);
  });

  it.each([
    ['beside the folder', '.', 'hooks.json'],
    ['in the folder', '.', 'hooks/public.json'],
    ['elsewhere', '.', '../lists/a b/hooks.json'],
    ['from within the folder', 'hooks', '../hooks.json'],
  ])('a catalogue that was written %s names folders from where it lies', async (_, cwd, out) => {
    const home = newHome();
    const { path } = hooksRepository(home);
    const from = join(path, cwd);
    const folder = cwd === '.' ? 'hooks' : '.';
    expect(await piton(home, ['hooks', 'index', folder, '--out', out], { cwd: from })).toMatchObject({ code: 0, stderr: '' });
    const file = join(from, out);
    const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as { hooks: readonly { source: string }[] };
    for (const { source } of hooks) expect(source).toMatch(/^\.\.?\//);
    expect(await piton(home, ['hooks', 'add', 'no-force', '--catalogue', file, '--yes'])).toMatchObject({ code: 0 });
    expect(isAdded(home, 'no-force')).toBe(true);
  });

  it('lists no hook that nobody could add', async () => {
    const home = newHome();
    const { path } = hooksRepository(home);
    const file = join(path, 'hooks', 'no-force', 'ARTIFACT.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('pre_shell_execution', 'no_such_event'));
    expect(await piton(home, ['hooks', 'index', path])).toMatchObject({ code: 1, stderr: expect.stringContaining('no_such_event') });
  });

  it.each([
    ['no JSON', '{', 'cannot read this catalogue'],
    ['another JSON', '{"hooks":[]}', 'it is no catalogue of hooks'],
    ['a newer format', '{"piton_catalogue":2,"hooks":[]}', 'it has format 2'],
    ['no list', '{"piton_catalogue":1,"hooks":{}}', '"hooks" is not a list'],
    ['a hook without a digest', '{"piton_catalogue":1,"hooks":[{"name":"a","source":"./a"}]}', 'hook 1 lacks'],
    ['null for a hook', '{"piton_catalogue":1,"hooks":[null]}', 'hook 1 lacks'],
  ])('a catalogue with %s is an error', async (_, text, said) => {
    const home = newHome();
    const file = write(join(home.root, 'bad.json'), text);
    for (const args of [
      ['search', '--catalogue', file],
      ['add', 'x', '--catalogue', file, '--yes'],
    ])
      expect(await piton(home, ['hooks', ...args])).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
  });

  it('no text of a catalogue is more than a text', async () => {
    const home = newHome();
    const digest = `sha256:${'0'.repeat(64)}`;
    const hooks = ['../../../etc', 'a\u001b[2J\nlibrary', '__proto__'].map((name) => ({
      name,
      digest,
      source: './x',
      description: 'x\u001b]0;owned\u0007\n✓ added',
    }));
    const file = write(join(home.root, 'hostile.json'), JSON.stringify({ piton_catalogue: 1, hooks }));
    const { code, stdout } = await piton(home, ['hooks', 'search', 'x', '--catalogue', file]);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/\u001b\[2J|\u001b\]|^✓/m);
    expect(stdout.split('\n').filter((line) => line.includes('etc'))).toHaveLength(1);
  });

  it('a source in a catalogue that leads to another name is refused', async () => {
    const home = newHome();
    const hooks = [{ name: 'x', digest: `sha256:${'0'.repeat(64)}`, source: 'notify' }];
    const file = write(join(home.root, 'loop.json'), JSON.stringify({ piton_catalogue: 1, hooks }));
    expect(await piton(home, ['hooks', 'add', 'x', '--catalogue', file, '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no address'),
    });
  });
});

describe('hooks outdated and update', () => {
  interface State {
    readonly name: string;
    readonly state: string;
    readonly changed: boolean;
  }
  const outdated = async (home: TestHome): Promise<State[]> =>
    JSON.parse((await piton(home, ['hooks', 'outdated', '--json'])).stdout) as State[];

  it('says what is newer, shows it as a diff, and takes it only after a yes', async () => {
    const home = newHome();
    const { path, url } = hooksRepository(home);
    await piton(home, ['hooks', 'add', url, '--hook', 'no-force', '--yes']);
    expect(await outdated(home)).toMatchObject([{ name: 'no-force', state: 'current' }]);
    writeGuard(join(path, 'hooks', 'no-force'), { version: '1.1.0', denies: '--mirror' });
    commit(path, 'More');
    expect(await outdated(home)).toMatchObject([{ name: 'no-force', state: 'newer' }]);
    const asked = await piton(home, ['hooks', 'update', 'no-force']);
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('hooks update no-force --yes') });
    expect(asked.stdout).toMatch(/^ +- .*--force/m);
    expect(asked.stdout).toMatch(/^ +\+ .*--mirror/m);
    const script = join(folderOf(home, 'no-force'), 'scripts', 'guard.sh');
    expect(readFileSync(script, 'utf8')).toContain('--force');
    expect((await piton(home, ['hooks', 'update', '--all', '--yes'])).stdout).toContain('1.0.0 → 1.1.0');
    expect(readFileSync(script, 'utf8')).toContain('--mirror');
    expect((await piton(home, ['hooks', 'update', '--all', '--yes'])).stdout).toContain('Nothing to do');
  });

  it('a commit is pinned, a source that is gone is said, and a change of the person is kept', async () => {
    const home = newHome();
    const { path, url } = hooksRepository(home);
    const id = commitOf(path);
    await piton(home, ['hooks', 'add', `${url}#${id}`, '--hook', 'no-force', '--yes']);
    const gone = writeGuard(join(home.root, 'gone'));
    await piton(home, ['hooks', 'add', gone, '--yes']);
    await piton(home, ['hooks', 'add', 'notify']);
    appendFileSync(join(folderOf(home, 'no-force'), 'ARTIFACT.md'), 'Mine.\n');
    rmSync(gone, { recursive: true });
    expect(await outdated(home)).toMatchObject([
      { name: 'gone', state: 'not reached', changed: false },
      { name: 'no-force', state: 'pinned', changed: true },
      { name: 'notify', state: 'current', changed: false },
    ]);
    const { code, stderr } = await piton(home, ['hooks', 'update', 'no-force', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('was changed since it was added')]);
  });

  it('needs a name or --all, and knows what was added', async () => {
    const home = newHome();
    expect(await piton(home, ['hooks', 'update'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--all') });
    expect(await piton(home, ['hooks', 'update', 'x'])).toMatchObject({ code: 2, stderr: expect.stringContaining('"x"') });
    expect((await piton(home, ['hooks', 'update', '--all'])).stdout).toContain('No hook was added yet');
  });

  it.each(['update', 'add'])('an agent %ss nothing', async (word) => {
    const home = newHome();
    const { url } = hooksRepository(home);
    const env = { PITON_ALLOW_UNDER_AGENT: '', CLAUDECODE: '1' };
    const { code, stderr } = await piton(home, ['hooks', word, word === 'add' ? url : '--all', '--yes'], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('under an agent')]);
    expect(existsSync(join(home.places.config, 'artifacts'))).toBe(false);
  });
});

const commitOf = (path: string): string => readFileSync(join(path, '.git', 'refs', 'heads', 'main'), 'utf8').trim();
