import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { expect } from 'vitest';
import { gitWithLfs, installLfs } from '../lfs-program.ts';
import type { SeededRandom } from '../random.ts';
import type { Scratch } from '../scratch.ts';
import { SharedTree } from '../shared-tree.ts';
import { type SmallDisk, unlessFull } from './small-disk.ts';
import type { Tally } from './tally.ts';

const NAMES = ['a.txt', 'b.bin', 'c.psd', 'dir/d.txt', 'dir/deep/e.dat', 'ü.txt', '-x.psd'] as const;

const RULES = [
  '* text=auto',
  '* text=auto eol=crlf',
  '*.txt text eol=lf',
  '*.txt -text',
  '*.txt ident',
  '*.txt working-tree-encoding=UTF-16',
  '*.psd filter=lfs diff=lfs merge=lfs -text',
  '*.dat filter=rot',
  '* filter=rot',
  '*.bin filter=missing',
  '*.bin binary',
] as const;

const CONFIGS: readonly (readonly string[])[] = [
  ['core.autocrlf', 'true'],
  ['core.autocrlf', 'input'],
  ['core.autocrlf', 'false'],
  ['core.eol', 'crlf'],
  ['filter.rot.required', 'true'],
  ['--unset-all', 'filter.rot.required'],
  ['--unset-all', 'core.eol'],
];

interface Remembered {
  readonly stamp: string;
  /** What the call named; null: it could change anything. */
  readonly file: string | null;
  readonly before: ReadonlyMap<string, string>;
  /** Nothing could be saved then: it may have no way back, if that is said. */
  readonly isDiskFull: boolean;
}

/**
 * A day on which a person and an agent write all kinds of bytes, while attributes, filters, Git LFS and line ends are set anew in the middle
 * of calls. The truth is kept here: every byte as it was before each call. A rewind gives back just that, or has said which it cannot.
 */
