import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { blameFile } from '../../src/attribution/blame.ts';
import { listCheckpoints } from '../../src/history/listing.ts';
import { findLinks, linkIndex, resolveLink } from '../../src/links/resolve.ts';
import type { SeededRandom } from '../random.ts';
import { Scratch } from '../scratch.ts';
import { autoCommitTurn } from './auto-commits.ts';
import { crash } from './crashes.ts';
import { type Diary, newDiary, PairedTrees } from './paired-trees.ts';
import { listenToGit, Tree } from './tree.ts';

/** A day of a person and some agents in one repository, which has one working tree or two. */
export class Day {
  readonly diary: Diary;
  readonly #random: SeededRandom;
  readonly #program: string;
  readonly #main: Tree;
  #linked: Tree | null = null;
  /** Also those that are gone: their checkpoints are not. */
  readonly #everyTree: Tree[];
  #sessions = 0;
  /** Sessions that were at work beside another. */
  readonly #beside = new Set<string>();

  private constructor(main: Tree, diary: Diary, random: SeededRandom, program: string) {
    this.#main = main;
    this.#everyTree = [main];
    this.diary = diary;
    this.#random = random;
    this.#program = program;
  }

  static async begin(user: Scratch, plain: Scratch, random: SeededRandom, program: string): Promise<Day> {
    for (const repository of [user, plain]) {
      repository.date = '2026-01-01T00:00:00Z';
      repository.git('commit', '-q', '--amend', '--no-edit', '--reset-author');
    }
    listenToGit(user);
    const diary = newDiary();
    return new Day(new Tree(new PairedTrees(user, plain, random, diary), await user.worktree(), random), diary, random, program);
  }

  #trees = (): Tree[] => (this.#linked ? [this.#main, this.#linked] : [this.#main]);
  #someTree = (): Tree => (this.#linked && this.#random(3) === 0 ? this.#linked : this.#main);
  #newSession = (): string => `agent${++this.#sessions}`;

