import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect } from 'vitest';
import { recoverAutoCommit } from '../../src/auto-commit/publish.ts';
import { recoverLink } from '../../src/links/link.ts';
import { undoRewind } from '../../src/rewind/undo.ts';
import { endTurn } from '../../src/turns/turn-file.ts';
import { groupEnded } from '../left-behind.ts';
import type { SeededRandom } from '../random.ts';
import { compareCommit, truthBefore } from './auto-commits.ts';
import { said, type Tree } from './tree.ts';

const ACTS = ['take', 'begin', 'task', 'packs', 'rewind', 'rewind', 'link', 'auto-commit'] as const;

export interface Victim {
  readonly program: string;
  readonly remove: () => void;
}

/** The program that is killed: what the server does, in a process of its own. */
export async function buildVictim(): Promise<Victim> {
  const directory = mkdtempSync(join(tmpdir(), 'piton-torture-'));
  const program = join(directory, 'child.mjs');
  const source = join(import.meta.dirname, '..', 'programs', 'checkpoint-child.ts');
  await build({ entryPoints: [source], outfile: program, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return { program, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** A process that is killed at any moment of what it does; then what a server does when it comes to that place again. */
export async function crash(tree: Tree, random: SeededRandom, program: string, session: string): Promise<void> {
  const act = ACTS[random(ACTS.length)] ?? 'take';
  const delay = random(120);
  tree.pair.note(`killed in ${act} after ${delay} ms`);
  const about = act === 'rewind' ? tree.someSnapshot() : session;
  const kill = () => killed(tree, program, [act, about], delay);
  if (act === 'auto-commit') await killedAutoCommit(tree, session, kill);
  else if (act === 'link') await killedLink(tree, kill);
  else if (act === 'rewind') await killedRewind(tree, kill);
  else {
    const before = tree.pair.everything();
    await kill();
    expect(tree.pair.userEverything(), `files after a crash in ${act}`).toEqual(before);
  }
  await endTurn(tree.worktree, 'crash');
}

async function killed({ pair: { user } }: Tree, program: string, args: readonly string[], delay: number): Promise<void> {
  const options = { env: user.environment(), stdio: 'ignore', detached: true } as const;
  const child = fork(program, [user.root, join(user.home, 'state'), ...args], options);
  child.on('message', () => setTimeout(() => child.kill('SIGKILL'), delay));
  await once(child, 'exit');
  await groupEnded(child.pid);
}

async function killedRewind({ pair, worktree }: Tree, kill: () => Promise<void>): Promise<void> {
  const [before, visible] = [pair.everything(), pair.visible()];
  await kill();
  if (JSON.stringify([...pair.userEverything()]) === JSON.stringify([...before])) return;
  expect(await undoRewind(worktree)).toMatchObject({ result: 'rewound', failed: [] });
  pair.becomes(visible, []);
}

async function killedLink(tree: Tree, kill: () => Promise<void>): Promise<void> {
  const { pair, worktree } = tree;
  pair.git('add', '-A');
  pair.git('commit', '-q', '-m', await tree.marked('linked too late'));
  if (said(pair.user, 'committed') !== '') pair.committed();
  await kill();
  for (const { id } of (await recoverLink(worktree))?.made ?? []) tree.snapshots.set(id, pair.visible());
}

async function killedAutoCommit(tree: Tree, session: string, kill: () => Promise<void>): Promise<void> {
  const { pair, worktree } = tree;
  await tree.begin(session);
  const before = truthBefore(tree);
  await tree.work(session);
  const head = pair.head();
  await kill();
  await recoverAutoCommit({ ...worktree, now: () => Date.now() + 120_000 });
  const committed = pair.head() !== head;
  if (committed) await compareCommit(tree, before, true);
  await tree.stop(session);
}
