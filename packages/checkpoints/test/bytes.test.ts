import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rewind } from '../src/rewind/rewind.ts';
import { planRewind } from '../src/rewind/rewind-plan.ts';
import { undoRewind } from '../src/rewind/undo.ts';
import { take } from '../src/snapshot/take.ts';
import type { Worktree } from '../src/worktree.ts';
import { gitWithLfs, installLfs } from './lfs-program.ts';
import { type Scratch, scratch } from './scratch.ts';

const STOP = { kind: 'stop', name: 'Did it', by: 'agent', session: 's1', agent: 'someone', turn: 't1' } as const;

async function taken(worktree: Worktree): Promise<string> {
  const result = await take(worktree, STOP);
  if (result.result === 'failed') throw new Error(result.error);
  return result.result === 'made' ? result.checkpoint.id : result.id;
}

async function rewound(worktree: Worktree, id: string) {
  const result = await rewind(worktree, id, { everything: true });
  if (result.result !== 'rewound') throw new Error(JSON.stringify(result));
  return result;
}

const ATTRIBUTES = '*.psd filter=lfs diff=lfs merge=lfs -text\n';

/** On disk the content, in git the pointer: git takes that for unchanged. */
function withLfsFiles(files: Readonly<Record<string, string>>): Scratch {
  const user = scratch();
  installLfs(user);
  user.write('.gitattributes', ATTRIBUTES);
  for (const [name, content] of Object.entries(files)) user.write(name, content);
  gitWithLfs(user, 'add', '-A');
  gitWithLfs(user, 'commit', '--quiet', '-m', 'large');
  expect(user.git('show', `HEAD:${Object.keys(files)[0]}`)).toMatch(/^version/);
  return user;
}

describe('G4: what was on disk comes back', () => {
  it('after git lfs untrack, and not the pointer', async () => {
    const content = 'x'.repeat(60_000);
    const user = withLfsFiles({ 'large.psd': content });
    const worktree = await user.worktree();
    const id = await taken(worktree);
    user.write('.gitattributes', '');
    user.write('large.psd', 'agent');
    await taken(await user.worktree());
    await rewind(await user.worktree(), id, { paths: ['large.psd'] });
    expect(user.read('large.psd')).toBe(content);
  });

  it('after git lfs prune, or is named beforehand and left alone', async () => {
    const [small, large] = ['s'.repeat(60_000), 'l'.repeat(3_000_000)];
    const user = withLfsFiles({ 'small.psd': small, 'large.psd': large });
    const worktree = await user.worktree();
    const id = await taken(worktree);
    user.write('small.psd', 'agent');
    user.write('large.psd', 'agent too');
    await taken(worktree);
    user.remove('.git/lfs');
    const plan = await planRewind(worktree, id, { everything: true });
    expect(plan).toMatchObject({ unavailable: [{ path: 'large.psd', why: expect.stringContaining('git lfs fetch') }] });
    expect(await rewound(worktree, id)).toMatchObject({ written: ['small.psd'], deleted: [], failed: [] });
    expect([user.read('small.psd'), user.read('large.psd')]).toEqual([small, 'agent too']);
  });

  it('and nothing is removed where a file cannot be written', async () => {
    const user = scratch();
    const worktree = await user.worktree();
    user.write('mine.txt', 'mine\n');
    const id = await taken(worktree);
    user.write('mine.txt', 'the agent’s\n');
    await taken(worktree);
    const oid = user.git('rev-parse', `refs/piton/checkpoints/${id}:mine.txt`);
    // A blob that is gone: of a checkpoint's pack that somebody deleted.
    const git: Worktree['git'] = async (args, options) => {
      const result = await worktree.git(args, options);
      if (args[0] !== 'cat-file') return result;
      const text = result.stdout.toString('latin1').replace(new RegExp(`^${oid} blob \\d+\\n(mine\\n\\n)?`, 'm'), `${oid} missing\n`);
      return { ...result, stdout: Buffer.from(text, 'latin1') };
    };
    const broken = { ...worktree, git };
    expect(await planRewind(broken, id, { everything: true })).toMatchObject({ unavailable: [{ path: 'mine.txt' }], steps: [] });
    expect(await rewound(broken, id)).toMatchObject({ written: [], deleted: [] });
    expect(user.read('mine.txt')).toBe('the agent’s\n');
  });
});