  async step(): Promise<void> {
    const acts: Record<string, () => Promise<unknown>> = {
      turn: () => this.#agentTurn(this.#someTree()),
      'another turn': () => this.#agentTurn(this.#someTree()),
      'auto-commit': () => autoCommitTurn(this.#someTree(), this.#newSession()),
      'two at once': () => this.#twoAtOnce(this.#someTree()),
      user: () => this.#userDay(this.#someTree()),
      'user again': () => this.#userDay(this.#someTree()),
      'user once more': () => this.#userDay(this.#someTree()),
      'user all day': () => this.#userDay(this.#someTree()),
      worktree: () => this.#worktree(),
      rewind: () => this.#someTree().rewinds(),
      crash: () => crash(this.#someTree(), this.#random, this.#program, this.#newSession()),
    };
    const names = Object.keys(acts);
    const name = names[this.#random(names.length)] ?? '';
    this.diary.done.push(`-- ${name}`);
    await acts[name]?.();
    for (const tree of this.#trees()) tree.check(name);
  }

  async #agentTurn(tree: Tree): Promise<void> {
    const session = this.#newSession();
    await tree.begin(session);
    await tree.work(session);
    if (this.#random(5) === 0) {
      tree.pair.git('add', '-A');
      await tree.commit(`by ${session}`);
      if (this.#random(2) === 0) await tree.work(session, 1);
    }
    await tree.stop(session);
  }

  /** The second begins and ends while the first is at work, or outlives it. */
  async #twoAtOnce(tree: Tree): Promise<void> {
    const [first, second] = [this.#newSession(), this.#newSession()];
    for (const session of [first, second]) this.#beside.add(session);
    await tree.begin(first);
    await tree.work(first, 2);
    await tree.begin(second);
    await tree.work(second, 2);
    await tree.work(first, 2);
    if (this.#random(3) === 0) {
      tree.pair.git('add', '-A');
      await tree.commit('by one of two');
    }
    const [earlier, later] = this.#random(2) === 0 ? [first, second] : [second, first];
    await tree.stop(earlier);
    await tree.work(later, 2);
    await tree.stop(later);
  }

  async #userDay(tree: Tree): Promise<void> {
    const { pair } = tree;
    const random = this.#random;
    const branch = `branch${random(3)}`;
    const staged = async (subject: string, ...stage: string[]) => {
      pair.git(...stage);
      await tree.commit(subject);
    };
    const acts: (() => Promise<unknown> | unknown)[] = [
      () => staged('all of it', 'add', '-A'),
      () => staged('what is tracked', 'add', '-u'),
      () => staged('one file', 'add', pair.someFile()),
      async () => {
        pair.stagePart();
        await tree.commit('a part of it');
      },
      async () => {
        pair.git('add', '-u');
        await tree.commit('amended', '--amend');
      },
      async () => (await tree.git('checkout', '-q', branch)) || tree.git('checkout', '-q', '-b', branch),
      () => tree.git('checkout', '-q', 'main'),
      async () => (await tree.git('rebase', '-q', 'main')) || tree.git('rebase', '--abort'),
      async () => (await tree.git('cherry-pick', branch)) || tree.git('cherry-pick', '--abort'),
      async () => {
        if (await tree.git('merge', '--squash', '-q', branch)) await tree.commit(`squash of ${branch}`);
        else await tree.git('reset', '-q', '--merge');
      },
      async () => {
        if (await tree.git('reset', '-q', '--soft', 'HEAD~2')) await tree.commit('two in one');
      },
      () => tree.git('stash', 'push', '-q', '-u'),
      async () => (await tree.git('stash', 'pop', '-q')) || tree.git('checkout', '-q', '-f', 'HEAD'),
      () => tree.git('gc', '-q', '--prune=now'),
      () => pair.git('add', '-A'),
      () => pair.stagePart(),
      () => pair.edit('me'),
      () => pair.edit('me'),
      () => pair.edit('me'),
    ];
    await acts[random(acts.length)]?.();
  }

  /** A second working tree comes, or goes with all that is in it. */
  async #worktree(): Promise<void> {
    const { pair } = this.#main;
    const [user, plain] = [pair.user, pair.plain].map((one) => new Scratch(one.home, join(one.home, 'linked'))) as [Scratch, Scratch];
    if (this.#linked) {
      this.#linked = null;
      pair.git('worktree', 'remove', '--force', '../linked');
      for (const { root } of [user, plain]) rmSync(root, { recursive: true, force: true });
    } else if (pair.git('worktree', 'add', '-q', '--detach', '../linked')) {
      this.#linked = new Tree(new PairedTrees(user, plain, this.#random, this.diary), await user.opened(), this.#random);
      this.#everyTree.push(this.#linked);
      await this.#linked.git('checkout', '-q', '-B', 'linked');
    }
  }

  /** Lines say who wrote them. */
  async checkAuthors(): Promise<void> {
    for (const tree of this.#trees()) {
      const { pair, worktree } = tree;
      for (const file of pair.textFiles()) {
        for (const { text, by, session, commit } of (await blameFile(worktree, pair.user.path(file))) ?? []) {
          const [writer = ''] = text.split(' ');
          if (!/^(me|agent\d+)$/.test(writer) || (by === 'shared' && this.#beside.has(writer))) continue;
          if (commit === null && writer !== 'me' && !this.#mayBeKnown(tree, file, text)) continue;
          const told = by === 'human' ? 'me' : by === 'agent' ? (session ?? by) : by;
          if (this.diary.copiedBy.get(text)?.has(told)) continue;
          expect(told, `author of "${text}" in ${file}`).toBe(writer);
        }
      }
    }
  }

  /**
   * A line that came here from another working tree, in no commit, and was moved to another name before any checkpoint here saw it:
   * nothing ties the two names together but the line itself.
   */
  #mayBeKnown(tree: Tree, file: string, line: string): boolean {
    const has = (content: string | undefined) => content?.split('\n').some((one) => one.replace(/^[-x] /, '') === line) ?? false;
    return this.#everyTree.some((one) =>
      [...one.snapshots.values()].some((files) => (one === tree ? [...files.values()].some(has) : has(files.get(file)))),
    );
  }

  /** A commit that first brought lines of an agent's, or took its place, has a link, or a repair names it. */
  async checkLinks(): Promise<void> {
    const { worktree, pair } = this.#main;
    const { broughtBy, cameFrom } = this.diary;
    const index = await linkIndex(worktree);
    const reported = new Set((await findLinks(worktree)).unkept.map(({ commit }) => commit));
    for (const commit of pair.user.git('rev-list', '--branches', '--no-merges').split('\n')) {
      const story = [commit];
      for (let at = cameFrom.get(commit); at !== undefined && !story.includes(at); at = cameFrom.get(at)) story.push(at);
      const brought = pair.linesBrought(commit).filter((line) => story.includes(broughtBy.get(line) ?? ''));
      if (brought.length === 0 || story.some((one) => reported.has(one))) continue;
      const what = `link of ${pair.user.git('log', '-1', '--format=%h %s', commit)}, with ${brought[0]}`;
      expect(await resolveLink(worktree, commit, index), what).not.toBe(null);
    }
  }

  async checkRepository(): Promise<void> {
    const { worktree, pair } = this.#main;
    expect(pair.user.git('fsck', '--full', '--strict', '--no-dangling')).toBe('');
    const known = new Map(this.#trees().flatMap(({ snapshots }) => [...snapshots]));
    for (const { id, ref } of await listCheckpoints(worktree.git, worktree.repository))
      if (known.has(id)) expect(pair.user.git('cat-file', '-t', ref)).toBe('commit');
  }
}
