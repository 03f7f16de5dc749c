// npm run test:agents: puts the pinned real agents into a cache outside the clone and runs the scenarios that drive them.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setup } from './setup.mjs';

setup();
const { importTypeScript } = await import('./import-typescript.mjs');
const { step } = await import('./step.mjs');
const { closingLine, runTests } = await import('./tally.mjs');
const { NODE_RUNTIMES, installRuntime } = await import('./node-runtimes.mjs');
const { PINNED_AGENTS, agentArgv, agentCache, agentDirectory, isInstalled } = await importTypeScript('packages/testing/src/bed/agents.ts');

const PROGRESS_EVERY_MS = 10_000;

/** Installs beside its place and renames: what lies in the cache is always whole. */
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
    const code = await npmInstall(aside, `${agent.package}@${agent.version}`);
    const command = join(aside, 'node_modules', '.bin', agent.command);
    if (code !== 0 || !existsSync(command)) return `npm ended with ${code} and ${command} is ${existsSync(command) ? '' : 'not '}there`;
    try {
      renameSync(aside, goal);
    } catch (error) {
      if (!isInstalled(agent)) throw error; // else another run was faster: its copy is as good
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

function npmInstall(prefix, what) {
  const args = ['install', '--prefix', prefix, '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error', what];
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd: prefix, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
}

/** It must run, not only lie there: a registry may lack the package of this platform. */
const works = (agent) =>
  step(`${agent.id} --version`, [
    '-e',
    'const [program, ...args] = process.argv.slice(1); process.exit(require("child_process").spawnSync(program, [...args, "--version"], { stdio: "inherit" }).status ?? 1)',
    ...agentArgv(agent),
  ]);

const broken = [];
for (const major of new Set(PINNED_AGENTS.flatMap(({ node }) => node ?? []))) {
  const runtime = NODE_RUNTIMES.find((one) => one.major === major);
  const enough = Number.parseInt(process.versions.node, 10) >= major;
  if (!enough && !installRuntime(runtime)) broken.push(`Node ${major}, for the agents that need it`);
}
for (const agent of PINNED_AGENTS) {
  if (isInstalled(agent)) console.log(`agents: ${agent.id} ${agent.version} is in ${dirname(agentDirectory(agent))}`);
  const why = isInstalled(agent) ? null : await install(agent);
  if (why === null && works(agent)) continue;
  broken.push(`${agent.id} ${agent.version}: ${why ?? 'installed, but does not start'}`);
}

if (process.argv.includes('--install-only')) {
  for (const line of broken) console.log(`failed: ${line}`);
  process.exit(broken.length === 0 ? 0 : 1);
}

if (!step('build', ['scripts/build.mjs'])) broken.push('build');
const tally = runTests('real agents', ['scenarios/real-'], { PITON_REQUIRE_AGENTS: '1' });
for (const name of tally.skipped) console.log(`skipped: ${name}`);
for (const line of broken) console.log(`failed: ${line}`);
const total = { ...tally, failed: tally.failed + broken.length };
console.log(`\n${closingLine(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
