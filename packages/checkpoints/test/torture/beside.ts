import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { SeededRandom } from '../random.ts';
import { Scratch } from '../scratch.ts';
import { SharedTree } from '../shared-tree.ts';
import { LineTruth } from './line-truth.ts';
import { type OpenCall, textOf } from './open-call.ts';
import type { Tally } from './tally.ts';

const FILES = ['a.txt', 'b.txt', 'src/c.txt', 'src/d.txt'] as const;

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
  readonly #tree: SharedTree;
  readonly #truth: LineTruth;
  readonly #turns = new Set<string>();
  #calls: OpenCall[] = [];
  #lines = 0;
  #wasSilent = false;
  #wasSetBack = false;

  constructor(main: Scratch, random: SeededRandom, clock: { offset: number }, tally: Tally) {
    [this.#main, this.#random, this.#clock, this.#truth] = [main, random, clock, new LineTruth(tally)];
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
      'person writes where an edit was interrupted': () => this.#personWritesWhereAnEditWas(),
      'esc, person writes there, asked again': () => this.#askedAgainAfterEsc(session),
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
    if (!this.#isStalled()) this.#truth.looked();
  }

  async #begins(session: string): Promise<void> {
    if (!this.#turns.has(session)) await this.#prompt(session);
    const file = this.#pick([...this.#freeFiles(), null]);
    const isEdit = file !== null && this.#random(2) === 0;
    const command = file === null ? 'make everything' : `sh -c "echo more >> ${file}"`;
    const announced = isEdit ? this.#announced(session, file) : undefined;
    const input = isEdit ? { file_path: this.#tree.user.path(file), content: announced?.content ?? '' } : { command };
    this.done.push(`${session} begins ${isEdit ? 'to edit' : 'a command for'} ${file}`);
    const isUnseen = !isEdit && this.#isStalled();
    const call = await this.#tree.begins(session, isEdit ? 'edit' : 'shell', input);
    this.#calls.push({ ...call, session, file, isUnseen, lines: [], ...(announced && { announced }) });
  }

  #announced(session: string, file: string): { line: string; content: string } {
    const line = `${session} wrote line ${++this.#lines} into ${file}`;
    return { line, content: textOf(this.#with(file, line)) };
  }

  #works(): void {
    if (this.#calls.length === 0) return;
    const call = this.#pick(this.#calls);
    const { session, file, isUnseen } = call;
    const free = this.#freeFiles();
    if (call.kind === 'edit') this.#edits(call);
    else if (file !== null) call.lines.push(this.#writes(session, file, isUnseen ? [session, 'shared'] : [session]));
    else if (free.length > 0) this.#writes(session, this.#pick(free), ['shared']);
  }

  #edits(call: OpenCall): void {
    const { announced, session, file } = call;
    if (announced === undefined || file === null) return;
    this.done.push(`${announced.line}: as announced`);
    this.#truth.set(announced.line, [session]);
    this.#tree.user.write(file, announced.content);
    call.lines.push(announced.line);
    delete call.announced;
  }

  /** In the file of a call that Esc ended: nobody knows when it was over, and so not which of both has written what. */
  #personWritesAfterEsc(call: OpenCall): void {
    const { file, session, lines } = call;
    if (file === null) return;
    this.#writes('me', file, ['me', 'shared']);
    this.#truth.mayBeShared(session, lines);
  }

  #personWritesWhereAnEditWas(): void {
    const edits = this.#calls.filter(({ kind, wasInterrupted }) => kind === 'edit' && wasInterrupted);
    if (edits.length > 0) this.#personWritesAfterEsc(this.#pick(edits));
  }

  /** Until its turn is known to be over a command may still be at work, and what it names is its. */
  async #askedAgainAfterEsc(session: string): Promise<void> {
    if (!this.#turns.has(session)) return;
    this.#esc(session);
    for (const call of this.#calls.filter((one) => one.session === session)) this.#personWritesAfterEsc(call);
    await this.#prompt(session);
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
    this.#truth.wrote(line, truth);
    this.done.push(`${line}: ${truth.join(' or ')}`);
    this.#tree.user.write(file, textOf(this.#with(file, line)));
    return line;
  }

  #with(file: string, line: string): string[] {
    const lines = this.#read(file);
    return lines.toSpliced(this.#random(lines.length + 1), 0, line);
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
    for (const call of this.#calls) if (call.session === session) call.wasInterrupted = true;
  }

  async #stop(session: string): Promise<void> {
    if (!this.#turns.delete(session)) return;
    this.done.push(`${session} stops`);
    await this.#tree.stop(session);
    this.#over((call) => call.session === session);
  }

  /** Calls that end with their turn: nobody knows when, but by what they have announced, and what they did last may be told as shared. */
  #over(isOver: (call: OpenCall) => boolean): void {
    const over = this.#calls.filter((call) => isOver(call) && (call.kind === 'shell' || this.#tree.isSilent));
    for (const { session, lines } of over) this.#truth.mayBeShared(session, lines);
    this.#calls = this.#calls.filter((call) => !isOver(call));
  }

  #isStalled = () => this.#tree.isSilent || this.#tree.slow.isHeld;

  #slows(): void {
    this.#truth.doubt();
    this.#tree.slow.hold();
  }

  async #goesOn(): Promise<void> {
    this.#tree.slow.release();
    await this.#tree.settled();
  }

  /** What a server hears late has its order by the clock alone: a day has one of both. */
  #falls(): void {
    if (this.#wasSetBack) return;
    this.#truth.doubt();
    this.#tree.silence();
    this.#wasSilent = true;
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

  /** Every line of every file says who wrote it. */
  async check(): Promise<void> {
    await this.#answers();
    await this.#goesOn();
    for (const file of FILES) {
      if (this.#read(file).length === 0) continue;
      for (const [writer, text] of await this.#tree.authors(file)) this.#truth.judge(writer, text);
    }
    // A tool that started before its look was done, or that no server answered, has no way back: that is said.
    expect(this.#tree.problems.filter((what) => !/started before|did not answer|in time/.test(what))).toEqual([]);
  }
}