export class BytesDay {
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
    user.git('config', 'core.safecrlf', 'false');
    user.git('config', 'filter.rot.clean', 'tr a-z n-za-m');
    user.git('config', 'filter.rot.smudge', 'tr n-za-m a-z');
  }

  #pick = <One>(some: readonly One[]): One => some[this.#random(some.length)] as One;

  async step(): Promise<void> {
    const moves: Record<string, () => Promise<unknown> | unknown> = {
      'person writes': () => this.#writes('the person'),
      'person writes more': () => this.#writes('the person'),
      command: () => this.#command(),
      'another command': () => this.#command(),
      edit: () => this.#edit(),
      'another edit': () => this.#edit(),
      settings: () => this.#settings(),
      stop: () => this.#stop(),
      commit: () => this.#tries('commit'),
      stash: () => this.#tries('stash', 'push', '--include-untracked', '--quiet'),
      'stash comes back': () => this.#tries('stash', 'pop', '--quiet'),
      prune: () => this.#random(3) === 0 && rmSync(this.#user.path('.git/lfs'), { recursive: true, force: true }),
      rewind: () => this.rewinds(),
      'another rewind': () => this.rewinds(),
      ...this.#disk?.moves(this.#pick),
    };
    const name = this.#pick(Object.keys(moves));
    this.done.push(`-- ${name}`);
    await moves[name]?.();
  }

  #content(): Buffer {
    const eol = this.#pick(['\n', '\r\n']);
    const text = Array.from({ length: this.#random(6) }, (_, at) => `line ${at} $Id$ ${this.#random(1000)}`);
    return this.#pick<() => Buffer>([
      () => Buffer.from(text.map((line) => `${line}${eol}`).join('')),
      () => Buffer.from(text.map((line, at) => `${line}${at % 2 ? '\r\n' : '\n'}`).join('')),
      () => Buffer.from(text.join('\r')),
      () => Buffer.from(`\ufeff${text.join('\n')}\n`, 'utf16le'),
      () => Buffer.concat([Buffer.from('\0'), randomBytes(40)]),
      () => Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize ${this.#random(99)}\n`),
      () => Buffer.alloc(0),
      () => Buffer.from(`$Id: ${'0'.repeat(40)} $\n`),
    ])();
  }

  #writes(who: string, file: string = this.#pick(NAMES)): void {
    const path = this.#user.path(file);
    const how = this.#random(8);
    this.done.push(`${who} ${['removes', 'links', 'makes runnable'][how] ?? 'writes'} ${file}`);
    const content = this.#content();
    const isWritten = unlessFull(() => {
      if (how <= 1) rmSync(path, { force: true });
      if (how === 1) this.#user.write('dir/keep', ''); // the folder of a link must be there
      if (how === 1 && !file.includes('deep')) symlinkSync('a.txt', path);
      else if (how === 2 && existsSync(path)) chmodSync(path, 0o755);
      else if (how > 2) {
        rmSync(path, { force: true });
        this.#user.write(file, content);
      }
    });
    if (!isWritten) this.done.push('  no room');
  }

  #settings(): void {
    if (this.#random(3) === 0) {
      const config = this.#pick(CONFIGS);
      this.done.push(`config ${config.join(' ')}`);
      this.#tries('config', ...config);
      return;
    }
    const rules = Array.from({ length: this.#random(4) }, () => this.#pick(RULES));
    this.done.push(`attributes ${rules.join(' | ')}`);
    unlessFull(() => this.#user.write('.gitattributes', rules.map((rule) => `${rule}\n`).join('')));
  }

  #tries(...args: string[]): void {
    try {
      if (args[0] === 'commit') gitWithLfs(this.#user, 'add', '-A');
      gitWithLfs(this.#user, ...(args[0] === 'commit' ? ['commit', '--quiet', '-m', 'All of it'] : args));
    } catch {
      // git refuses: bytes that an encoding does not have, nothing to commit
    }
  }

  #isDiskFull = (): boolean => this.#disk?.isFull() ?? false;

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
    const [before, isDiskFull] = [this.#user.everything(), this.#isDiskFull()];
    const call = await this.#tree.begins('s1', 'shell', { command: 'make everything' });
    this.#calls.push({ stamp: call.stamp, file: null, before, isDiskFull });
    for (let left = 1 + this.#random(3); left > 0; left--) {
      const how = this.#random(6);
      if (how === 0) this.#settings();
      else if (how === 1) this.#tries('checkout', '--force', '--quiet', '--', '.');
      else if (how === 2) this.#tries('clean', '-fdq');
      else this.#writes('the agent');
    }
    await this.#tree.ends('s1', call);
  }

  async #edit(): Promise<void> {
    await this.#asked();
    const file = this.#pick(NAMES);
    const [before, isDiskFull] = [this.#user.everything(), this.#isDiskFull()];
    const call = await this.#tree.begins('s1', 'edit', { file_path: this.#user.path(file) });
    this.#calls.push({ stamp: call.stamp, file, before, isDiskFull });
    this.#writes('the agent', file);
    if (this.#random(4) === 0) this.#settings();
    await this.#tree.ends('s1', call);
  }

  /** To before a random call, and back again. */
  async rewinds(): Promise<void> {
    if (this.#calls.length === 0) return;
    const { stamp, file, before, isDiskFull } = this.#pick(this.#calls);
    const now = this.#user.everything();
    const checkpoints = await this.#tree.checkpoints();
    this.done.push(`rewind to before ${file === null ? 'a command' : `an edit of ${file}`}`);
    const plan = await checkpoints.planRewind(stamp, { everything: true });
    if (plan.result !== 'plan') return this.#refused(plan, now, isDiskFull);
    const named = new Set([...plan.unavailable, ...plan.leftOut, ...plan.kept].map(({ path }) => path));
    const result = await checkpoints.rewind(stamp, { everything: true });
    if (result.result !== 'rewound') return this.#refused(result, now, isDiskFull);
    expect(result).toMatchObject({ result: 'rewound', failed: [] });
    this.#compare(before, named, file === null ? undefined : Buffer.from(file).toString('latin1'));
    if (result.written.length + result.deleted.length === 0) return;
    const then = this.#user.everything();
    const undone = await checkpoints.undoRewind();
    if (undone.result !== 'rewound') {
      this.#refused(undone, then, false);
      this.#disk?.free();
      expect(await checkpoints.undoRewind()).toMatchObject({ result: 'rewound', failed: [] });
    } else expect(undone).toMatchObject({ failed: [] });
    this.#compare(now, named);
  }

  /** Only where something could not be saved, or written, and then nothing has changed. */
  #refused(result: object, before: ReadonlyMap<string, string>, wasDiskFull: boolean): void {
    this.done.push(`  refused: ${JSON.stringify(result)}`);
    this.#tally.add('refused');
    expect(wasDiskFull || this.#isDiskFull(), `refused with room enough: ${JSON.stringify(result)}`).toBe(true);
    expect(this.#user.everything(), 'refused, and something has changed').toEqual(before);
  }

  #compare(wanted: ReadonlyMap<string, string>, named: ReadonlySet<string>, only?: string): void {
    const found = this.#user.everything();
    const paths = only === undefined ? [...new Set([...wanted.keys(), ...found.keys()])] : [only];
    const lost = paths.filter((path) => !named.has(path) && wanted.get(path) !== found.get(path));
    this.#tally.add('files', paths.length);
    this.#tally.add('named', paths.filter((path) => named.has(path)).length);
    this.#tally.add('lost', lost.length);
    expect(
      lost.map((path) => [path, found.get(path)]),
      'bytes that did not come back',
    ).toEqual(lost.map((path) => [path, wanted.get(path)]));
    expect(lost).toEqual([]);
  }
}
