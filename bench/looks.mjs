// What a look at the whole working tree takes, and what a turn takes, in repositories of different sizes: time, and processor time with
// that of every git that was started, which does not count what others do to the machine.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { importTypeScript } from '../scripts/import-typescript.mjs';
import { ROOT } from '../scripts/sources.mjs';
import { fileName, makeRepository } from './many-files.mjs';
import { quantile } from './side-by-side.mjs';
import { createStage, post, status, strike, warm } from './stage.mjs';

/** Names another clone, whose looks are measured beside ours in the same run. */
const BEFORE = 'PITON_BENCH_BEFORE';
const LOOK_SIZES = [1000, 50_000, 100_000];
const LOOKS = ['nothing changed', 'a new file in a new folder', 'after a `git add`', 'after a commit'];
const PERSON = ['-c', 'user.name=a', '-c', 'user.email=a@b'];

/** Fields of `/proc/…/stat`. */
const CHILDREN = [13, 14];

/** All threads of a process and all children that it has waited for, in milliseconds; or of these children alone. */
function processorMs(pid = 'self', which = [11, 12, ...CHILDREN]) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return which.reduce((sum, at) => sum + Number(fields[at]), 0) * 10;
}

async function lookerIn(clone) {
  const directory = mkdtempSync(join(ROOT, 'node_modules', '.piton-'));
  const entry = join(directory, 'entry.ts');
  const source = (path) => JSON.stringify(join(clone, 'packages', path));
  const exported = [
    ['createGit', 'git/src/index.ts'],
    ['findRepository', 'checkpoints/src/repositories/repository.ts'],
    ['lookBefore', 'checkpoints/src/images/look.ts'],
    ['createWorktree', 'checkpoints/src/worktree.ts'],
  ];
  writeFileSync(entry, exported.map(([name, path]) => `export { ${name} } from ${source(path)};\n`).join(''));
  try {
    return await importTypeScript(entry);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function sideOf(name, clone, directory, root) {
  const module = await lookerIn(clone);
  const git = module.createGit({ environment: { ...process.env, HOME: root, GIT_CONFIG_NOSYSTEM: '1' } });
  const worktree = module.createWorktree({
    git,
    repository: await module.findRepository(git, root),
    stateDirectory: mkdtempSync(join(directory, 'state-')),
    redact: (text) => text,
    random: randomBytes,
  });
  return { name, look: () => module.lookBefore(worktree, 'bench') };
}

/** What a person or an agent does between two looks. Where two sides look, each does at the same. */
function doingIn(root) {
  const git = (...args) => execFileSync('git', [...PERSON, ...args], { cwd: root, stdio: 'ignore' });
  return {
    [LOOKS[0]]: () => {},
    [LOOKS[1]]: (round) => {
      execFileSync('mkdir', ['-p', join(root, `new-${round}`)]);
      writeFileSync(join(root, `new-${round}`, 'file.txt'), 'x\n');
    },
    [LOOKS[2]]: (round) => {
      appendFileSync(join(root, fileName(round)), 'x\n');
      git('add', '-A');
    },
    [LOOKS[3]]: (round) => {
      appendFileSync(join(root, fileName(round)), 'x\n');
      git('commit', '--quiet', '-a', '--allow-empty', '-m', 'bench');
    },
  };
}

/** Of each size, side and kind: { median, cpu } in milliseconds. The processor's clock ticks too seldom for one look: it is of all together. */
async function lookCosts(rounds) {
  const directory = mkdtempSync(join(tmpdir(), 'piton-bench-looks-'));
  const found = [];
  try {
    for (const files of LOOK_SIZES) {
      const root = makeRepository(directory, files);
      const sides = [await sideOf('look', ROOT, directory, root)];
      const before = process.env[BEFORE];
      if (before) sides.push(await sideOf('look, the other clone', resolve(before), directory, root));
      const plain = ['--no-optional-locks', 'status', '--porcelain=v2', '-z', '--untracked-files=all'];
      sides.push({ name: 'git status', look: () => execFileSync('git', plain, { cwd: root, stdio: 'ignore' }) });
      const doing = doingIn(root);
      for (const { look } of sides) for (let time = 0; time < 3; time++) await look();
      for (const [kind, work] of Object.entries(doing)) {
        const figures = sides.map(({ name }) => ({ files, kind, name, times: [], cpu: 0 }));
        for (let round = 0; round < rounds; round++) {
          work(round);
          for (const [at, { look }] of sides.entries()) {
            const [from, spent] = [performance.now(), processorMs()];
            await look();
            figures[at].times.push(performance.now() - from);
            figures[at].cpu += processorMs() - spent;
          }
        }
        for (const { times, cpu, ...rest } of figures) found.push({ ...rest, median: quantile(times, 0.5), cpu: cpu / rounds });
      }
    }
    return found;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const forward = (stage, root, event, more) =>
  execFileSync(stage.places.forwarder, ['claude', event, 'user', '60000', '-'], {
    cwd: root,
    env: stage.env,
    input: JSON.stringify({ session_id: 'turns', hook_event_name: event, cwd: root, ...more }),
  });

/** One turn that writes a file that it names, after so many shell commands. */
async function turn(stage, root, round, shells) {
  const call = (tool_name, tool_input, work) => {
    const about = { tool_name, tool_input, tool_use_id: `${tool_name}-${round}-${randomBytes(4).toString('hex')}` };
    forward(stage, root, 'PreToolUse', about);
    work();
    forward(stage, root, 'PostToolUse', { ...about, tool_response: {} });
  };
  const write = () => appendFileSync(join(root, fileName(0)), `${round}\n`);
  forward(stage, root, 'UserPromptSubmit', { prompt: `round ${round}` });
  for (let at = 0; at < shells; at++) call('Bash', { command: 'make it' }, () => appendFileSync(join(root, fileName(1)), `${round}\n`));
  call('Write', { file_path: join(root, fileName(0)), content: 'x' }, write);
  forward(stage, root, 'Stop', { stop_hook_active: false });
  await post(stage, '/v1/settle', { root });
}

/**
 * What nobody can do without who is to find a change to any file: one `fstatat` for each, in a program that does nothing else. Beside it
 * what git takes for the same question.
 */
async function floorIn(root, statAll, rounds) {
  const input = execFileSync('git', ['ls-files'], { cwd: root, maxBuffer: 1 << 28 });
  const stats = () => Number(execFileSync(statAll, [root, `${rounds}`], { input })) / 1000;
  const plain = ['-c', 'core.untrackedCache=true', '-c', 'status.showUntrackedFiles=all', 'status', '--porcelain=v2', '-z', '-uall'];
  const status = () => execFileSync('git', plain, { cwd: root, stdio: 'ignore' });
  for (let time = 0; time < 3; time++) status();
  const spent = processorMs();
  for (let round = 0; round < rounds; round++) status();
  return { git: (processorMs() - spent) / rounds, stats: stats() };
}

/** Processor time of the server and its gits for one turn, by size and by how many shell commands it has. */
async function turnCosts(rounds, statAll, sizes = [1000, 50_000]) {
  const directory = mkdtempSync(join(tmpdir(), 'piton-bench-turns-'));
  const stage = createStage();
  try {
    await warm(stage, JSON.stringify({ session_id: 'bench', hook_event_name: 'SessionStart', source: 'startup' }));
    const found = [];
    for (const files of sizes) {
      const root = makeRepository(directory, files);
      execFileSync(process.execPath, [join(ROOT, 'dist/cli.mjs'), 'init', '--yes', '--agent', 'claude'], {
        cwd: root,
        env: stage.env,
        stdio: 'pipe',
      });
      for (const shells of [0, 1, 3]) {
        for (let round = 0; round < 3; round++) await turn(stage, root, round, shells);
        // `init` may have had another take its place.
        const { pid } = await status(stage);
        const [spent, gits] = [processorMs(pid), processorMs(pid, CHILDREN)];
        for (let round = 0; round < rounds; round++) await turn(stage, root, round, shells);
        found.push({ files, shells, cpu: (processorMs(pid) - spent) / rounds, git: (processorMs(pid, CHILDREN) - gits) / rounds });
      }
      found.push({ files, floor: await floorIn(root, statAll, rounds) });
    }
    return found;
  } finally {
    await strike(stage);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A look is one git; what it takes grows with the tree, and what a turn without a shell command takes should not. */
export async function printLooks(rounds, { ms, line, statAll, only }) {
  if (!only) await printLooksAlone(rounds, { ms, line });
  await printTurns(rounds, { ms, line, statAll });
}

async function printLooksAlone(rounds, { ms, line }) {
  console.log(`\nLooks at the whole working tree, in this process, ${rounds} rounds in turns: time, and processor time with that of git`);
  const looks = await lookCosts(rounds);
  for (const { files, kind, name, median, cpu } of looks)
    console.log(`  ${`${name}, ${kind}, ${files} files`.padEnd(68)} ${ms(median).padStart(12)}   cpu ${ms(cpu)}`);
  console.log();
  const cpuOf = (wanted, files, kind) => looks.find((one) => one.name === wanted && one.files === files && one.kind === kind).cpu;
  for (const files of LOOK_SIZES) {
    const ratio = cpuOf('look', files, LOOKS[0]) / cpuOf('git status', files, LOOKS[0]);
    line(`cpu of a look / git status, nothing changed, ${files} files`, `${ratio.toFixed(2)} ×`, '≤ 1 ×', ratio <= 1);
  }
}

async function printTurns(rounds, { ms, line, statAll }) {
  console.log(`\nProcessor time of the server and its gits for one turn, ${rounds} turns each`);
  const costs = await turnCosts(rounds, statAll);
  for (const { files, shells, cpu, git } of costs.filter(({ floor }) => floor === undefined))
    console.log(`  ${`${shells} shell calls, ${files} files`.padEnd(58)} ${ms(cpu).padStart(12)}   of that git ${ms(git)}`);
  const floors = costs.filter(({ floor }) => floor !== undefined);
  for (const { files, floor } of floors)
    console.log(
      `  ${`one git status, ${files} files`.padEnd(58)} ${ms(floor.git).padStart(12)}   fstatat of each alone ${ms(floor.stats)}`,
    );
  const turnOf = (files) => costs.find((one) => one.files === files && one.shells === 0).cpu;
  const grown = turnOf(50_000) / turnOf(1000);
  line('cpu of a turn without a shell call, 50,000 files / 1,000', `${grown.toFixed(2)} ×`, '≤ 1.3 ×', grown <= 1.3);
  // Why that is over, and by how much it may be: see ADR 0097.
  const [small, large] = floors.map(({ floor }) => floor);
  const least = (turnOf(1000) + large.stats - small.stats) / turnOf(1000);
  console.log(`  ${'floor of the line above: fstatat of each file, once a turn'.padEnd(58)} ${`${least.toFixed(2)} ×`.padStart(12)}`);
  line('the line above that / its floor', `${(grown / least).toFixed(2)} ×`, '≤ 1.15 ×', grown <= least * 1.15);
  const ratio = (turnOf(50_000) - turnOf(1000)) / (large.git - small.git);
  line('what such a turn grows by / what one git status grows by', `${ratio.toFixed(2)} ×`, '≤ 1.15 ×', ratio <= 1.15);
}
