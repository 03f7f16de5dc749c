import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  beginTurn,
  blameFile,
  endTurn,
  linkCommit,
  listCheckpoints,
  noteRewritten,
  type Place,
  rewind,
  take,
  undoRewind,
} from '../src/index.ts';
import { type Scratch, scratch } from './scratch.ts';
import { Twins } from './twins.ts';

/**
 * Random days of a person and some agents. The truth is a twin repository that Piton never sees: every command is run in
 * both, so index, refs and bytes must be the same; and every line says in its own text who wrote it.
 */
const RUNS = Number(process.env['PITON_TORTURE_RUNS'] ?? 2);
const STEPS = Number(process.env['PITON_TORTURE_STEPS'] ?? 30);
/** The same days on every run; `PITON_TORTURE_SEED=$RANDOM` goes on new ones. */
const SEED = Number(process.env['PITON_TORTURE_SEED'] ?? 4000);

let child = '';
const directory = mkdtempSync(join(tmpdir(), 'piton-torture-'));
beforeAll(async () => {
  child = join(directory, 'child.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'programs/checkpoint-child.ts')],
    outfile: child,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Snapshot = Map<string, string>;
type Dice = (sides: number) => number;

/** mulberry32: small, and the same everywhere. */
function createDice(seed: number): Dice {
  let state = seed >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides);
  };
}

class Day {
  readonly twins: Twins;
  readonly place: Place;
  readonly dice: Dice;
  readonly done: string[] = [];
  /** What the working tree was when a checkpoint was made, but for what is ignored. */
  readonly snapshots = new Map<string, Snapshot>();
  sessions = 0;

  constructor(user: Scratch, twin: Scratch, place: Place, dice: Dice) {
    this.twins = new Twins(user, twin, dice);
    this.place = place;
    this.dice = dice;
  }

  remember(taken: Awaited<ReturnType<typeof take>>): void {
    if (taken.result === 'failed') throw new Error(taken.error);
    const id = taken.result === 'made' ? taken.checkpoint.id : taken.id;
    const now = this.twins.visible();
    // Those of a rewind, and of a process that was killed, come without the truth.
    const known = this.snapshots.get(id);
    if (known) expect(known, `checkpoint ${id} is said to be this very tree`).toEqual(now);
    this.snapshots.set(id, now);
  }

  async agentTurn(): Promise<void> {
    const session = `agent${++this.sessions}`;
    const about = { name: `turn of ${session}`, session, agent: 'someone', turn: session };
    this.remember(await beginTurn(this.place, about).done);
    for (let left = 1 + this.dice(4); left > 0; left--) {
      this.twins.edit(session);
      if (this.dice(6) === 0) this.twins.disaster();
      if (this.dice(4) === 0) this.remember(await take(this.place, { ...about, kind: 'todo', by: 'agent' }));
    }
    if (this.dice(5) === 0) await this.commit(['add', '-A'], ['commit', '-q', '-m', session]);
    this.remember(await take(this.place, { ...about, kind: 'stop', by: 'agent' }));
    await endTurn(this.place, session);
  }

  async commit(...commands: string[][]): Promise<void> {
    const before = this.twins.head();
    for (const command of commands) this.twins.git(...command);
    if (this.twins.head() === before) return;
    const linked = await linkCommit(this.place);
    for (const { id } of linked?.made ?? []) this.snapshots.set(id, this.twins.visible());
  }

  async userDay(): Promise<void> {
    const { twins, dice } = this;
    const branch = `branch${dice(3)}`;
    const acts: (() => Promise<void> | void)[] = [
      () => this.commit(['add', '-A'], ['commit', '-q', '-m', 'all of it']),
      () => this.commit(['commit', '-q', '-am', 'what is tracked']),
      () => this.commit(['add', twins.someFile()], ['commit', '-q', '-m', 'one file']),
      async () => {
        const before = twins.head();
        await this.commit(['commit', '-q', '--amend', '-am', 'amended']);
        if (twins.head() !== before) await noteRewritten(this.place, `${before} ${twins.head()}\n`);
      },
      () => twins.git('checkout', '-q', branch) || twins.git('checkout', '-q', '-b', branch),
      () => twins.git('checkout', '-q', 'main'),
      () => twins.git('rebase', '-q', 'main') || twins.git('rebase', '--abort'),
      () => twins.git('stash', 'push', '-q', '-u'),
      () => twins.git('stash', 'pop', '-q') || twins.git('checkout', '-q', '-f', 'HEAD'),
      () => twins.git('cherry-pick', 'main') || twins.git('cherry-pick', '--abort'),
      () => twins.git('gc', '-q', '--prune=now'),
      () => twins.git('add', '-A'),
      () => twins.edit('me'),
      () => twins.edit('me'),
    ].map((act) => async () => void (await act()));
    await acts[dice(acts.length)]?.();
  }

  /** To a random checkpoint of which the truth is known, whole; and sometimes back again. */
  async rewinds(): Promise<void> {
    const ids = [...this.snapshots.keys()];
    const id = ids[this.dice(ids.length)] ?? '';
    const before = this.twins.visible();
    const result = await rewind(this.place, id, { everything: true });
    if (result.result === 'refused') return;
    if (result.result === 'failed') throw new Error(result.error);
    expect(result.failed).toEqual([]);
    const inTheWay = result.kept.map(({ path }) => path);
    this.twins.becomes(this.snapshots.get(id) ?? new Map(), inTheWay);
    this.check(`rewind to ${id}`);
    if (this.dice(2) === 0) return;
    const undone = await undoRewind(this.place);
    expect(undone).toMatchObject({ result: 'rewound', failed: [] });
    this.twins.becomes(before, []);
  }

  /** A process that is killed at any moment of a checkpoint or a rewind. */
  async crash(): Promise<void> {
    const rewinding = this.dice(2) === 0;
    const ids = [...this.snapshots.keys()];
    const id = rewinding ? (ids[this.dice(ids.length)] ?? '') : '';
    const before = this.twins.everything();
    const visible = this.twins.visible();
    const delay = this.dice(120);
    await new Promise<void>((resolve) => {
      const process = fork(child, [this.twins.user.root, join(this.twins.user.home, 'state'), id], {
        env: this.twins.user.environment(),
        stdio: 'ignore',
      });
      process.on('message', () => setTimeout(() => process.kill('SIGKILL'), delay));
      process.on('exit', () => resolve());
    });
    const after = this.twins.userEverything();
    if (!rewinding) expect(after).toEqual(before);
    else if (JSON.stringify([...after]) !== JSON.stringify([...before])) {
      expect(await undoRewind(this.place)).toMatchObject({ result: 'rewound', failed: [] });
      this.twins.becomes(visible, []);
    }
  }

  check(what: string): void {
    const { user, twin } = this.twins;
    const same = (name: string, of: (repository: Scratch) => unknown) => expect(of(user), `${name} after ${what}`).toEqual(of(twin));
    same('files', (repository) => repository.everything());
    same('refs', (repository) => repository.git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/stash'));
    same('HEAD', (repository) => repository.shell('cat .git/HEAD'));
    same('index', (repository) => repository.git('ls-files', '--stage'));
  }

  /** Lines say who wrote them. */
  async checkAuthors(): Promise<void> {
    for (const file of this.twins.textFiles()) {
      for (const { text, by, session } of (await blameFile(this.place, this.twins.user.path(file))) ?? []) {
        const writer = text.split(' ')[0];
        if (!/^(me|agent\d+)$/.test(writer ?? '')) continue;
        expect(by === 'human' ? 'me' : (session ?? by), `author of "${text}" in ${file}`).toBe(writer);
      }
    }
  }
}

for (let run = 0; run < RUNS; run++) {
  const seed = SEED + run;
  it(`survives a random day, seed ${seed}`, { timeout: 600_000 }, async () => {
    const dice = createDice(seed);
    const [user, twin] = [scratch(), scratch()];
    for (const repository of [user, twin]) {
      repository.date = '2026-01-01T00:00:00Z';
      repository.git('commit', '-q', '--amend', '--no-edit', '--reset-author');
    }
    const day = new Day(user, twin, await user.place(), dice);
    try {
      for (let step = 0; step < STEPS; step++) {
        const acts = [
          () => day.agentTurn(),
          () => day.agentTurn(),
          () => day.userDay(),
          () => day.userDay(),
          () => day.userDay(),
          () => day.rewinds(),
          () => day.crash(),
        ];
        const at = dice(acts.length);
        day.done.push(`step ${step}: ${['turn', 'turn', 'user', 'user', 'user', 'rewind', 'crash'][at]}`);
        await acts[at]?.();
        day.check(`step ${step}`);
        if (step % 6 === 5) await day.checkAuthors();
      }
      await day.checkAuthors();
      expect(user.git('fsck', '--full', '--strict', '--no-dangling')).toBe('');
      for (const { id, ref } of await listCheckpoints(day.place.git, day.place.repository)) {
        if (day.snapshots.has(id)) expect(user.git('cat-file', '-t', ref)).toBe('commit');
      }
    } catch (error) {
      throw new Error(
        `PITON_TORTURE_SEED=${seed} PITON_TORTURE_RUNS=1\n${[...day.done, ...day.twins.done].slice(-40).join('\n')}\n${error instanceof Error ? error.message : error}`,
        { cause: error },
      );
    }
  });
}
