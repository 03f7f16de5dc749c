import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SeededRandom } from '../random.ts';
import type { Scratch } from '../scratch.ts';

const TEXTS = ['a.txt', 'b.txt', 'dir/c.txt', 'dir/sub/d.txt', 'src/main.ts', 'README.md'];
const DISASTERS = [
  'git reset -q --hard && git clean -qfd',
  'rm -rf dir src',
  'git checkout -q .',
  'sed -i 2d a.txt',
  'git stash -q -u && git stash drop -q',
  'chmod +x README.md',
];

/** What all working trees of a day share: what was done, how many lines were written, what time it is. */
export interface Diary {
  readonly done: string[];
  lines: number;
  seconds: number;
  /** Each line of an agent's that was ever committed → the commit that brought it. */
  readonly broughtBy: Map<string, string>;
  /** Commits that took the place of others, as git said. */
  readonly cameFrom: Map<string, string>;
  /** A line → who moved its file away before git brought that back, so that there are two: who copies a line writes the copy. */
  readonly copiedBy: Map<string, Set<string>>;
}

export const newDiary = (): Diary => ({
  ...{ done: [], lines: 0, seconds: 0 },
  ...{ broughtBy: new Map(), cameFrom: new Map(), copiedBy: new Map() },
});

interface Move {
  readonly who: string;
  readonly from: string;
  readonly to: string;
  readonly lines: readonly string[];
}

/** Two working trees to which the same happens; Piton sees but one of them. */
export class PairedTrees {
  readonly user: Scratch;
  readonly plain: Scratch;
  readonly #random: SeededRandom;
  readonly #diary: Diary;
  /** Of which no checkpoint has seen that the first name is gone. */
  #moves: readonly Move[] = [];

  constructor(user: Scratch, plain: Scratch, random: SeededRandom, diary: Diary) {
    this.user = user;
    this.plain = plain;
    this.#random = random;
    this.#diary = diary;
  }

