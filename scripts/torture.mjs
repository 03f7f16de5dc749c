// npm run torture [-- --seeds N --steps N --from SEED]: random days against the checkpoints, each with its own truth. A seed that fails is
// printed with the command that plays it once more.
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const USAGE = 'usage: npm run torture -- [--seeds <number>] [--steps <number>] [--from <seed>]';

export const DAYS = [
  'packages/checkpoints/test/torture.test.ts',
  'packages/checkpoints/test/beside-torture.test.ts',
  'scenarios/checkpoints/stall-generator.test.ts',
];

/** Parses `--seeds 500 --steps 60 --from 1`. An error names the wrong argument. */
export function tortureOptions(args) {
  const options = { seeds: 500, steps: 60, from: 1 };
  for (let at = 0; at < args.length; at += 2) {
    const [name, value] = [args[at].replace(/^--/, ''), Number(args[at + 1])];
    if (!args[at].startsWith('--') || !(name in options)) return { error: `unknown option ${args[at]}` };
    if (!Number.isInteger(value) || value < 1) return { error: `--${name} takes a whole number from 1` };
    options[name] = value;
  }
  return options;
}

function main() {
  const options = tortureOptions(process.argv.slice(2));
  if ('error' in options) {
    console.error(`${options.error}\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const { seeds, steps, from } = options;
  const env = { ...process.env, PITON_TORTURE_SEED: `${from}`, PITON_TORTURE_RUNS: `${seeds}`, PITON_TORTURE_STEPS: `${steps}` };
  process.exitCode = spawnSync('npx', ['vitest', 'run', ...DAYS], { env, stdio: 'inherit' }).status ?? 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
