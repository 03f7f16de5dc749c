import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { SeededRandom } from '../random.ts';
import { Scratch } from '../scratch.ts';
import { type Call, SharedTree } from '../shared-tree.ts';
import type { Tally } from './tally.ts';

const FILES = ['a.txt', 'b.txt', 'src/c.txt', 'src/d.txt'] as const;

interface OpenCall extends Call {
  readonly session: string;
  /** The file that it names. */
  readonly file: string | null;
  /** Nobody may have looked before it. */
  readonly isUnseen: boolean;
  /** What it has written. */
  readonly lines: string[];
}

/**
 * A person and two agents in one working tree, which is deleted and made again now and then, under a clock that is set back and forth,
 * with a git that stands still and a server that does not answer. The truth is kept here: of every line who wrote it, or that nobody can
 * tell, because a call was open that could have. A file that an edit names is always its own, however late anybody looks.
 */
export class Beside {
  readonly done: string[] = [];
  readonly #random: SeededRandom;
  readonly #main: Scratch;
  readonly #clock: { offset: number };
  readonly #tally: Tally;
  readonly #tree: SharedTree;
  /** Who may be told to have written a line. */
  readonly #truth = new Map<string, readonly string[]>();
  readonly #turns = new Set<string>();
  #calls: OpenCall[] = [];
  #lines = 0;
  /** Lines of the person's that nobody has looked at. */
  readonly #fresh = new Set<string>();
  #wasSilent = false;
  #wasSetBack = false;

  constructor(main: Scratch, random: SeededRandom, clock: { offset: number }, tally: Tally) {
    [this.#main, this.#random, this.#clock, this.#tally] = [main, random, clock, tally];
    this.#addTree();
    // Who waits for longer than that goes on.
    this.#tree = new SharedTree(new Scratch(main.home, join(main.home, 'linked')), main.root, { toolPatienceMs: 300 });
  }

  #addTree = () => this.#main.git('worktree', 'add', '--quiet', '-B', 'linked', '../linked', 'linked-base');
  #pick = <One>(some: readonly One[]): One => some[this.#random(some.length)] as One;
  #freeFiles = () => FILES.filter((file) => !this.#calls.some((call) => call.file === file));

  async step(): Promise<void> {
    const session = this.#pick(['s1', 's2']);
    const moves: Record<string, () => Promise<unknown> | unknown> = {
      'person writes': () => this.#personWrites(),
      'person writes again': () => this.#personWrites(),
      'call begins': () => this.#begins(session),
      'another call begins': () => this.#begins(session),
      'call works': () => this.#works(),
      'call works more': () => this.#works(),
      'call ends': () => this.#ends(),
      'another call ends': () => this.#ends(),
      esc: () => this.#esc(session),
      stop: () => this.#stop(session),
      'person commits': () => this.#commits(),
      'clock jumps': () => this.#jumps(),
      'person commits, and a hook of theirs takes its time': () => this.#commitsSlowly(),
      'git is slow': () => this.#slows(),
      'git goes on': () => this.#goesOn(),
      'server falls silent': () => this.#falls(),
      'server answers again': () => this.#answers(),
      'tree made again': () => this.#random(3) === 0 && this.#madeAgain(),
    };
    const name = this.#pick(Object.keys(moves));
    this.done.push(`-- ${name}`);
    await moves[name]?.();
  }

  async #prompt(session: string): Promise<void> {
    this.done.push(`${session} is asked`);
    this.#turns.add(session);
    // Whatever it was at before was interrupted.
    this.#over((call) => call.session === session);
    await this.#tree.prompt(session);
    if (!this.#isStalled()) this.#fresh.clear();
  }

  async #begins(session: string): Promise<void> {
    if (!this.#turns.has(session)) await this.#prompt(session);
    const file = this.#pick([...this.#freeFiles(), null]);
    const isEdit = file !== null && this.#random(2) === 0;
    const command = file === null ? 'make everything' : `sh -c "echo more >> ${file}"`;
    const input = isEdit ? { file_path: this.#tree.user.path(file) } : { command };
    this.done.push(`${session} begins ${isEdit ? 'to edit' : 'a command for'} ${file}`);
    const isUnseen = !isEdit && this.#isStalled();
    this.#calls.push({ ...(await this.#tree.begins(session, isEdit ? 'edit' : 'shell', input)), session, file, isUnseen, lines: [] });
  }

  #works(): void {
    if (this.#calls.length === 0) return;
    const call = this.#pick(this.#calls);
    const { session, file, isUnseen } = call;
    const free = this.#freeFiles();
    if (file !== null) call.lines.push(this.#writes(session, file, isUnseen ? [session, 'shared'] : [session]));
    else if (free.length > 0) this.#writes(session, this.#pick(free), ['shared']);
  }

  /** In a file that no open call names: there it would be taken for that call's. */
  #personWrites(): void {
    const free = this.#freeFiles();
    const couldBe = this.#calls.some(({ kind }) => kind === 'shell');
    const truth = this.#isStalled() ? ['me', 'shared'] : [couldBe ? 'shared' : 'me'];
    if (free.length > 0) this.#writes('me', this.#pick(free), truth);
  }

  #writes(who: string, file: string, truth: readonly string[]): string {
    const line = `${who} wrote line ${++this.#lines} into ${file}`;
    this.#truth.set(line, truth);
    if (truth.includes('me')) this.#fresh.add(line);
    const lines = this.#read(file);
    lines.splice(this.#random(lines.length + 1), 0, line);
    this.done.push(`${line}: ${truth.join(' or ')}`);
    this.#tree.user.write(file, lines.map((one) => `${one}\n`).join(''));
    return line;
  }

  #read(file: string): string[] {
    const path = this.#tree.user.path(file);
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  }

  async #ends(): Promise<void> {
    if (this.#calls.length === 0) return;
    const call = this.#pick(this.#calls);
    this.done.push(`${call.session} ends ${call.id}`);
    await this.#tree.ends(call.session, call);
    this.#calls = this.#calls.filter((one) => one !== call);
  }

  /** Nothing is heard of it, until the session is asked again; a call that was open may still be at work. */
  #esc(session: string): void {
    this.done.push(`Esc in ${session}`);
    this.#turns.delete(session);
  }

