// Who wrote a line: `piton blame` and `explain` beside `git blame` of the same file, in the same run.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importTypeScript } from '../scripts/import-typescript.mjs';
import { ahead } from './ahead.mjs';
import { quantile } from './side-by-side.mjs';

const FILE = 'src/long.txt';
const PERSON = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
  GIT_CONFIG_NOSYSTEM: '1',
};

const git = (root, args, env = {}) =>
  execFileSync('git', args, {
    cwd: root,
    env: { ...process.env, ...PERSON, HOME: root, ...env },
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** mulberry32. */
function createDice(seed) {
  let state = seed >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides);
  };
}

export async function worktreeAt(checkpoints, directory, root) {
  const runner = checkpoints.createGit({ environment: { ...process.env, HOME: root, GIT_CONFIG_NOSYSTEM: '1' } });
  const repository = await checkpoints.findRepository(runner, root);
  return checkpoints.createWorktree({
    git: runner,
    repository,
    stateDirectory: join(directory, 'state'),
    redact: (text) => text,
    random: randomBytes,
  });
}

/** So many turns, each with lines of a person and of an agent at several places of one file, and a commit; at the end so many lines. */
export async function workedOn(checkpoints, directory, { turns, lines: wanted, seed }) {
  const root = join(directory, 'repository');
  mkdirSync(join(root, 'src'), { recursive: true });
  git(root, ['init', '--quiet', '--initial-branch=main']);
  const dice = createDice(seed);
  let count = 0;
  const line = (who) => `${who} line ${count++} with ${'some more words '.repeat(1 + dice(3))}`;
  const grows = 8;
  const lines = Array.from({ length: wanted - grows * turns }, () => line('old'));
  const save = (name, text) => writeFileSync(join(root, name), text);
  const edit = (who, inserted, replaced) => {
    for (let at = 0; at < inserted; at++) lines.splice(dice(lines.length), 0, line(who));
    for (let at = 0; at < replaced; at++) lines[dice(lines.length)] = line(who);
    save(FILE, `${lines.join('\n')}\n`);
  };
  edit('old', 0, 0);
  for (let at = 0; at < 20; at++) save(`src/other${at}.txt`, `other ${at}\n`);
  git(root, ['add', '-A']);
  // Long before anybody looked, as most of a history is.
  git(root, ['commit', '--quiet', '-m', 'first'], { GIT_COMMITTER_DATE: '2020-01-01T00:00:00Z' });
  const worktree = await worktreeAt(checkpoints, directory, root);
  for (let turn = 0; turn < turns; turn++) {
    const session = `s${turn % 7}`;
    const about = { name: `Turn ${turn}`, session, agent: 'bench', turn: `t${turn}` };
    edit('me', 1, 1);
    await checkpoints.beginTurn(worktree, about).done;
    edit(session, grows - 1, 4);
    save(`src/other${turn % 20}.txt`, `${line(session)}\n`);
    const touched = [join(root, FILE), join(root, `src/other${turn % 20}.txt`)];
    await checkpoints.take(worktree, { ...about, kind: 'stop', by: 'agent', touched });
    await checkpoints.endTurn(worktree, session);
    git(root, ['commit', '--quiet', '-am', `Commit ${turn}`]);
    await checkpoints.linkCommit(worktree);
  }
  return { root, worktree, file: join(root, FILE), line };
}

async function milliseconds(work) {
  const from = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - from) / 1e6;
}

const COLD = 'blame, nothing cached';
const WARM = 'blame, cached';
const LINE = 'explain file:line, cached';
const EXPLAINED = 'explain HEAD, nothing cached';
const GIT = 'git blame';

/** Medians in milliseconds, by name, each once a round, in turns. */
export async function attributionCosts({ rounds, turns = 300, lines = 5000, seed = 1 }) {
  const directory = mkdtempSync(join(tmpdir(), 'piton-bench-attribution-'));
  try {
    const checkpoints = await importTypeScript('bench/attribution-entry.ts');
    const { root, worktree, file } = await workedOn(checkpoints, directory, { turns, lines, seed });
    const forget = () => rmSync(join(worktree.state, 'attributed'), { recursive: true, force: true });
    const blame = async () => {
      const found = await checkpoints.blameFile(worktree, file);
      const wrong = found.filter(
        ({ text, by, session }) => !text.startsWith(by === 'human' ? /^(old|me) /.exec(text)?.[0] : `${session} `),
      );
      if (found.length !== lines || wrong.length > 0) throw new Error(`${wrong.length} of ${found.length} lines are another's`);
    };
    const sides = [
      { name: GIT, before: () => {}, run: () => git(root, ['blame', FILE]) },
      { name: COLD, before: forget, run: blame },
      { name: WARM, before: blame, run: blame },
      { name: LINE, before: () => {}, run: blame },
      { name: EXPLAINED, before: forget, run: () => checkpoints.attributeCommit(worktree, 'HEAD') },
    ];
    const times = new Map(sides.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const { name, before, run } of sides) {
        await before();
        times.get(name).push(await ahead(() => milliseconds(run)));
      }
    }
    return new Map([...times].map(([name, all]) => [name, { median: quantile(all, 0.5), p95: quantile(all, 0.95) }]));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What is printed: each line beside git's own of the same run. */
export const BUDGETS = [
  [COLD, GIT, 10],
  [WARM, GIT, 2],
  [LINE, GIT, 2],
];
export const EXPLAIN_BUDGET = [EXPLAINED, 500];