  #both<T>(work: (repository: Scratch) => T): T {
    work(this.user);
    return work(this.plain);
  }

  /** False if git refused; then it did so in both. */
  git(...args: string[]): boolean {
    this.note(`git ${args.join(' ')}`);
    // Later than the last, and the time that it is: who wrote a line is also told by when.
    this.#diary.seconds = Math.max(this.#diary.seconds + 1, Math.floor(Date.now() / 1000));
    const date = `${this.#diary.seconds} +0000`;
    const done = this.#both((repository) => {
      repository.date = date;
      try {
        repository.git(...args);
        return true;
      } catch {
        return false;
      }
    });
    this.#noteCopies();
    return done;
  }

  /** A checkpoint has seen the files as they are. */
  looked(): void {
    this.#moves = [];
  }

  #noteCopies(): void {
    const { copiedBy } = this.#diary;
    for (const { who, from, to, lines } of this.#moves) {
      const [there, here] = [from, to].map((path) => new Set(this.plain.everything().get(path)?.slice(2).split('\n')));
      for (const line of lines) if (there?.has(line) && here?.has(line)) copiedBy.set(line, new Set([...(copiedBy.get(line) ?? []), who]));
    }
  }

  /** Stages some of the lines that are new in a file, as `git add -p` does. */
  stagePart(): void {
    const file = this.someFile();
    const now = this.plain.everything().get(file);
    if (!now?.startsWith('- ')) return;
    this.note(`git add -p ${file}`);
    const known = new Set(this.inHead(file).split('\n'));
    const part = now
      .slice(2)
      .split('\n')
      .filter((line) => known.has(line) || this.#random(2) === 0);
    this.#both((repository) => {
      const hunks = join(repository.home, 'hunks');
      writeFileSync(hunks, part.join('\n'));
      repository.git(
        'update-index',
        '--add',
        '--cacheinfo',
        `100644,${repository.git('hash-object', '-w', '--no-filters', hunks)},${file}`,
      );
    });
  }

  /** A file's text in the plain's last commit; empty where it has none. */
  inHead(file: string): string {
    return this.succeeds('cat-file', '-e', `HEAD:${file}`) ? this.plain.git('cat-file', 'blob', `HEAD:${file}`) : '';
  }

  /** HEAD is new: what it brings. */
  committed(): void {
    for (const line of this.linesBrought('HEAD')) if (!this.#diary.broughtBy.has(line)) this.#diary.broughtBy.set(line, this.head());
  }

  rewritten(pairs: string): void {
    for (const [before = '', after = ''] of pairs.split('\n').map((line) => line.split(' '))) this.#diary.cameFrom.set(after, before);
  }

  /** Lines of agents' that a commit adds to its parent. */
  linesBrought(commit: string): string[] {
    const patch = this.plain.git('show', '--format=', '--no-renames', '--unified=0', commit);
    return [...patch.matchAll(/^\+(agent\d+ \d+ .*)$/gm)].map(([, line = '']) => line);
  }

  /** In the plain alone, to ask it something. */
  succeeds(...args: string[]): boolean {
    try {
      this.plain.git(...args);
      return true;
    } catch {
      return false;
    }
  }

  note(what: string): void {
    this.#diary.done.push(`${basename(this.user.root)}: ${what}`);
  }

  head = (): string => this.user.git('rev-parse', 'HEAD');
  everything = (): Map<string, string> => this.plain.everything();
  userEverything = (): Map<string, string> => this.user.everything();

  /** The plain's files but those that git ignores. */
  visible(): Map<string, string> {
    const ignored = new Set(this.plain.git('ls-files', '--others', '--ignored', '--exclude-standard', '-z').split('\0'));
    return new Map([...this.plain.everything()].filter(([path]) => !ignored.has(path)));
  }

  textFiles = (): string[] =>
    TEXTS.filter((file) =>
      this.plain
        .everything()
        .get(file)
        ?.match(/^[-x] /),
    );
  someFile = (): string => TEXTS[this.#random(TEXTS.length)] ?? '';

  disaster(): void {
    const command = DISASTERS[this.#random(DISASTERS.length)] ?? '';
    this.note(`disaster ${command}`);
    this.#both((repository) => {
      try {
        repository.shell(command);
      } catch {
        // A file that it names may be gone; in both.
      }
    });
    this.#noteCopies();
  }

  /** One change of one file by somebody, who signs each line. */
  edit(who: string): void {
    const file = this.someFile();
    const kind = this.#random(12);
    const now = this.plain.everything().get(file)?.slice(2).split('\n') ?? [''];
    this.note(`${who} edits ${file} (${kind})`);
    if (kind === 0) return this.#both((repository) => repository.remove(file));
    if (kind === 1) return this.#put('ignored/cache', `- ${who} ${this.#diary.lines++}\n`);
    if (kind === 2) return this.#put('bin.dat', `- ${String.fromCharCode(0, this.#random(256), 13, 10)}`);
    if (kind === 3) return this.#put('link', `link ${this.someFile()}`);
    if (kind === 4) return this.#put('tool.sh', `${this.#random(2) ? 'x' : '-'} ${who} ${this.#diary.lines++}\n`);
    if (kind === 5) return this.#move(who, file, this.someFile());
    const lines = [...now];
    const at = this.#random(lines.length);
    if (kind < 8 && lines.length > 1) lines.splice(Math.min(at, lines.length - 2), 1);
    else
      lines.splice(
        Math.min(at, lines.length - 1),
        0,
        ...Array.from({ length: 1 + this.#random(3) }, () => `${who} ${this.#diary.lines++} wrote this`),
      );
    this.#put(file, `- ${lines.join('\n')}`);
  }

  #move(who: string, from: string, to: string): void {
    const content = this.plain.everything().get(from);
    if (!content || this.plain.everything().has(to)) return;
    this.#both((repository) => repository.remove(from));
    this.#put(to, content);
    this.#moves = [...this.#moves, { who, from, to, lines: content.slice(2).split('\n') }];
  }

  #put(path: string, content: string): void {
    this.#both((repository) => put(repository, path, content));
  }

  /** What the truth says that a rewind has made of the files: these, and whatever is ignored or was kept. */
  becomes(files: ReadonlyMap<string, string>, kept: readonly string[]): void {
    const now = this.visible();
    for (const path of now.keys()) {
      if (files.has(path) || kept.includes(path)) continue;
      rmSync(this.plain.path(path), { force: true });
      removeEmpty(this.plain, dirname(path));
    }
    for (const [path, content] of files) if (now.get(path) !== content && !kept.includes(path)) put(this.plain, path, content);
  }
}

function removeEmpty(repository: Scratch, directory: string): void {
  if (directory === '.') return;
  try {
    repository.shell(`rmdir '${directory}' 2>/dev/null`);
    removeEmpty(repository, dirname(directory));
  } catch {
    // Something is left in it.
  }
}

/** `content` as a listing has it: `- bytes`, `x bytes`, or `link target`. */
function put(repository: Scratch, path: string, content: string): void {
  const file = repository.path(path);
  mkdirSync(dirname(file), { recursive: true });
  if (content.startsWith('link ')) {
    rmSync(file, { force: true });
    symlinkSync(content.slice('link '.length), file);
    return;
  }
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(file);
  const bytes = Buffer.from(content.slice(2), 'latin1');
  if (!lstatSync(file, { throwIfNoEntry: false }) || !readFileSync(file).equals(bytes)) writeFileSync(file, bytes);
  chmodSync(file, content.startsWith('x') ? 0o755 : 0o644);
}
