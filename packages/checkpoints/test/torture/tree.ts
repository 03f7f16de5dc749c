import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { linkCommit, markMessage } from '../../src/links/link.ts';
import { relinkRewritten } from '../../src/links/resolve.ts';
import { rewind } from '../../src/rewind/rewind.ts';
import { undoRewind } from '../../src/rewind/undo.ts';
import type { Taken } from '../../src/snapshot/take.ts';
import { takeAtBoundary } from '../../src/turns/boundary-checkpoint.ts';
import { beginTurn } from '../../src/turns/open-turns.ts';
import { endTurn, openTurns } from '../../src/turns/turn-file.ts';
import type { Worktree } from '../../src/worktree.ts';
import type { SeededRandom } from '../random.ts';
import type { Scratch } from '../scratch.ts';
import type { PairedTrees } from './paired-trees.ts';

type Snapshot = ReadonlyMap<string, string>;

/** Git's own hooks say what happened; what Piton's would do then is done once git has ended, as in life. */
export function listenToGit(user: Scratch): void {
  const inRebase = '[ -d "$(git rev-parse --git-dir)/rebase-merge" ]';
  user.write('.git/hooks/post-commit', `#!/bin/sh\n${inRebase} || echo commit >> "$HOME/committed"\n`, 0o755);
  user.write('.git/hooks/post-rewrite', '#!/bin/sh\ncat >> "$HOME/rewritten"\n', 0o755);
}

/** One working tree of the day. */
export class Tree {
  readonly pair: PairedTrees;
  readonly worktree: Worktree;
  readonly #random: SeededRandom;
  /** What the working tree was when a checkpoint was made, but for what is ignored. */
  readonly snapshots = new Map<string, Snapshot>();

  constructor(pair: PairedTrees, worktree: Worktree, random: SeededRandom) {
    this.pair = pair;
    this.worktree = worktree;
    this.#random = random;
  }

  remember(taken: Taken): void {
    if (taken.result === 'failed') throw new Error(taken.error);
    this.pair.looked();
    const id = taken.result === 'made' ? taken.checkpoint.id : taken.id;
    const now = this.pair.visible();
    // Those of a rewind, and of a process that was killed, come without the truth.
    const known = this.snapshots.get(id);
    if (known) expect(known, `checkpoint ${id} is said to be this very tree`).toEqual(now);
    this.snapshots.set(id, now);
  }

  someSnapshot(): string {
    const ids = [...this.snapshots.keys()];
    return ids[this.#random(ids.length)] ?? '';
  }

  async begin(session: string): Promise<void> {
    this.remember(await beginTurn(this.worktree, aboutTurn(session)).done);
  }

  async work(session: string, most = 4): Promise<void> {
    for (let left = 1 + this.#random(most); left > 0; left--) {
      this.pair.edit(session);
      if (this.#random(6) === 0) this.pair.disaster();
      if (this.#random(4) === 0) await this.close('todo', session);
    }
  }

  /** A checkpoint of what lies behind a session, alone or beside others. */
  async close(kind: 'todo' | 'stop', session: string): Promise<Taken> {
    const others = (await openTurns(this.worktree)).some((turn) => turn.session !== session);
    const taken = await takeAtBoundary(this.worktree, { ...aboutTurn(session), kind, by: others ? 'shared' : 'agent' });
    this.remember(taken);
    return taken;
  }

  async stop(session: string): Promise<void> {
    await this.close('stop', session);
    await endTurn(this.worktree, session);
  }

  /** A commit of what is staged, with our line in its message or without. */
  async commit(subject: string, ...more: string[]): Promise<void> {
    await this.git('commit', '-q', ...more, '-m', this.#random(2) === 0 ? subject : await this.marked(subject));
  }

  /** The message as Piton's hook leaves it. */
  async marked(subject: string): Promise<string> {
    const file = join(this.pair.user.home, 'message');
    writeFileSync(file, `${subject}\n`);
    await markMessage(this.worktree, { hook: 'prepare-commit-msg', file, source: 'message' });
    return readFileSync(file, 'utf8').trim();
  }

  /** In both; then what git's hooks said of it is heeded. */
  async git(...args: string[]): Promise<boolean> {
    const done = this.pair.git(...args);
    await this.heed();
    return done;
  }

  async heed(): Promise<void> {
    const rewritten = said(this.pair.user, 'rewritten');
    if (said(this.pair.user, 'committed') !== '') await this.link();
    if (rewritten === '') return;
    this.pair.rewritten(rewritten);
    await relinkRewritten(this.worktree, rewritten);
  }

  async link(): Promise<void> {
    this.pair.committed();
    const linked = await linkCommit(this.worktree);
    for (const { id } of linked?.made ?? []) this.snapshots.set(id, this.pair.visible());
  }

  /** To a random checkpoint of which the truth is known, whole; and sometimes back again. */
  async rewinds(): Promise<void> {
    const id = this.someSnapshot();
    const before = this.pair.visible();
    const result = await rewind(this.worktree, id, { everything: true });
    if (result.result === 'refused') return;
    if (result.result === 'failed') throw new Error(result.error);
    expect(result.failed).toEqual([]);
    this.pair.becomes(
      this.snapshots.get(id) ?? new Map(),
      result.kept.map(({ path }) => path),
    );
    this.check(`rewind to ${id}`);
    const nothing = result.written.length + result.deleted.length === 0;
    if (nothing || this.#random(2) === 0) return;
    expect(await undoRewind(this.worktree)).toMatchObject({ result: 'rewound', failed: [] });
    this.pair.becomes(before, []);
  }

  check(what: string): void {
    const { user, plain } = this.pair;
    const same = (name: string, of: (repository: Scratch) => unknown) => expect(of(user), `${name} after ${what}`).toEqual(of(plain));
    same('files', (repository) => repository.everything());
    same('refs', (repository) => repository.git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/stash'));
    same('HEAD', (repository) => repository.shell('cat "$(git rev-parse --git-dir)/HEAD"'));
    same('index', (repository) => repository.git('ls-files', '--stage'));
  }
}

export const aboutTurn = (session: string) => ({ name: `turn of ${session}`, session, agent: 'someone', turn: session });

/** What git's hooks have said since this was last asked. */
export function said({ home }: Scratch, name: string): string {
  const file = join(home, name);
  if (!existsSync(file)) return '';
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  return text;
}