it('G5: a tracked file that git rm --cached took out of the index is stored, and not left out', async () => {
  const user = scratch();
  const content = 'b'.repeat(6 * 1024 * 1024);
  user.write('big.bin', content);
  user.commit('big');
  user.git('rm', '--quiet', '--cached', 'big.bin');
  const worktree = await user.worktree();
  const result = await take(worktree, STOP);
  expect(result).toMatchObject({ result: 'made', checkpoint: { skipped: [] } });
  const id = await taken(worktree);
  user.remove('big.bin');
  await taken(worktree);
  expect(await rewound(worktree, id)).toMatchObject({ written: ['big.bin'] });
  expect(user.read('big.bin') === content).toBe(true);
});

describe('G6: line ends after a rewind are what they were', () => {
  const FORMS = { 'lf.txt': 'a\nb\n', 'crlf.txt': 'a\r\nb\r\n', 'mixed.txt': 'a\r\nb\nc\r\n', 'odd.txt': 'a\r\r\nb\rc\n' };
  type Settings = { readonly attributes: string; readonly config: readonly string[] };
  const SETTINGS: Record<string, Settings> = {
    nothing: { attributes: '', config: [] },
    'text=auto': { attributes: '* text=auto\n', config: [] },
    'eol=crlf': { attributes: '* text eol=crlf\n', config: [] },
    'eol=lf': { attributes: '* text eol=lf\n', config: [] },
    'autocrlf=true': { attributes: '', config: ['core.autocrlf', 'true'] },
    'autocrlf=input': { attributes: '', config: ['core.autocrlf', 'input'] },
    '-text': { attributes: '* -text\n', config: [] },
  };
  const apply = (user: Scratch, { attributes, config }: Settings) => {
    user.write('.gitattributes', attributes);
    if (config.length > 0) user.git('config', ...config);
  };
  /** What git would do with the line ends of a file that it writes, by settings: each is saved under once and rewound under one of each kind. */
  const KINDS = [
    ['nothing', '-text'],
    ['text=auto', 'eol=lf', 'autocrlf=input'],
    ['eol=crlf', 'autocrlf=true'],
  ] as const;
  const laterThan = (at: number) => KINDS.map((kind) => kind[at % kind.length] as string);
  const both = Object.keys(FORMS).flatMap((name) => [`committed/${name}`, `new/${name}`]);

  it.each(Object.keys(SETTINGS).map((then, at) => [then, laterThan(at)] as const))(
    'saved under %s, rewound under %j, whether committed or not',
    async (then, later) => {
      const user = scratch();
      user.git('config', 'core.safecrlf', 'false');
      user.git('config', 'core.autocrlf', 'false');
      apply(user, SETTINGS[then] as Settings);
      for (const [name, content] of Object.entries(FORMS)) user.write(`committed/${name}`, content);
      user.commit('committed');
      for (const [name, content] of Object.entries(FORMS)) user.write(`new/${name}`, content);
      const id = await taken(await user.worktree());
      for (const now of later) {
        user.git('config', 'core.autocrlf', 'false');
        apply(user, SETTINGS[now] as Settings);
        for (const file of both) user.write(file, `agent under ${now}\n`);
        const worktree = await user.worktree();
        await taken(worktree);
        await rewind(worktree, id, { paths: ['committed', 'new'] });
        for (const file of both) expect([now, file, user.read(file)]).toEqual([now, file, FORMS[basename(file) as keyof typeof FORMS]]);
        // And its undoing gives back what was there before it.
        await undoRewind(await user.worktree());
        for (const file of both) expect([now, file, user.read(file)]).toEqual([now, file, `agent under ${now}\n`]);
      }
    },
  );
});

