import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { logCall } from '../src/images/call-log.ts';
import { readHeld, saveHeld } from '../src/images/held-image.ts';
import { lookBefore } from '../src/images/look.ts';
import { rewind } from '../src/rewind/rewind.ts';
import { planRewind } from '../src/rewind/rewind-plan.ts';
import { undoRewind } from '../src/rewind/undo.ts';
import { take } from '../src/snapshot/take.ts';
import { gitWithLfs, installLfs } from './lfs-program.ts';
import { type SeededRandom, seededRandom } from './random.ts';
import { type Scratch, scratch } from './scratch.ts';
import { againLine, announce, playedSeeds, stepsOf } from './torture/seeds.ts';

/*
 * Random repositories, and between saving and rewinding everything changes that says how git converts files. The test keeps its own
 * copies: what a rewind writes is what was on disk, or it is named before anything is changed, and left alone.
 * A dozen of them each time; `npm run torture` plays as many as one likes.
 */
const SEEDS = process.env['PITON_TORTURE_SEED'] === undefined ? Array.from({ length: 12 }, (_, at) => 1000 + at) : playedSeeds(1000);
const STEPS = stepsOf(7);

const STOP = { kind: 'stop', name: 'Did it', by: 'agent', session: 's1', agent: 'someone', turn: 't1' } as const;

const NAMES = ['a.txt', 'b.txt', 'sub/c.txt', 'run.bat', 'one.psd', 'sub/two.psd', 'x.rot', 'x.up', 'wide.enc', 'v.id', 'data.bin'];

const LINES = [
  ...['', '* text=auto', '* text=auto eol=crlf', '* text eol=lf', '* -text', '*.txt text', '*.bat text eol=crlf', '*.txt eol=crlf'],
  ...['*.psd filter=lfs -text', '*.psd filter=lfs', '*.rot filter=rot', '*.up filter=up', '*.txt filter=rot', '*.txt filter=nobody'],
  ...['*.enc working-tree-encoding=UTF-16LE', '*.txt working-tree-encoding=ISO-8859-1', '*.id ident', '* ident', '* !filter'],
];

const CONFIG = [
  ...['false', 'true', 'input'].map((value) => ['core.autocrlf', value] as const),
  ...['lf', 'crlf', 'native'].map((value) => ['core.eol', value] as const),
];

const LARGE = 1_200_000;

