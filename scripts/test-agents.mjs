// npm run test:agents [-- [--versions | --newest] [--write] [--install-only] [--require-all] [--repeat-failed] <agent…>]: installs the
// pinned real agents, and the oldest that is to work of each, into a cache outside the clone, runs the scenarios that drive them, and
// compares what they have shown with what is committed. --versions drives all older versions instead, --newest the newest of the registry.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setup } from './setup.mjs';
import { settleUsage } from './usage.mjs';

settleUsage(
  `usage: npm run test:agents -- [options] [agent…]

Installs the pinned real agents into a cache outside the clone, and runs the scenarios that drive them: all, or those you name.

  --versions       drive older versions instead
  --newest         drive the newest versions of the registry instead
  --write          write what they showed to the tables of agents
  --install-only   only install them
  --require-all    a skipped test counts as failed
  --repeat-failed  run a failed file once more, with nothing beside it`,
  ['--versions', '--newest', '--write', '--install-only', '--require-all', '--repeat-failed'],
);
setup();
const { newestOf, settleVersions } = await import('./agent-versions.mjs');
const { settleProof } = await import('./agent-proof.mjs');
const { importTypeScript } = await import('./import-typescript.mjs');
const { step } = await import('./step.mjs');
const { closingLine, runTests } = await import('./tally.mjs');
const { NODE_RUNTIMES, installRuntime } = await import('./node-runtimes.mjs');
const { PINNED_AGENTS, agentArgv, agentCache, agentDirectory, isInstalled } = await importTypeScript('packages/testing/src/bed/agents.ts');

const { atVersion, CI_EDGES, EDGES } = await importTypeScript('packages/testing/src/bed/versions.ts');

const args = process.argv.slice(2);
const only = args.filter((arg) => !arg.startsWith('-'));
const unknown = only.filter((id) => !PINNED_AGENTS.some((agent) => agent.id === id));
if (unknown.length > 0) throw new Error(`no such agent: ${unknown.join(', ')}`);
const isChosen = ({ id }) => only.length === 0 || only.includes(id);
const pinned = PINNED_AGENTS.filter(isChosen);
const part = args.includes('--versions') ? 'older' : args.includes('--newest') ? 'newest' : null;
/** Rows of versions that nobody can drive. */
const absent = [];
const chosenAgents =
  part === 'older'
    ? EDGES.filter(isChosen).map(atVersion)
    : part === 'newest'
      ? newestAgents()
      : [...pinned, ...CI_EDGES.filter(isChosen).map(atVersion)];

function newestAgents() {
  return pinned.flatMap((agent) => {
    const version = newestOf(agent);
    if (version === agent.version) absent.push({ agent: agent.id, version, pinned: true });
    return version === null || version === agent.version ? [] : [{ ...agent, version }];
  });
}

const PROGRESS_EVERY_MS = 10_000;