describe('G20: what git must be asked costs no more for many files', () => {
  /** The command, and the index that it was for: each conversion of many files has one of its own. */
  interface Started {
    readonly command: string;
    readonly index: string;
  }

  async function processes(files: number, more: (user: Scratch) => void = () => {}): Promise<Started[]> {
    const user = scratch();
    user.write('.gitattributes', '* text=auto eol=crlf\n*.enc working-tree-encoding=UTF-16LE\n');
    user.commit('attributes');
    await taken(await user.worktree());
    for (let at = 0; at < files; at++) user.write(`dos/${at}.txt`, `line ${at}\r\nanother\r\n`);
    more(user);
    const worktree = await user.worktree();
    const started: Started[] = [];
    const git: Worktree['git'] = (args, options) => {
      started.push({ command: args.join(' '), index: options.environment?.['GIT_INDEX_FILE'] ?? '' });
      return worktree.git(args, options);
    };
    const id = await taken({ ...worktree, git });
    expect(user.git('rev-parse', `refs/piton/checkpoints/${id}:dos/7.txt`)).toBe(user.git('hash-object', 'dos/7.txt'));
    user.remove('dos');
    await rewound({ ...worktree, git }, id);
    expect(user.read('dos/7.txt')).toBe('line 7\r\nanother\r\n');
    return started;
  }

  it('in some thirty processes for 600, to save them and to rewind', async () => {
    // A few more where git has refreshed the index in between.
    expect((await processes(600)).length).toBeLessThan(60);
  });

  it('and finds the one that git refuses by halves', async () => {
    const tries = new Map<string, number>();
    for (const { command, index } of await processes(300, (user) => user.write('dos/200.enc', 'odd')))
      if (command.startsWith('update-index --add')) tries.set(index, (tries.get(index) ?? 0) + 1);
    // However often git has refreshed the index in between, and files are looked at again: 301 are halved nine times, and the one that is
    // refused is among one of two halves each time.
    const most = Math.max(...tries.values());
    expect(most).toBeGreaterThan(9);
    expect(most).toBeLessThanOrEqual(1 + 2 * 9);
  });
});

describe('a checkpoint of an older version', () => {
  /** What such a version wrote: neither the mark nor the bytes beside, where a checkout would have given them back. */
  function makeOld(user: Scratch, worktree: Worktree, id: string): void {
    const ref = `refs/piton/checkpoints/${id}`;
    const message = user.git('log', '-1', '--format=%B', ref).replace(/,\n {2}"(?:verbatim|asOnDisk)": true/g, '');
    expect(message).not.toMatch(/asOnDisk/);
    user.write('../message', `${message}\n`);
    const commit = user.git('commit-tree', `${ref}^{tree}`, '-p', 'HEAD', '-F', `${user.home}/message`);
    user.git('update-ref', ref, commit);
    user.shell(`git update-ref -d refs/piton/verbatim/${id}`);
    const last = join(worktree.state, 'last.json');
    const { converted: _converted, ...older } = JSON.parse(readFileSync(last, 'utf8'));
    writeFileSync(last, JSON.stringify({ ...older, commit }));
  }

  it('is rewound to as a checkout would do it; what only a filter could write is named and left alone', async () => {
    const user = withLfsFiles({ 'large.psd': 'content' });
    user.git('config', 'filter.rot.clean', 'tr a-z n-za-m');
    user.git('config', 'filter.rot.smudge', 'tr n-za-m a-z');
    user.write('.gitattributes', `${ATTRIBUTES}*.rot filter=rot\n*.bat text eol=crlf\n`);
    user.write('secret.rot', 'secret\n');
    user.write('run.bat', 'a\r\nb\r\n');
    gitWithLfs(user, 'add', '-A');
    gitWithLfs(user, 'commit', '--quiet', '-m', 'more');
    const worktree = await user.worktree();
    const id = await taken(worktree);
    makeOld(user, worktree, id);
    for (const name of ['large.psd', 'secret.rot', 'run.bat', 'README.md']) user.write(name, 'agent\n');
    await taken(worktree);
    expect(await planRewind(worktree, id, { everything: true })).toMatchObject({
      unavailable: [{ path: 'secret.rot', why: expect.stringContaining('the filter rot') }],
    });
    expect(await rewound(worktree, id)).toMatchObject({ written: ['README.md', 'large.psd', 'run.bat'], deleted: [], failed: [] });
    const read = ['large.psd', 'secret.rot', 'run.bat', 'README.md'].map((name) => user.read(name));
    expect(read).toEqual(['content', 'agent\n', 'a\r\nb\r\n', 'read me\n']);
  });

  it('is followed by one that has all bytes, though nothing changed', async () => {
    const user = withLfsFiles({ 'large.psd': 'content' });
    const worktree = await user.worktree();
    const id = await taken(worktree);
    makeOld(user, worktree, id);
    expect(await take(worktree, STOP)).toMatchObject({ result: 'made', changes: [], checkpoint: { before: id, asOnDisk: true } });
    expect(await take(worktree, STOP)).toMatchObject({ result: 'unchanged' });
  });
});
