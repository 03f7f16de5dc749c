import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GIT_HOOK, GIT_HOOKS, registrationArgs } from '@piton/contracts';
import { textHash } from '@piton/contracts/places';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARIES, createForwarderHome, type ForwarderHome } from './home.ts';
import { type Script, startScriptedServer } from './scripted-server.ts';
import { endOf, type Spawned, silence, until } from './spawned.ts';

/** When it was changed, its size and its number, as the system's own tool has them. */
const signatureOf = (file: string): string => {
  const [time = '', size = '', inode = ''] = execFileSync('stat', ['-c', '%.9Y %s %i', file], { encoding: 'utf8' }).trim().split(' ');
  return `${time}.${size}.${inode}`;
};

describe.each(BINARIES)("git's hooks in $build", ({ binary }) => {
  const path = binary();
  let home: ForwarderHome;
  beforeEach(() => {
    home = createForwarderHome(path);
    mkdirSync(join(home.root, '.git', 'hooks'), { recursive: true });
  });
  afterEach(() => home.remove());

  /** As git does: by the name of the hook, or through a script that names the registration. */
  function call(hook: string, args: readonly string[], { input = '', name = hook, env = {}, scripted = false } = {}): Promise<Spawned> {
    const link = join('.git', 'hooks', name);
    rmSync(join(home.root, link), { force: true });
    if (!scripted) symlinkSync(home.forwarder, join(home.root, link));
    const line = scripted ? [home.forwarder, ...registrationArgs(GIT_HOOK), hook, ...args] : [link, ...args];
    const child = spawn(line[0] as string, line.slice(1), { cwd: home.root, env: { ...process.env, ...env }, stdio: 'pipe' });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    return endOf(child);
  }

  async function heardBy(script: Script, act: () => Promise<unknown>): Promise<number> {
    const server = await startScriptedServer(home, script);
    await act();
    await server.close();
    return server.connections.length;
  }

  /** The note that no work of an agent waits here, as the server writes it. */
  function noteQuiet(settings: Readonly<Record<string, string>>, root = home.root): void {
    const lines = [root, ...Object.entries(settings).map(([file, signature]) => `${signature} ${file}`), ''];
    mkdirSync(join(home.places.home, 'quiet'), { recursive: true });
    writeFileSync(join(home.places.home, 'quiet', textHash(home.root)), lines.join('\n'));
  }

  it.each(GIT_HOOKS)('%s is known by the name of the link, also where another has moved it aside', async (hook) => {
    for (const name of [hook, `${hook}.old`, `${hook}.legacy`]) {
      const input = `told to ${name}\n`;
      let answer: Spawned | undefined;
      const says: Script = async (connection) => {
        const frame = await connection.acked();
        expect(frame).toMatchObject({ agent: 'git', nativeEvent: 'hook', args: [hook, 'one', ''], cwd: home.root });
        expect(frame.payload.toString()).toBe(['post-rewrite', 'pre-push'].includes(hook) ? input : '');
        expect(frame.variables).toMatchObject({ GIT_INDEX_FILE: '.git/index' });
        connection.done({ stdout: 'said' });
      };
      await heardBy(says, async () => {
        answer = await call(hook, ['one', ''], { input, name, env: { GIT_INDEX_FILE: '.git/index' } });
      });
      expect(answer).toEqual({ ...silence, stdout: 'said' });
    }
  });

  it('says 0 and starts nothing twice where no server answers', async () => {
    home.setNode(`echo started >> "${home.root}/starts"; sleep 20`);
    for (const hook of ['prepare-commit-msg', 'commit-msg', 'post-commit'] as const) expect(await call(hook, ['m'])).toEqual(silence);
    expect(home.journalNames()).toEqual([]);
  });

  it('keeps a push for a later server, which nothing else would tell of', async () => {
    expect(await call('pre-push', ['origin', 'url'], { input: 'refs\n' })).toEqual(silence);
    expect(home.journalNames()).toHaveLength(1);
  });

  describe('where no work of an agent waits', () => {
    const nobody: Script = () => {
      throw new Error('asked');
    };

    it.each([false, true])(
      'does not ask before the commit, and does not wait for an answer after it (in a script: %s)',
      async (scripted) => {
        const settings = join(home.root, 'settings.json');
        writeFileSync(settings, '{}');
        noteQuiet({ [settings]: signatureOf(settings), [join(home.root, 'absent.json')]: '-' });
        // This process is no git: nobody knows whether it amends.
        const asks = await heardBy(nobody, async () => expect(await call('commit-msg', ['m'], { scripted })).toEqual(silence));
        expect(asks).toBe(0);
        const told: string[] = [];
        const hears: Script = async (connection) => told.push((await connection.frame()).args[0] ?? '');
        await heardBy(hears, async () => {
          expect(await call('post-commit', [], { scripted })).toEqual(silence);
          await until(() => told.length > 0);
        });
        expect(told).toEqual(['post-commit']);
      },
    );

    const changes: Record<string, (settings: string) => void> = {
      'a setting has changed since': (settings) => writeFileSync(settings, '{"checkpoints":{"trailer":"always"}}'),
      'a file of settings was made since': () => writeFileSync(join(home.root, 'absent.json'), '{}'),
      'the note is of another directory': (settings) => noteQuiet({ [settings]: signatureOf(settings) }, `${home.root}-2`),
      'the note is cut': () => writeFileSync(join(home.places.home, 'quiet', textHash(home.root)), `${home.root}\n- /no`),
    };
    it.each(Object.keys(changes))('asks where %s', async (name) => {
      const settings = join(home.root, 'settings.json');
      writeFileSync(settings, '{}');
      noteQuiet({ [settings]: signatureOf(settings), [join(home.root, 'absent.json')]: '-' });
      changes[name]?.(settings);
      const answers: Script = async (connection) => {
        await connection.acked();
        connection.done();
      };
      expect(await heardBy(answers, () => call('commit-msg', ['m']))).toBe(1);
    });
  });
});