/** Installs into a temporary folder and renames it: the cache never has half an install. */
async function install(agent) {
  const cache = agentCache();
  const goal = agentDirectory(agent);
  mkdirSync(cache, { recursive: true });
  const aside = mkdtempSync(join(cache, `.${agent.id}-`));
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(0)} s`;
  console.log(`agents: installing ${agent.id} ${agent.version} (about ${agent.megabytes} MB) into ${goal}`);
  const progress = setInterval(() => console.log(`agents: still installing ${agent.id}, ${seconds()}`), PROGRESS_EVERY_MS);
  try {
    const code = await npmInstall(aside, agent);
    const command = join(aside, 'node_modules', '.bin', agent.command);
    if (code !== 0 || !existsSync(command)) return `npm ended with ${code} and ${command} is ${existsSync(command) ? '' : 'not '}there`;
    try {
      renameSync(aside, goal);
    } catch (error) {
      if (!isInstalled(agent)) throw error; // otherwise another run was faster, and its copy is as good
    }
    console.log(`agents: ${agent.id} ${agent.version} installed (${seconds()})`);
    return null;
  } catch (error) {
    return error.message;
  } finally {
    clearInterval(progress);
    rmSync(aside, { recursive: true, force: true });
  }
}

/**
 * Some agents fetch or link their program in an install script. Our npm configuration forbids these, and `npm run` passes that on
 * in the environment.
 */
function npmInstall(prefix, agent) {
  const args = [
    'install',
    '--prefix',
    prefix,
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--ignore-scripts=false',
    `${agent.package}@${agent.version}`,
    ...(agent.bun === undefined ? [] : [`bun@${agent.bun}`]),
  ];
  const home = join(prefix, 'home');
  const env = agent.homeVariable === undefined ? process.env : { ...process.env, [agent.homeVariable]: home };
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd: prefix, env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      rmSync(home, { recursive: true, force: true });
      resolve(code ?? signal);
    });
  });
}

/** It must run, not only exist: a registry may lack the package of this platform. */
const works = (agent) =>
  step(`${agent.id} --version`, [
    '-e',
    'const [program, ...args] = process.argv.slice(1); process.exit(require("child_process").spawnSync(program, [...args, "--version"], { stdio: "inherit" }).status ?? 1)',
    ...agentArgv(agent),
  ]);

const broken = [];
for (const major of new Set(chosenAgents.flatMap(({ node }) => node ?? []))) {
  const runtime = NODE_RUNTIMES.find((one) => one.major === major);
  const enough = Number.parseInt(process.versions.node, 10) >= major;
  if (!enough && !installRuntime(runtime)) broken.push(`Node ${major}, for the agents that need it`);
}
for (const agent of chosenAgents) {
  if (isInstalled(agent) && works(agent)) {
    console.log(`agents: ${agent.id} ${agent.version} is in ${dirname(agentDirectory(agent))}`);
    continue;
  }
  // A program that does not start was left by a failed install, and would stay for ever.
  rmSync(agentDirectory(agent), { recursive: true, force: true });
  const why = await install(agent);
  if (why === null && works(agent)) continue;
  if (part === 'newest') {
    console.log(`agents: ${agent.id} ${agent.version} does not install here: ${why ?? 'it does not start'}`);
    absent.push({ agent: agent.id, version: agent.version, installs: false });
    continue;
  }
  broken.push(`${agent.id} ${agent.version}: ${why ?? 'installed, but does not start'}`);
}

if (args.includes('--install-only')) {
  for (const line of broken) console.log(`failed: ${line}`);
  process.exit(broken.length === 0 ? 0 : 1);
}

const write = args.includes('--write');
const rows = mkdtempSync(join(tmpdir(), 'piton-rows-'));
const driven = mkdtempSync(join(tmpdir(), 'piton-versions-'));
const others = chosenAgents.filter(({ id, version }) => !absent.some((row) => row.agent === id && row.version === version));
const named = others.map(({ id, version }) => `${id}@${version}`).join(',');
if (!step('build', ['scripts/build.mjs'])) broken.push('build');
const chosen = only.length > 0 ? ['-t', `real (${only.join('|')}):`] : [];
// Where the newest are the pinned ones, or do not install, that is all there is to write.
const tally =
  part !== null && others.length === 0
    ? { passed: 0, failed: 0, skipped: [], unstable: [] }
    : runTests(
        'real agents',
        [part === null ? 'scenarios/real-' : 'scenarios/real-versions', ...chosen],
        { PITON_ROWS_TO: rows, PITON_VERSIONS_TO: driven, ...(part !== null && { PITON_AGENT_VERSIONS: named }) },
        { repeat: args.includes('--repeat-failed') },
      );
if (write && tally.failed > 0) broken.push('what was shown is not written: tests failed');
else {
  const versions = { part: part ?? 'older', write, absent, agents: pinned.map(({ id }) => id) };
  const lines = [...(part === null ? await settleProof(rows, { write, only }) : []), ...settleVersions(driven, versions)];
  for (const line of lines) console.log(line);
  if (lines.length > 0) broken.push('what is committed is not what was shown: npm run test:agents -- --write');
  if (!step('the pages of agents', ['scripts/pages.mjs', ...(write ? [] : ['--check'])])) broken.push('the pages of agents are stale');
}
rmSync(rows, { recursive: true, force: true });
rmSync(driven, { recursive: true, force: true });
// With chosen agents the others are skipped on purpose. A chosen one that could not run has failed.
const missing = tally.skipped.filter(
  (name) =>
    (args.includes('--require-all') || /(^|\s)SKIPPED /.test(name)) &&
    (only.length === 0 || only.some((id) => name.includes(`real ${id}:`))),
);
broken.push(...missing);
const skipped = only.length > 0 ? [] : tally.skipped.filter((name) => !missing.includes(name));
for (const name of skipped) console.log(`skipped: ${name}`);
for (const name of tally.unstable) console.log(`unstable, passed alone: ${name}`);
for (const line of broken) console.log(`failed: ${line}`);
const total = { ...tally, skipped, failed: tally.failed + broken.length };
console.log(`\n${closingLine(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
