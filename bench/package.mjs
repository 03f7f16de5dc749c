// How large the package is, and how fast it starts: `piton --version` beside `node -e 0`, and npx of it beside npx of an empty
// package, in turns, each installed by npm. `npm run build` first.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stageCli } from '../scripts/package/cli.mjs';
import { packStage } from '../scripts/package/staging.mjs';
import { settleUsage } from '../scripts/usage.mjs';

settleUsage('usage: node bench/package.mjs [--rounds <number>]', ['--rounds']);
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
const rounds = Number(values.rounds);

const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];

/** In turns, so that a busy machine slows all of them alike. */
function compare(ways) {
  const times = ways.map(() => []);
  for (let round = 0; round <= rounds; round++)
    for (const [at, { run, cwd }] of ways.entries()) {
      const started = process.hrtime.bigint();
      const { status } = spawnSync(run[0], run.slice(1), { cwd, stdio: 'ignore' });
      if (status !== 0) throw new Error(`${run.join(' ')} failed`);
      if (round > 0) times[at].push(Number(process.hrtime.bigint() - started) / 1e6); // the first fills caches
    }
  const [base] = times.map(median);
  for (const [at, { name }] of ways.entries())
    console.log(`${name.padEnd(34)} ${median(times[at]).toFixed(1).padStart(8)} ms  ${(median(times[at]) / base).toFixed(2)} ×`);
}

const base = mkdtempSync(join(tmpdir(), 'piton-bench-'));
try {
  const stage = stageCli(join(base, 'stage'));
  const tarball = packStage(stage, base);
  const files = readdirSync(stage, { recursive: true })
    .map((name) => statSync(join(stage, name)))
    .filter((stat) => stat.isFile());
  console.log(
    `packed ${(statSync(tarball).size / 1e6).toFixed(2)} MB, unpacked ${(files.reduce((sum, { size }) => sum + size, 0) / 1e6).toFixed(1)} MB, ${files.length} files\n`,
  );

  const empty = join(base, 'empty');
  mkdirSync(empty);
  writeFileSync(join(empty, 'package.json'), '{ "name": "empty-command", "version": "1.0.0", "bin": { "empty-command": "run.cjs" } }');
  writeFileSync(join(empty, 'run.cjs'), '#!/usr/bin/env node\n', { mode: 0o755 });
  const projects = [packStage(empty, base), tarball].map((file, at) => {
    const project = join(base, `project-${at}`);
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    execFileSync('npm', ['install', file, '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
      cwd: project,
      stdio: 'ignore',
    });
    return project;
  });
  const installed = join(projects[1], 'node_modules', '@piton', 'cli', 'piton.cjs');
  compare([
    { name: 'node -e 0', run: [process.execPath, '-e', '0'] },
    { name: 'piton --version', run: [process.execPath, installed, '--version'] },
    { name: 'piton help', run: [process.execPath, installed, 'help'] },
  ]);
  console.log();
  compare([
    { name: 'npx empty-command', run: ['npx', 'empty-command'], cwd: projects[0] },
    { name: 'npx piton --version', run: ['npx', 'piton', '--version'], cwd: projects[1] },
  ]);
} finally {
  rmSync(base, { recursive: true, force: true });
}
