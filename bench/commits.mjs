// What `git commit` takes beside git alone: with Piton, its server and its hooks as `piton init` installs them, and with others' hooks.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { hookManagers } from '../scripts/hook-managers.mjs';
import { importTypeScript } from '../scripts/import-typescript.mjs';
import { ROOT } from '../scripts/sources.mjs';
import { ahead, putAhead } from './ahead.mjs';
import { quantile } from './side-by-side.mjs';
import { createStage, plainEnvironment, post, status, strike, warm } from './stage.mjs';

/** Of git-ai, where somebody has it: see bench/peers.md. */
const GIT_AI = 'PITON_BENCH_GIT_AI';
const FILES = 1000;
const PERSON = {
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' },
  ...{ GIT_CONFIG_NOSYSTEM: '1' },
};

const ALONE = 'git alone';
const COMMIT_SIDES = {
  one: "Piton, an agent's work, 1 session",
  many: "Piton, an agent's work, 500 sessions",
  beside: "Piton, a person's work beside an agent's",
  idle: 'Piton, no agent at work since the last commit',
};

const fileName = (at) => `d${at % 10}/f${at}.txt`;

/** A repository, and the environment in which its commits are made. */
function makeRepository(directory, name, env) {
  const root = join(directory, name);
  const git = (...args) => execFileSync('git', args, { cwd: root, env: { ...env, ...PERSON }, stdio: ['ignore', 'pipe', 'ignore'] });
  for (let at = 0; at < FILES; at++) {
    mkdirSync(join(root, fileName(at), '..'), { recursive: true });
    writeFileSync(join(root, fileName(at)), `file ${at}\n`);
  }
  git('init', '--quiet', '--initial-branch=main');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'first');
  git('gc', '--quiet');
  return { name, root, env: { ...env, ...PERSON }, git };
}

const change = ({ root }, at, round) => appendFileSync(join(root, fileName(at)), `${round} ${randomBytes(4).toString('hex')}\n`);

/** As Claude Code calls its hooks: one turn in which one file is written. */
async function turn(stage, repository, at, round) {
  const fire = (event, more) =>
    execFileSync(stage.places.forwarder, ['claude', event, 'user', '60000', '-'], {
      cwd: repository.root,
      env: repository.env,
      input: JSON.stringify({ session_id: `last-${repository.name}`, hook_event_name: event, cwd: repository.root, ...more }),
    });
  const write = {
    tool_name: 'Write',
    tool_use_id: `w${round}`,
    tool_input: { file_path: join(repository.root, fileName(at)), content: 'x' },
  };
  fire('UserPromptSubmit', { prompt: `round ${round}` });
  fire('PreToolUse', write);
  change(repository, at, round);
  fire('PostToolUse', { ...write, tool_response: {} });
  fire('Stop', { stop_hook_active: false });
  await post(stage, '/v1/settle', { root: repository.root });
}

/** A repository in which `piton init` ran, and so many sessions have been at work and committed. */
async function watched(stage, name, sessions) {
  const repository = makeRepository(stage.root, name, stage.env);
  execFileSync(process.execPath, [join(ROOT, 'dist/cli.mjs'), 'init', '--yes', '--agent', 'claude'], {
    cwd: repository.root,
    env: stage.env,
    stdio: 'pipe',
  });
  const checkpoints = await importTypeScript('bench/checkpoints-entry.ts');
  const git = checkpoints.createGit({ environment: stage.env });
  const worktree = checkpoints.createWorktree({
    git,
    repository: await checkpoints.findRepository(git, repository.root),
    stateDirectory: checkpoints.stateDirectory(stage.places.home),
    redact: (text) => text,
    random: randomBytes,
  });
  const about = { kind: 'stop', name: 'bench', by: 'agent', agent: 'claude', turn: null };
  await checkpoints.take(worktree, { ...about, session: 'first' });
  for (let at = 0; at < sessions; at++) {
    change(repository, 0, at);
    await checkpoints.take(worktree, { ...about, session: `s${at}`, touched: [join(repository.root, fileName(0))] });
  }
  if (sessions > 0) repository.git('commit', '--quiet', '-am', 'everything so far');
  await post(stage, '/v1/settle', { root: repository.root });
  return repository;
}

/** Each changes something and stages it; what is measured is the commit alone. */
async function pitonSides(stage, sessions) {
  const settle = ({ root }) => post(stage, '/v1/settle', { root });
  const side = (name, repository, prepare) => ({ name, repository, prepare, after: () => settle(repository) });
  const byAgent = (repository) => async (round) => {
    await turn(stage, repository, 1, round);
    repository.git('add', '-u');
  };
  const besideAgent = (repository) => async (round) => {
    if (round === 0) await turn(stage, repository, 1, round);
    change(repository, 2, round);
    repository.git('add', fileName(2));
  };
  const byPerson = (repository) => async (round) => {
    change(repository, 2, round);
    repository.git('add', '-u');
  };
  const [one, many, beside, idle] = [
    await watched(stage, 'one', 1),
    await watched(stage, 'many', sessions),
    await watched(stage, 'beside', 1),
    await watched(stage, 'idle', 1),
  ];
  return [
    side(COMMIT_SIDES.one, one, byAgent(one)),
    side(COMMIT_SIDES.many, many, byAgent(many)),
    side(COMMIT_SIDES.beside, beside, besideAgent(beside)),
    side(COMMIT_SIDES.idle, idle, byPerson(idle)),
  ];
}

