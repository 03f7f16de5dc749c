// npm run soak [-- --load N --rounds N files…]: runs the tests beside N processes that keep the cores busy. A test that needs an
// idle machine has a bug.
import { spawn } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { pathToFileURL } from 'node:url';
import { setup } from './setup.mjs';
import { settleUsage } from './usage.mjs';

const USAGE = 'usage: npm run soak -- [--load <processes>] [--rounds <times>] [test files…]';

/** Parses `--load 8 --rounds 2 scenarios/storm`. An error names the wrong argument. */
export function soakOptions(args) {
  const options = { load: 2 * availableParallelism(), rounds: 1, files: [] };
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === '--load' || arg === '--rounds') {
      const count = Number(args[++at]);
      if (!Number.isInteger(count) || count < 1 || count > 256) return { error: `${arg} takes a whole number from 1 to 256` };
      options[arg.slice(2)] = count;
    } else if (arg.startsWith('-')) return { error: `unknown option ${arg}` };
    else options.files.push(arg);
  }
  return options;
}

/** Half of them compute, half write to the disk and call the kernel, as builds beside an agent do. */
const COMPUTE = 'for (;;) for (let i = 0; i < 1e7; i++) Math.sqrt(i)';
const WRITE =
  "const fs = require('fs'); const file = require('path').join(require('os').tmpdir(), 'piton-soak-' + process.pid); process.on('SIGTERM', () => { fs.rmSync(file, { force: true }); process.exit(); }); const work = () => { fs.writeFileSync(file, Buffer.alloc(1 << 20, Math.random() * 255)); setImmediate(work); }; work()";

function startLoad(count) {
  const children = Array.from({ length: count }, (_, at) =>
    spawn(process.execPath, ['-e', at % 2 === 0 ? COMPUTE : WRITE], { stdio: 'ignore' }),
  );
  return () => children.forEach((child) => void child.kill());
}

async function main() {
  settleUsage(USAGE);
  const options = soakOptions(process.argv.slice(2));
  if ('error' in options) {
    console.error(`${options.error}\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  setup();
  const { step } = await import('./step.mjs');
  const { closingLine, runTests, WITHOUT_AGENTS } = await import('./tally.mjs');
  if (!step('build', ['scripts/build.mjs'])) {
    process.exitCode = 1;
    return;
  }
  const total = { passed: 0, failed: 0, skipped: [] };
  const stop = startLoad(options.load);
  process.on('exit', stop);
  try {
    for (let round = 1; round <= options.rounds; round += 1) {
      const name = `round ${round} of ${options.rounds}, ${options.load} busy processes`;
      const tally = runTests(name, [...options.files, ...WITHOUT_AGENTS], { PITON_TEST_PATIENCE: '4' });
      console.log(
        `load average: ${loadavg()
          .map((value) => value.toFixed(1))
          .join(', ')}`,
      );
      total.passed += tally.passed;
      total.failed += tally.failed;
      total.skipped.push(...tally.skipped);
    }
  } finally {
    stop();
  }
  console.log(`\n${closingLine(total)}`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
