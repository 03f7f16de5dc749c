import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import type { Checkpoint } from '../src/checkpoint.ts';
import { readHead } from '../src/repositories/repository.ts';
import { type Taken, take } from '../src/snapshot/take.ts';
import type { Worktree } from '../src/worktree.ts';
import { type SeededRandom, seededRandom } from './random.ts';
import { type Scratch, scratch } from './scratch.ts';

/**
 * Random repositories in which a checkpoint is told what was touched, so that most of what it needs is remembered and not asked of
 * git. Git's own word, with an index of its own, against ours: HEAD, the tree, and what changed.
 */
const RUNS = Number(process.env['PITON_WORD_RUNS'] ?? 4);
const STEPS = Number(process.env['PITON_WORD_STEPS'] ?? 15);
const SEED = Number(process.env['PITON_WORD_SEED'] ?? 7000);

const TURN = { kind: 'stop', name: 'Did it', by: 'agent', session: 's1', agent: 'someone', turn: 't1' } as const;
const DIRECTORIES = ['', 'src/', 'src/deep/', 'src/deep/er/', 'other/'];
const NAMES = ['a.txt', 'b.txt', 'c.up', 'd.bin', 'e.ts'];
const PATHS = DIRECTORIES.flatMap((directory) => NAMES.map((name) => `${directory}${name}`));
/** Of equal length, some of them: only their time and place tell these apart. */
const ATTRIBUTES = [
  '*.txt text \n',
  '*.txt -text\n',
  '* text=auto\n',
  '*.up filter=upper\n',
  '*.ts ident\n',
  '*.txt eol=crlf\n',
  '*.up -filter\n',
];
const SETTINGS = [[], ['core.autocrlf', 'input'], ['core.autocrlf', 'true'], ['core.fileMode', 'false']] as const;

class Walk {
  readonly user: Scratch;
  readonly worktree: Worktree;
  readonly random: SeededRandom;
  readonly done: string[] = [];
  last: Checkpoint | undefined;
  #lines = 0;

  constructor(user: Scratch, worktree: Worktree, random: SeededRandom) {
    this.user = user;
    this.worktree = worktree;
    this.random = random;
  }

  #one = <T>(all: readonly T[]): T => all[this.random(all.length)] as T;
  #path = (): string => this.#one(PATHS);

  #content(): Buffer {
    const end = this.#one(['\n', '\n', '\r\n']);
    const text = `line ${this.#lines++}${end}$Id$ and more${end}`;
    return this.random(5) === 0 ? Buffer.from([0, 13, 10, this.#lines % 256]) : Buffer.from(text);
  }

  #write(path: string): void {
    const file = this.user.path(path);
    mkdirSync(dirname(file), { recursive: true });
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(file);
    writeFileSync(file, this.#content());
  }

  /** Changes one thing; gives what was touched. */
  #act(): string[] {
    const path = this.#path();
    const kind = this.random(12);
    this.done.push(`${kind} ${path}`);
    if (kind === 0) rmSync(this.user.path(path), { force: true });
    else if (kind === 1 && existsSync(this.user.path(path))) chmodSync(this.user.path(path), this.#one([0o644, 0o755]));
    else if (kind === 2) {
      rmSync(this.user.path(path), { force: true });
      mkdirSync(dirname(this.user.path(path)), { recursive: true });
      symlinkSync(this.#one(NAMES), this.user.path(path));
    } else if (kind < 6) return this.#attributes();
    else this.#write(path);
    return [path];
  }

  /** What attributes say of files that are there is seen when those are changed again. */
  #attributes(): string[] {
    const file = this.#one([...DIRECTORIES.map((directory) => `${directory}.gitattributes`), '.git/info/attributes']);
    const text = this.#one([null, ...ATTRIBUTES]);
    this.done.push(`attributes ${file}: ${text}`);
    if (text === null) rmSync(this.user.path(file), { force: true });
    else this.user.write(file, text);
    const again = PATHS.filter((path) => lstatSync(this.user.path(path), { throwIfNoEntry: false })?.isFile());
    for (const path of [...again, this.#path()]) this.#write(path);
    return file.startsWith('.git/') ? PATHS : [file, ...PATHS];
  }

  /** What the person does meanwhile; refs move, are packed, and let go. */
  #person(): void {
    const commands = [
      ['pack-refs', '--all'],
      ['gc', '--quiet', '--prune=now'],
      ['checkout', '--quiet', '--detach'],
      ['checkout', '--quiet', 'main'],
      ['checkout', '--quiet', '-B', `topic/${this.random(3)}`],
      ['branch', '--move', '--force', `renamed${this.random(3)}`],
    ];
    const command = this.#one(commands);
    this.done.push(command.join(' '));
    // To go to another commit would change files of which the walk does not know.
    if (command.includes('main') && this.user.git('rev-parse', 'HEAD') !== this.#rev('refs/heads/main')) return;
    try {
      this.user.git(...command);
    } catch {
      // Without a branch none is renamed.
    }
  }

  #rev(name: string): string {
    try {
      return this.user.git('rev-parse', '--verify', '--quiet', name);
    } catch {
      return '';
    }
  }

  /** All files are there, and git has been asked about each. */
  async begin(): Promise<void> {
    for (const path of PATHS) this.#write(path);
    this.user.commit('all of them');
    for (const path of PATHS) this.#write(path);
    await this.#take(PATHS);
  }

  async #take(touched: readonly string[]): Promise<void> {
    this.#check(await take(this.worktree, { ...TURN, touched: touched.map((path) => this.user.path(path)) }));
  }

  async step(): Promise<void> {
    if (this.random(3) === 0) this.#person();
    if (this.random(8) === 0) {
      this.done.push('commit');
      this.user.commit('so far');
    }
    const touched = this.#act();
    await this.#checkHead();
    await this.#take(touched);
    this.#checkFiltered(touched);
  }

  async #checkHead(): Promise<void> {
    const branch = this.user.shell('git symbolic-ref --quiet HEAD || true').trim();
    expect(await readHead(this.worktree.git, this.worktree.repository)).toEqual({
      commit: this.user.git('rev-parse', 'HEAD'),
      branch: branch || null,
    });
  }