function content(random: SeededRandom, name: string): Buffer {
  const word = () => ['alpha', 'Beta', '$Id$', '$Id: 1234 $', 'héllo', '', 'x'.repeat(random(50))][random(7)] as string;
  const end = [() => '\n', () => '\r\n', () => ['\n', '\r\n', '\r', '\r\r\n'][random(4)] as string][random(3)] as () => string;
  const text = Array.from({ length: random(5) }, () => `${word()}${end()}`).join('');
  if (name.endsWith('.psd') && random(3) === 0) return Buffer.alloc(LARGE + random(10), 97 + random(26));
  const kind = random(10);
  if (kind === 0) return Buffer.concat([Buffer.from(text), Buffer.from([0, 13, 10, 255, 0])]);
  if (kind === 1) return Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize ${random(999)}\n`);
  if (kind === 2 || name.endsWith('.enc')) return Buffer.from(text, 'utf16le');
  return Buffer.from(text, kind === 3 ? 'latin1' : 'utf8');
}

function changeSettings(user: Scratch, random: SeededRandom): void {
  const lines = Array.from({ length: random(5) }, () => LINES[random(LINES.length)]);
  user.write('.gitattributes', lines.map((line) => `${line}\n`).join(''));
  const [key, value] = CONFIG[random(CONFIG.length)] as readonly [string, string];
  user.git('config', key, value);
  user.git('config', 'core.safecrlf', 'false');
  // A program that is there, and one that has become another.
  const rot = random(2) === 0 ? ['tr a-z n-za-m', 'tr n-za-m a-z'] : ['tr A-Z N-ZA-M', 'tr N-ZA-M A-Z'];
  user.git('config', 'filter.rot.clean', rot[0] as string);
  user.git('config', 'filter.rot.smudge', rot[1] as string);
  user.git('config', 'filter.up.clean', 'tr a-z A-Z');
}

interface Truth {
  readonly id: string;
  readonly files: ReadonlyMap<string, string>;
  /** The only file that it tells of. */
  readonly only?: string;
}

/** The person's git, which may refuse what it is asked: an encoding that does not fit, say. */
function attempt(user: Scratch, ...args: string[]): void {
  try {
    gitWithLfs(user, ...args);
  } catch {
    // Nothing was done then, or a part of it.
  }
}

async function save(user: Scratch, random: SeededRandom, calls: () => string): Promise<Truth> {
  const worktree = await user.worktree();
  const [files, way] = [user.everything(), random(4)];
  const logged = { session: 's1', agent: 'someone', turn: 't1', tool: 'Bash', what: 'something', atMs: Date.now() };
  if (way === 0) {
    const id = calls();
    logCall(worktree, { ...logged, id, ...(await lookBefore(worktree, 't1')) });
    return { id, files };
  }
  if (way === 1) {
    const [id, only] = [calls(), NAMES[random(NAMES.length)] as string];
    const held = await readHeld(worktree, user.path(only));
    // It is written while the tool works.
    user.write(only, content(random, only));
    logCall(worktree, { ...logged, id, ...(await saveHeld(worktree, 't1', new Map(held ? [held] : []))) });
    return { id, files, only };
  }
  const taken = await take(worktree, STOP);
  if (taken.result === 'failed') throw new Error(taken.error);
  return { id: taken.result === 'made' ? taken.checkpoint.id : taken.id, files };
}

function step(user: Scratch, random: SeededRandom): void {
  const name = NAMES[random(NAMES.length)] as string;
  const what = random(11);
  if (what < 4) user.write(name, content(random, name));
  else if (what === 4) user.remove(name);
  else if (what === 5) changeSettings(user, random);
  else if (what === 6) attempt(user, 'add', name);
  else if (what === 7) {
    attempt(user, 'add', '-A');
    attempt(user, 'commit', '--quiet', '-m', 'more');
  } else if (what === 8) attempt(user, 'checkout', '--quiet', 'HEAD', '--', name);
  else if (what === 9) user.shell(`touch -c '${name}'`);
  else user.remove('.git/lfs');
}

/** A call that named one file tells of no other, but for what later looks found: only that one is compared. */
async function check(user: Scratch, { id, files, only }: Truth): Promise<void> {
  const before = user.everything();
  const worktree = await user.worktree();
  const options = { ...(only === undefined ? { everything: true } : { paths: [only] }) };
  const plan = await planRewind(worktree, id, options);
  if (plan.result === 'refused' && plan.reason === 'no-such-path') return;
  if (plan.result !== 'plan') throw new Error(JSON.stringify(plan));
  expect(user.everything()).toEqual(before);
  const named = new Set(plan.unavailable.map(({ path }) => path));
  // Nothing else may be given up than what Git LFS had, and has no more.
  for (const path of named) expect([path, (files.get(path)?.length ?? 0) > LARGE]).toEqual([path, true]);
  expect([plan.kept, plan.leftOut]).toEqual([[], []]);
  const result = await rewind(worktree, id, options);
  expect(result).toMatchObject({ result: 'rewound', failed: [], kept: [] });
  const after = user.everything();
  for (const path of new Set([...files.keys(), ...before.keys()])) {
    if (only !== undefined && path !== only) continue;
    const wanted = named.has(path) ? before.get(path) : files.get(path);
    expect([path, after.get(path)?.slice(0, 200)]).toEqual([path, wanted?.slice(0, 200)]);
    expect([path, after.get(path) === wanted]).toEqual([path, true]);
  }
  if (plan.steps.length === 0) return;
  expect(await undoRewind(await user.worktree())).toMatchObject({ result: 'rewound', failed: [], plan: { unavailable: [] } });
  expect([...user.everything()].map(([path, text]) => [path, text.length])).toEqual([...before].map(([path, text]) => [path, text.length]));
  for (const [path, text] of user.everything()) expect([path, text === before.get(path)]).toEqual([path, true]);
}

async function run(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const user = scratch();
  installLfs(user);
  mkdirSync(user.path('sub'));
  changeSettings(user, random);
  for (const name of NAMES) if (random(4) > 0) user.write(name, content(random, name));
  attempt(user, 'add', '-A');
  attempt(user, 'commit', '--quiet', '-m', 'second');
  let calls = 0;
  const truths: Truth[] = [];
  const nextCall = () => `01K0A0A0A0A0A0A0A0A0A0A${String(++calls).padStart(3, '0')}`;
  for (let at = 0; at < STEPS; at++) {
    step(user, random);
    if (random(3) === 0) truths.push(await save(user, random, nextCall));
  }
  truths.push(await save(user, random, nextCall));
  changeSettings(user, random);
  for (let at = 0; at < 3; at++) step(user, random);
  const picked = [truths.at(-1), truths[random(truths.length)]];
  for (const truth of picked) if (truth) await check(user, truth);
}

describe('whatever settings say now, a rewind gives back the bytes that were on disk', () => {
  it.each(SEEDS)('seed %i', { timeout: 600_000 }, async (seed) => {
    announce(seed, againLine('any-settings', seed, STEPS));
    await run(seed);
  });
});
