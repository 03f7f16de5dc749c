import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import type { RewindPlan } from '../../src/rewind/rewind-plan.ts';
import { gitWithLfs, installLfs } from '../lfs-program.ts';
import type { SeededRandom } from '../random.ts';
import { directory, Scratch } from '../scratch.ts';
import { type Call, SharedTree } from '../shared-tree.ts';
import { type SmallDisk, unlessFull } from './small-disk.ts';
import type { Tally } from './tally.ts';

/** Names of any bytes, one character a byte. Some are folders of others, and some differ in case alone. */
const NAMES = [
  ...['a.txt', 'A.txt', 'src/main.ts', 'src/Main.ts', 'Src/main.ts', 'src', 'src/deep/er/leaf', 'src/deep', 'run.sh', 'debug.log'],
  ...[
    'new\nline.txt',
    'tab\there',
    '"quoted".txt',
    'back\\slash',
    ' blank ',
    '*',
    ':(top)x',
    '[a]',
    '-n',
    '\xff\xfe.bin',
    'caf\xc3\xa9',
    '\xe9/x',
  ],
  ...['large.psd', 'doc.dat', '.gitignore', '.gitattributes', 'module', 'module/file', 'inner/tree'],
] as const;

const RULES = [
  '* text=auto eol=crlf',
  '*.txt text',
  '*.txt ident',
  '*.psd filter=lfs -text',
  '*.dat filter=rot',
  '* filter=gone',
  '* -text',
];
const IGNORED = ['*.log', 'src/', '!src/deep', 'module', '*.dat', '/a.txt'];

interface Remembered {
  readonly call: Call;
  /** Null: it could change anything. */
  readonly file: string | null;
  readonly before: ReadonlyMap<string, string>;
  /** Of these a checkpoint has the commit: what is in them is theirs to keep. */
  readonly submodules: readonly string[];
}

/**
 * A day in which anything may become anything: files, folders, links and pipes in the place of each other, names of any bytes, names that
 * differ in case alone, other repositories inside of this one, what is ignored, and what git makes of bytes. The truth is a walk over the
 * disk before each call. A rewind gives back just that, or its plan has said which paths it cannot; and then it is undone.
 */
export class RewindDay {
  readonly done: string[] = [];
  readonly #random: SeededRandom;
  readonly #user: Scratch;
  readonly #tree: SharedTree;
  readonly #tally: Tally;
  readonly #disk: SmallDisk | null;
  readonly #calls: Remembered[] = [];
  #isAsked = false;