  /** Of a file under a filter that was touched, the bytes themselves. */
  #checkFiltered(touched: readonly string[]): void {
    for (const path of touched.filter(isFiltered)) {
      const found = lstatSync(this.user.path(path), { throwIfNoEntry: false });
      if (!found?.isFile() || !this.user.git('check-attr', 'filter', '--', path).endsWith(': upper')) continue;
      expect(this.user.git('rev-parse', `${this.last?.tree}:${path}`)).toBe(this.user.git('hash-object', '--no-filters', '--', path));
    }
  }

  #check(taken: Taken): void {
    if (taken.result === 'failed') throw new Error(taken.error);
    const tree = treeByGit(this.user);
    if (taken.result === 'unchanged') return expect(listing(this.user, this.last?.tree ?? '')).toEqual(listing(this.user, tree));
    const { checkpoint, changes } = taken;
    expect(listing(this.user, checkpoint.tree)).toEqual(listing(this.user, tree));
    expect(checkpoint.base).toBe(this.user.git('rev-parse', 'HEAD'));
    if (this.last) expect(changes.flatMap(flat)).toEqual(expect.arrayContaining(differences(this.user, this.last.tree, tree)));
    this.last = checkpoint;
  }
}

const KINDS: Readonly<Record<string, string>> = { A: 'new', M: 'modified', T: 'modified', D: 'deleted' };

const flat = (change: Extract<Taken, { result: 'made' }>['changes'][number]): string[] =>
  change.change === 'renamed' ? [`new ${change.path}`, `deleted ${change.from}`] : [`${change.change} ${change.path}`];

/** What is under a filter git stores as the filter has it, and we as it is. */
const isFiltered = (line: string): boolean => line.endsWith('.up');

const listing = (user: Scratch, tree: string): string[] =>
  user
    .git('ls-tree', '-r', tree)
    .split('\n')
    .filter((line) => !isFiltered(line));

function differences(user: Scratch, from: string, to: string): string[] {
  const lines = user.git('diff-tree', '-r', '--no-renames', '--name-status', from, to).split('\n').filter(Boolean);
  return lines.filter((line) => !isFiltered(line)).map((line) => `${KINDS[line[0] ?? '']} ${line.slice(2)}`);
}

function treeByGit(user: Scratch): string {
  const index = '"$HOME/other-index"';
  return user.shell(`cp -p .git/index ${index}; GIT_INDEX_FILE=${index} git add -A && GIT_INDEX_FILE=${index} git write-tree`).trim();
}

for (let run = 0; run < RUNS; run++) {
  const seed = SEED + run;
  it(`what is remembered is what git would say, seed ${seed}`, { timeout: 300_000 }, async () => {
    const random = seededRandom(seed);
    const user = scratch(`--object-format=${seed % 3 === 0 ? 'sha256' : 'sha1'}`);
    user.git('config', 'filter.upper.clean', 'tr a-z A-Z');
    user.git('config', 'core.safecrlf', 'false');
    const setting = SETTINGS[seed % SETTINGS.length] ?? [];
    if (setting.length > 0) user.git('config', ...setting);
    const walk = new Walk(user, await user.worktree(), random);
    try {
      await walk.begin();
      for (let step = 0; step < STEPS; step++) await walk.step();
      expect(user.git('fsck', '--full', '--strict', '--no-dangling')).toBe('');
    } catch (error) {
      throw new Error(`PITON_WORD_SEED=${seed} PITON_WORD_RUNS=1 ${setting.join(' ')}\n${walk.done.join('\n')}\n${error}`, {
        cause: error,
      });
    }
  });
}
