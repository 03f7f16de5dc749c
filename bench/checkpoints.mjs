// What a checkpoint costs, beside what git itself takes in the same repository and the same run.
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importTypeScript } from '../scripts/import-typescript.mjs';
import { fileName, git, makeRepository } from './many-files.mjs';
import { meteredGit } from './metered-git.mjs';
import { quantile } from './side-by-side.mjs';

const SIZES = [10_000, 100_000];
async function milliseconds(work) {
  const from = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - from) / 1e6;
}

/** Each side once a round, in turns, after something has changed; gives name → median. What a side does is metered if it says how. */
async function inTurns(sides, rounds) {
  const times = new Map(sides.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds + 2; round++) {
    for (const { name, before, run, meter } of sides) {
      await before(round);
      meter?.begin();
      const took = await milliseconds(run);
      if (round >= 2) times.get(name).push(took);
      if (round >= 2) meter?.end(name, took);
    }
  }
  return new Map([...times].map(([name, all]) => [name, quantile(all, 0.5)]));
}

const ABOUT = { kind: 'stop', name: 'bench', by: 'agent', session: 'bench', agent: 'bench', turn: null };

async function worktreeOf(checkpoints, directory, root) {
  const { git: runner, meter } = meteredGit(checkpoints.createGit({ environment: { ...process.env, HOME: root } }));
  const repository = await checkpoints.findRepository(runner, root);
  const worktree = checkpoints.createWorktree({
    git: runner,
    repository,
    stateDirectory: join(directory, 'state'),
    redact: (text) => text,
    random: randomBytes,
  });
  await checkpoints.take(worktree, ABOUT);
  return { worktree, meter };
}

async function mustMake(checkpoints, worktree, request) {
  const taken = await checkpoints.take(worktree, { ...ABOUT, ...request });
  if (taken.result !== 'made') throw new Error(JSON.stringify(taken));
}

/** The least that writing a checkpoint takes: one `git fast-import` of one commit, and nothing besides. */
function bareImport({ git: runner, repository: { root, packDir } }) {
  const head = git(root, ['rev-parse', 'HEAD']).toString().trim();
  const known = new Set(readdirSync(packDir));
  // Packs that nobody keeps would pile up, and each makes the next git slower.
  const before = () => {
    const kept = new Set(readdirSync(packDir).filter((file) => file.endsWith('.keep')));
    for (const file of readdirSync(packDir))
      if (!known.has(file) && !kept.has(file.replace(/\.\w+$/, '.keep'))) rmSync(join(packDir, file), { force: true });
  };
  const run = async () => {
    const text = randomBytes(8).toString('hex');
    const commit = `commit refs/bench/import\ncommitter a <a@b> 1700000000 +0000\ndata 5\nbench\nfrom ${head}\n`;
    const input = Buffer.from(`${commit}M 100644 inline ${fileName(0)}\ndata ${text.length}\n${text}\n\ndone\n`);
    const args = ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet', '--done', '--force', '--date-format=raw'];
    const { code, stderr } = await runner(args, { cwd: root, input });
    if (code !== 0) throw new Error(stderr);
  };
  return { before, run };
}