  async #stop(session: string): Promise<void> {
    if (!this.#turns.delete(session)) return;
    this.done.push(`${session} stops`);
    await this.#tree.stop(session);
    this.#over((call) => call.session === session);
  }

  /** Calls that end with their turn. If nobody hears that, nobody knows when it was: what they did last may be told as shared. */
  #over(isOver: (call: OpenCall) => boolean): void {
    const over = this.#calls.filter(isOver);
    if (this.#tree.isSilent) for (const { session, lines } of over) for (const line of lines) this.#truth.set(line, [session, 'shared']);
    this.#calls = this.#calls.filter((call) => !isOver(call));
  }

  #isStalled = () => this.#tree.isSilent || this.#tree.slow.isHeld;

  #slows(): void {
    this.#doubt();
    this.#tree.slow.hold();
  }

  async #goesOn(): Promise<void> {
    this.#tree.slow.release();
    await this.#tree.settled();
  }

  /** What a server hears late has its order by the clock alone: a day has one of both. */
  #falls(): void {
    if (this.#wasSetBack) return;
    this.#doubt();
    this.#tree.silence();
    this.#wasSilent = true;
  }

  /** Nobody may look until a call has gone on: then nobody can tell it from what was done just before. */
  #doubt(): void {
    for (const line of this.#fresh) this.#truth.set(line, ['me', 'shared']);
  }

  async #answers(): Promise<void> {
    await this.#tree.answersAgain();
  }

  async #commits(meanwhile?: () => Promise<void>): Promise<void> {
    if (this.#isStalled()) return;
    const { user } = this.#tree;
    // Git's clock is the machine's.
    user.date = new Date(Date.now()).toISOString();
    user.git('add', '-A');
    await this.#tree.commit('Everything', ...(meanwhile ? [{ meanwhile }] : []));
    this.#main.git('branch', '--force', 'linked-base', 'linked');
  }

  /** Between the message and the commit others work on. */
  #commitsSlowly(): Promise<void> {
    return this.#commits(async () => {
      for (let left = 1 + this.#random(3); left > 0; left--)
        await this.#pick<() => Promise<void> | void>([
          () => this.#works(),
          () => this.#personWrites(),
          () => this.#ends(),
          () => this.#begins(this.#pick(['s1', 's2'])),
        ])();
    });
  }

  #jumps(): void {
    const hours = (this.#random(2) === 0 && !this.#wasSilent ? -1 : 1) * this.#random(30);
    this.#clock.offset += hours * 3_600_000;
    this.#wasSetBack ||= hours < 0;
    this.done.push(`the clock is ${this.#clock.offset / 3_600_000} h off`);
    // After so long nobody is at work any more, or the clock says so: with a call open nobody can tell.
  }

  async #madeAgain(): Promise<void> {
    await this.#answers();
    if (!this.#tree.slow.isHeld) await this.#tree.settled();
    this.#main.git('worktree', 'remove', '--force', '../linked');
    this.#addTree();
    this.#turns.clear();
    this.#calls = [];
  }

  #judge(writer: string | null, text: string): void {
    const truth = this.#truth.get(text);
    this.#tally.add('lines');
    if (writer === 'shared') this.#tally.add('shared');
    if (writer !== 'shared' && !truth?.includes(writer ?? '')) this.#tally.add(writer === 'me' ? 'false you' : 'false agent');
    expect(truth, `author of "${text}"`).toContain(writer);
  }

  /** Every line of every file says who wrote it. */
  async check(): Promise<void> {
    await this.#answers();
    await this.#goesOn();
    for (const file of FILES) {
      if (this.#read(file).length === 0) continue;
      for (const [writer, text] of await this.#tree.authors(file)) this.#judge(writer, text);
    }
    // A tool that started before its look was done, or that no server answered, has no way back: that is said.
    expect(this.#tree.problems.filter((what) => !/started before|did not answer|in time/.test(what))).toEqual([]);
  }
}