/** Others' hooks of the same three names, each of which does nothing. */
function peerSides(directory) {
  const sides = [];
  const missing = [];
  const env = plainEnvironment({ HOME: directory });
  const side = (name, repository) =>
    sides.push({
      ...{ name, repository, after: () => {} },
      prepare: (round) => {
        change(repository, 2, round);
        repository.git('add', '-u');
      },
    });
  side(ALONE, makeRepository(directory, 'alone', env));
  const managers = hookManagers();
  const hooks = ['prepare-commit-msg', 'commit-msg', 'post-commit'];
  if (managers === null) missing.push('husky 9', 'lefthook 2');
  else {
    const withManagers = { ...env, PATH: `${managers}${delimiter}${env.PATH}` };
    const husky = makeRepository(directory, 'husky', withManagers);
    mkdirSync(join(husky.root, '.husky'));
    for (const hook of hooks) writeFileSync(join(husky.root, '.husky', hook), ':\n');
    execFileSync(join(managers, 'husky'), { cwd: husky.root, env: withManagers, stdio: 'ignore' });
    side('husky 9, three empty hooks', husky);
    const lefthook = makeRepository(directory, 'lefthook', withManagers);
    const commands = hooks.map((hook) => `${hook}:\n  commands:\n    none:\n      run: "true"\n`);
    writeFileSync(join(lefthook.root, 'lefthook.yml'), `output: false\n${commands.join('')}`);
    execFileSync(join(managers, 'lefthook'), ['install'], { cwd: lefthook.root, env: withManagers, stdio: 'ignore' });
    side('lefthook 2, three empty hooks', lefthook);
  }
  const gitAi = process.env[GIT_AI];
  if (!gitAi || !existsSync(gitAi)) missing.push(`git-ai (${GIT_AI} names no program)`);
  else {
    const repository = makeRepository(directory, 'git-ai', env);
    side('git-ai', { ...repository, program: gitAi });
  }
  return { sides, missing };
}

function commit({ root, env, program = 'git' }) {
  const from = process.hrtime.bigint();
  const { status: code, stderr } = spawnSync(program, ['commit', '--quiet', '-m', 'bench'], {
    argv0: 'git', // what stands in the place of git goes by its name
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const took = Number(process.hrtime.bigint() - from) / 1e6;
  if (code !== 0) throw new Error(`a commit failed: ${stderr}`);
  return took;
}

/** The middle of what each round differs from git alone in the same round: what slows the machine slows both. */
async function commitCosts(rounds, sessions = 500) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'piton-bench-commits-')));
  const stage = createStage();
  try {
    await warm(stage, JSON.stringify({ session_id: 'bench', hook_event_name: 'SessionStart', source: 'startup' }));
    const { sides: others, missing } = peerSides(directory);
    const sides = [...others, ...(await pitonSides(stage, sessions))];
    const times = new Map(sides.map(({ name }) => [name, []]));
    // `init` may have had another take its place.
    const { pid } = await status(stage);
    putAhead(pid);
    for (let round = 0; round < rounds + 3; round++) {
      for (const { name, repository, prepare, after } of sides) {
        await prepare(round);
        const took = await ahead(() => commit(repository));
        await after();
        if (round >= 3) times.get(name).push(took);
      }
    }
    const alone = times.get(ALONE);
    const figures = [...times].map(([name, all]) => {
      const more = all.map((took, at) => took - alone[at]);
      return { name, median: quantile(all, 0.5), p95: quantile(all, 0.95), more: quantile(more, 0.5) };
    });
    return { figures, missing };
  } finally {
    await strike(stage);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Of git alone, on the machine that the budgets are of. */
const QUIET_MS = 3.7;

/** Beside git alone and others' hooks: what each round takes more than git alone in the same round. */
export async function printCommits(rounds, { ms, line }) {
  console.log(`\n\`git commit\` with the installed hooks and their server, ${rounds} rounds in turns (bench/peers.md)`);
  const { figures, missing } = await commitCosts(rounds);
  const alone = figures.find(({ name }) => name === ALONE);
  for (const { name, median, p95, more } of figures)
    console.log(
      `  ${name.padEnd(58)} ${ms(median).padStart(12)}   p95 ${ms(p95)}   +${ms(more)}   ${(median / alone.median).toFixed(2)} ×`,
    );
  for (const name of missing) console.log(`  skipped: ${name}`);
  console.log();
  const moreOf = (side) => figures.find(({ name }) => name === side).more;
  const budget = (side, most) => {
    line(side, `+${ms(moreOf(side))}`, `≤ ${most} ms`, moreOf(side) <= most);
    // The budgets are of a machine on which git alone takes that long.
    const [times, mostTimes] = [moreOf(side) / alone.median, most / QUIET_MS];
    line('  the same, in commits of git alone', `+${times.toFixed(2)} ×`, `≤ ${mostTimes.toFixed(2)} ×`, times <= mostTimes);
  };
  for (const side of [COMMIT_SIDES.one, COMMIT_SIDES.many, COMMIT_SIDES.beside]) budget(side, 10);
  budget(COMMIT_SIDES.idle, 4);
}