function sidesOf(checkpoints, { worktree, meter }, files) {
  const { root } = worktree.repository;
  let fresh = 0;
  const touch = (count) => (round) => {
    for (let at = 0; at < count; at++) appendFileSync(join(root, fileName(at * 7)), `${round} ${randomBytes(4).toString('hex')}\n`);
  };
  const paths = (count) => Array.from({ length: count }, (_, at) => join(root, fileName(at * 7)));
  const index = join(root, '.git', 'bench-index');
  git(root, ['read-tree', 'HEAD'], { env: { GIT_INDEX_FILE: index } });
  const addAll = () => {
    const env = { GIT_INDEX_FILE: index };
    git(root, ['add', '-A'], { env });
    const tree = git(root, ['write-tree'], { env }).toString().trim();
    const commit = git(root, ['commit-tree', tree, '-p', 'HEAD', '-m', 'bench']).toString().trim();
    git(root, ['update-ref', 'refs/bench/one', commit]);
  };
  const name = (what) => `${what}, ${files} files`;
  return [
    { name: name('checkpoint, 1 touched'), before: touch(1), meter, run: () => mustMake(checkpoints, worktree, { touched: paths(1) }) },
    {
      name: name('checkpoint, 1 touched for the first time'),
      before: () => appendFileSync(join(root, fileName(++fresh * 7 + 1)), 'fresh\n'),
      meter,
      run: () => mustMake(checkpoints, worktree, { touched: [join(root, fileName(fresh * 7 + 1))] }),
    },
    { name: name('one git fast-import'), ...bareImport(worktree) },
    { name: name('git --version'), before: () => {}, run: () => worktree.git(['--version'], { cwd: root }) },
    { name: name('checkpoint, 100 touched'), before: touch(100), run: () => mustMake(checkpoints, worktree, { touched: paths(100) }) },
    { name: name('checkpoint after a shell command'), before: touch(1), run: () => mustMake(checkpoints, worktree, {}) },
    { name: name('git status'), before: touch(1), run: () => git(root, ['--no-optional-locks', 'status', '--porcelain', '-z']) },
    { name: name('git add -A, own index'), before: touch(1), run: addAll },
    { name: name('git stash create'), before: touch(1), run: () => git(root, ['stash', 'create']) },
  ];
}

/** What the hooks of one commit take, with so many sessions that were here before. */
async function commitSides(checkpoints, directory) {
  const sides = [];
  for (const sessions of [1, 100, 500]) {
    const root = makeRepository(mkdtempSync(join(directory, 'commit-')), 1000);
    const { worktree } = await worktreeOf(checkpoints, mkdtempSync(join(directory, 'state-')), root);
    for (let at = 0; at < sessions; at++) {
      writeFileSync(join(root, fileName(0)), `session ${at}\n`);
      await mustMake(checkpoints, worktree, { session: `s${at}`, touched: [join(root, fileName(0))] });
    }
    git(root, ['commit', '--quiet', '-am', 'everything so far']);
    await checkpoints.linkCommit(worktree);
    const message = join(root, '.git', 'COMMIT_EDITMSG');
    sides.push({
      name: `hooks of a commit, ${sessions} sessions`,
      before: async (round) => {
        writeFileSync(join(root, fileName(1)), `round ${round}\n`);
        await mustMake(checkpoints, worktree, { session: 'last', touched: [join(root, fileName(1))] });
        git(root, ['add', '-u']);
        writeFileSync(message, 'bench\n');
      },
      run: async () => {
        await checkpoints.markMessage(worktree, { hook: 'prepare-commit-msg', file: message, source: 'message' });
        git(root, ['commit', '--quiet', '-F', message]);
        await checkpoints.linkCommit(worktree);
      },
    });
  }
  return sides;
}

/** Medians in milliseconds, by name. */
export async function checkpointCosts(rounds) {
  const directory = mkdtempSync(join(tmpdir(), 'piton-bench-checkpoints-'));
  try {
    const checkpoints = await importTypeScript('bench/checkpoints-entry.ts');
    const sides = [];
    const worktrees = [];
    for (const files of SIZES) {
      const found = await worktreeOf(checkpoints, directory, makeRepository(directory, files));
      worktrees.push(found);
      sides.push(...sidesOf(checkpoints, found, files));
    }
    const figures = await inTurns(sides, rounds);
    const commits = await inTurns(await commitSides(checkpoints, directory), rounds);
    const parts = worktrees.flatMap(({ meter }) => meter.parts());
    return { figures, commits, parts, aged: await aged(checkpoints, worktrees[0].worktree, rounds) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The same checkpoint with few and with a thousand before it. */
async function aged(checkpoints, worktree, rounds) {
  const file = join(worktree.repository.root, fileName(3));
  const once = async (at) => {
    appendFileSync(file, `${at}\n`);
    return milliseconds(() => mustMake(checkpoints, worktree, { touched: [file] }));
  };
  const some = async (count) => {
    const times = [];
    for (let at = 0; at < count; at++) times.push(await once(at));
    return quantile(times, 0.5);
  };
  const few = await some(rounds);
  await some(1000);
  return { few, many: await some(rounds) };
}