  /** `disk`: one that is filled and emptied in between. */
  constructor(user: Scratch, random: SeededRandom, tally: Tally, disk: SmallDisk | null = null) {
    [this.#user, this.#random, this.#tally, this.#disk] = [user, random, tally, disk];
    this.#tree = new SharedTree(user);
    installLfs(user);
    for (const [key, value] of [
      ['core.safecrlf', 'false'],
      ['protocol.file.allow', 'always'],
      ['filter.rot.clean', 'tr a-z n-za-m'],
      ['filter.rot.smudge', 'tr n-za-m a-z'],
    ])
      user.git('config', key as string, value as string);
    const other = new Scratch(user.home, `${user.home}/other`);
    mkdirSync(other.root);
    other.git('init', '--quiet', '--initial-branch=main');
    other.write('file', 'of another repository\n');
    other.commit('other');
  }

  #pick = <One>(some: readonly One[]): One => some[this.#random(some.length)] as One;
  #path = (name: string): Buffer => Buffer.from(`${this.#user.root}/${name}`, 'latin1');

  async step(): Promise<void> {
    const moves: Record<string, () => Promise<unknown> | unknown> = {
      'person changes something': () => this.#changes('the person'),
      'person changes more': () => this.#changes('the person'),
      command: () => this.#command(),
      'another command': () => this.#command(),
      'and another': () => this.#command(),
      edit: () => this.#edit(),
      'rules change': () => this.#rules(),
      git: () => this.#git(),
      stop: () => this.#stop(),
      rewind: () => this.rewinds(),
      'another rewind': () => this.rewinds(),
      ...this.#disk?.moves(this.#pick),
    };
    const name = this.#pick(Object.keys(moves));
    this.done.push(`-- ${name}`);
    await moves[name]?.();
  }

  #content(): Buffer {
    const text = Array.from({ length: this.#random(5) }, () => `line $Id$ ${this.#random(1000)}`);
    return this.#pick<() => Buffer>([
      () => Buffer.from(text.join('\n')),
      () => Buffer.from(text.map((line) => `${line}\r\n`).join('')),
      () => Buffer.from([0, 255, this.#random(255), 13, 10]),
      () => Buffer.alloc(0),
      () => Buffer.from(`AWS_SECRET_ACCESS_KEY=hunter2\n-----BEGIN RSA PRIVATE KEY-----\nMIIE${this.#random(99)}\n`),
      () => Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`),
    ])();
  }

  /** Something becomes something else, whatever it was. */
  #changes(who: string, name: string = this.#pick(NAMES)): void {
    const path = this.#path(name);
    const put = (act: () => void) => () => {
      rmSync(path, { recursive: true, force: true });
      // What stands in the way of its folders goes.
      const parts = name.split('/');
      for (let at = 1; at < parts.length; at++) {
        const above = this.#path(parts.slice(0, at).join('/'));
        const found = lstatSync(above, { throwIfNoEntry: false });
        if (found !== undefined && !found.isDirectory()) rmSync(above);
      }
      mkdirSync(Buffer.from(dirname(path.toString('latin1')), 'latin1'), { recursive: true });
      act();
    };
    const acts: Record<string, () => void> = {
      writes: put(() => writeFileSync(path, this.#content())),
      'writes again': put(() => writeFileSync(path, this.#content())),
      'makes runnable': put(() => writeFileSync(path, this.#content(), { mode: 0o755 })),
      locks: put(() => writeFileSync(path, this.#content(), { mode: 0o444 })),
      'links to a file': put(() => symlinkSync('a.txt', path)),
      'links to a folder': put(() => symlinkSync(this.#pick(['src', '.', '..', '\xc3\xa9']), path)),
      'makes a folder': put(() => {
        mkdirSync(path);
        writeFileSync(Buffer.concat([path, Buffer.from('/inside')]), this.#content());
      }),
      // Git itself waits for whoever would write into a pipe of that name.
      'makes a pipe': put(() => {
        if (isUtf8(name) && !name.startsWith('.git'))
          execFileSync('mkfifo', ['--', this.#user.path(Buffer.from(name, 'latin1').toString())]);
      }),
      removes: () => rmSync(path, { recursive: true, force: true }),
      'removes it too': () => rmSync(path, { recursive: true, force: true }),
      'renames in case': () => {
        const other = this.#path(name.toUpperCase());
        if (lstatSync(path, { throwIfNoEntry: false }) && !lstatSync(other, { throwIfNoEntry: false })) renameSync(path, other);
      },
      'flips a right': () => {
        const found = lstatSync(path, { throwIfNoEntry: false });
        if (found?.isFile()) chmodSync(path, found.mode ^ 0o100);
      },
      'makes a repository': put(() => {
        if (isUtf8(name)) this.#tries('clone', '--quiet', '../other', this.#user.path(name));
      }),
    };
    const act = this.#pick(Object.keys(acts));
    this.done.push(`${who} ${act} ${JSON.stringify(name)}`);
    try {
      acts[act]?.();
    } catch (error) {
      // A link that leads in circles, a name in its own way: whatever happened is what the disk shows.
      this.done.push(`  ${(error as Error).message.split('\n')[0]}`);
    }
  }

  #rules(): void {
    const [file, some] = this.#pick([['.gitattributes', RULES] as const, ['.gitignore', IGNORED] as const]);
    const lines = Array.from({ length: this.#random(4) }, () => this.#pick(some));
    this.done.push(`${file}: ${lines.join(' | ')}`);
    rmSync(this.#user.path(file), { recursive: true, force: true });
    unlessFull(() => this.#user.write(file, lines.map((line) => `${line}\n`).join('')));
  }

  #git(): void {
    this.#tries(
      ...this.#pick<readonly string[]>([
        ['commit', '--quiet', '-m', 'All of it'],
        ['commit', '--quiet', '-m', 'And again'],
        ['stash', 'push', '--include-untracked', '--quiet'],
        ['stash', 'pop', '--quiet'],
        ['rm', '-r', '--cached', '--quiet', 'src'],
        ['submodule', '--quiet', 'add', '--force', '../other', 'module'],
        ['submodule', '--quiet', 'deinit', '--force', '--all'],
        ['worktree', 'add', '--quiet', '--force', '--detach', 'inner/tree'],
        ['worktree', 'remove', '--force', 'inner/tree'],
        ['checkout', '--force', '--quiet', '--', '.'],
        ['clean', '-ffdq'],
        ['config', 'core.autocrlf', this.#pick(['true', 'input', 'false'])],
        ['config', 'core.ignoreCase', this.#pick(['true', 'false'])],
      ]),
    );
  }

  #tries(...args: string[]): void {
    this.done.push(`git ${args.join(' ')}`);
    try {
      if (args[0] === 'commit') gitWithLfs(this.#user, 'add', '-A');
      gitWithLfs(this.#user, ...args);
    } catch {
      this.done.push('  refused');
    }
  }

  async #asked(): Promise<void> {
    if (!this.#isAsked) await this.#tree.prompt('s1');
    this.#isAsked = true;
  }

  async #stop(): Promise<void> {
    if (this.#isAsked) await this.#tree.stop('s1');
    this.#isAsked = false;
  }

  async #command(): Promise<void> {
    await this.#asked();
    const before = this.#onDisk();
    const call = await this.#tree.begins('s1', 'shell', { command: 'make everything' });
    this.#calls.push({ call, file: null, before, submodules: this.#submodules() });
    for (let left = 1 + this.#random(4); left > 0; left--) this.#random(4) === 0 ? this.#git() : this.#changes('the agent');
    await this.#tree.ends('s1', call);
  }

  async #edit(): Promise<void> {
    await this.#asked();
    const file = this.#pick(NAMES.filter(isUtf8));
    const before = this.#onDisk();
    const call = await this.#tree.begins('s1', 'edit', { file_path: this.#user.path(Buffer.from(file, 'latin1').toString()) });
    this.#calls.push({ call, file, before, submodules: this.#submodules() });
    this.#changes('the agent', file);
    await this.#tree.ends('s1', call);
  }

  /** To before a random call, and back again. */
  async rewinds(): Promise<void> {
    if (this.#calls.length === 0) return;
    const { call, file, before, submodules } = this.#pick(this.#calls);
    const now = this.#onDisk();
    const ignored = [...this.#ignored(now, before), ...submodules, ...this.#submodules()];
    const checkpoints = await this.#tree.checkpoints();
    this.done.push(`rewind to before ${file === null ? 'a command' : `an edit of ${JSON.stringify(file)}`}`);
    const plan = await checkpoints.planRewind(call.stamp, { everything: true });
    expect(this.#onDisk(), 'a plan changes nothing').toEqual(now);
    const result = await checkpoints.rewind(call.stamp, { everything: true });
    if (plan.result !== 'plan' || result.result !== 'rewound') {
      expect(['refused', 'failed']).toContain(result.result);
      expect(this.#onDisk(), `refused, and something has changed: ${JSON.stringify(result)}`).toEqual(now);
      this.#tally.add('refused');
      return;
    }
    this.done.push(`  plan: ${planText(plan)}`);
    const named = (path: string): boolean =>
      [...plan.unavailable, ...plan.leftOut, ...plan.kept].some((one) => isAt(path, one.path)) || ignored.some((one) => isAt(path, one));
    expect(result.failed, 'all that can fail is known before').toEqual([]);
    this.#compare(before, named, file ?? undefined);
    if (result.written.length + result.deleted.length === 0) return;
    this.done.push('and back again');
    const then = this.#onDisk();
    let undone = await checkpoints.undoRewind();
    if (undone.result !== 'rewound' && this.#disk?.isFull()) {
      expect(this.#onDisk(), `not taken back, and something has changed: ${JSON.stringify(undone)}`).toEqual(then);
      this.#disk.free();
      undone = await checkpoints.undoRewind();
    }
    if (undone.result === 'rewound')
      this.done.push(`  undone: ${planText(undone.plan)}, ${JSON.stringify({ ...undone, plan: undefined })}`);
    expect(undone).toMatchObject({ result: 'rewound', failed: [] });
    this.#compare(now, named);
  }

  #compare(wanted: ReadonlyMap<string, string>, named: (path: string) => boolean, only?: string): void {
    const found = this.#onDisk();
    const paths = only === undefined ? [...new Set([...wanted.keys(), ...found.keys()])] : [only];
    const lost = paths.filter((path) => !named(path) && wanted.get(path) !== found.get(path));
    this.#tally.add('files', paths.length);
    this.#tally.add('named', paths.filter(named).length);
    this.#tally.add('lost', lost.length);
    expect(Object.fromEntries(lost.map((path) => [path, found.get(path)]))).toEqual(
      Object.fromEntries(lost.map((path) => [path, wanted.get(path)])),
    );
  }

  /** As the index or the last commit have them. */
  #submodules(): string[] {
    const listed = (args: readonly string[]): string =>
      spawnSync('git', args, { cwd: this.#user.root, env: this.#user.environment(), encoding: 'latin1' }).stdout;
    const all = `${listed(['ls-files', '-sz'])}${listed(['ls-tree', '-rz', 'HEAD'])}`;
    return all.split('\0').flatMap((line) => /^160000 [^\t]*\t(.*)$/s.exec(line)?.[1] ?? []);
  }

  /** What git ignores by the rules of any of these moments, in its own words: no checkpoint has it, or may delete it. */
  #ignored(...states: readonly ReadonlyMap<string, string>[]): string[] {
    const paths = [...new Set(states.flatMap((state) => [...state.keys()]))];
    return states.flatMap((state) => {
      // Not on the disk of the day, which may be full.
      const place = directory();
      const rules = /^[-x] (.*)$/s.exec(state.get('.gitignore') ?? '')?.[1];
      if (rules !== undefined) writeFileSync(`${place}/.gitignore`, Buffer.from(rules, 'latin1'));
      // Not by its bare name: git reads `:(top)` at its beginning as its own word.
      const input = Buffer.from(paths.map((path) => `./${path}\0`).join(''), 'latin1');
      const args = [`--git-dir=${this.#user.root}/.git`, `--work-tree=${place}`, 'check-ignore', '-z', '--stdin', '--no-index'];
      const env = { ...this.#user.environment(), GIT_INDEX_FILE: `${place}/none` };
      const { stdout, status, stderr } = spawnSync('git', args, { cwd: place, env, input });
      if (status !== 0 && status !== 1) throw new Error(stderr.toString());
      return stdout
        .toString('latin1')
        .split('\0')
        .filter((path) => path !== '')
        .map((path) => path.slice('./'.length));
    });
  }

  /** Every file and link but git's own. */
  #onDisk(): Map<string, string> {
    const found = new Map<string, string>();
    const visit = (folder: string): void => {
      for (const entry of readdirSync(this.#path(folder), { encoding: 'buffer', withFileTypes: true })) {
        const name = (entry.name as unknown as Buffer).toString('latin1');
        if (name === '.git') continue;
        const path = folder === '' ? name : `${folder}/${name}`;
        const at = this.#path(path);
        if (entry.isDirectory()) visit(path);
        else if (entry.isSymbolicLink()) found.set(path, `link ${readlinkSync(at, { encoding: 'buffer' }).toString('latin1')}`);
        else if (entry.isFile()) found.set(path, `${lstatSync(at).mode & 0o100 ? 'x' : '-'} ${readFileSync(at).toString('latin1')}`);
        // A pipe is nothing that git, or a checkpoint, sees. What it has taken the place of is.
      }
    };
    visit('');
    return found;
  }
}

const planText = ({ steps, target, safety, ...rest }: RewindPlan): string =>
  JSON.stringify({
    ...rest,
    target: target.id,
    safety: safety.skipped,
    steps: steps.map(({ path, entry, from }) => [path, entry?.mode ?? from]),
  });

const isUtf8 = (name: string): boolean => Buffer.from(Buffer.from(name, 'latin1').toString(), 'utf8').toString('latin1') === name;
/** It, or something in it. */
const isAt = (path: string, named: string): boolean => path === named || path.startsWith(`${named.replace(/\/$/, '')}/`);
