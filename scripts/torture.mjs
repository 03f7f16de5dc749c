// npm run torture [-- --seeds N --steps N --from SEED --jobs N]: random days against the checkpoints, each with its own truth. A seed that
// fails is printed with the command that plays it once more. What was played on this commit is noted, and is not played again: a run that
// was cut short goes on where it was.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { settleUsage } from './usage.mjs';

const USAGE = 'usage: npm run torture -- [--seeds <number>] [--steps <number>] [--from <seed>] [--jobs <number>] [--again]';
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Starting the runner takes as long as a day: each plays a few. */
const SEEDS_AT_ONCE = 10;

export const DAYS = [
  'packages/checkpoints/test/any-settings.test.ts',
  'packages/checkpoints/test/beside-torture.test.ts',
  'packages/checkpoints/test/bytes-torture.test.ts',
  'packages/checkpoints/test/full-disk-torture.test.ts',
  'packages/checkpoints/test/rewind-torture.test.ts',
  'packages/checkpoints/test/torture.test.ts',
  'scenarios/checkpoints/stall-generator.test.ts',
];

/** Parses `--seeds 500 --steps 60 --from 1 --jobs 1 --again`. An error names the wrong argument. */
export function tortureOptions(args) {
  const options = { seeds: 500, steps: 60, from: 1, jobs: 1, again: false };
  for (let at = 0; at < args.length; at += 2) {
    if (args[at] === '--again') {
      options.again = true;
      at -= 1;
      continue;
    }
    const [name, value] = [args[at].replace(/^--/, ''), Number(args[at + 1])];
    if (!args[at].startsWith('--') || !(name in options)) return { error: `unknown option ${args[at]}` };
    if (!Number.isInteger(value) || value < 1) return { error: `--${name} takes a whole number from 1` };
    options[name] = value;
  }
  return options;
}

/** The seeds of each kind of day that are still to be played, a few at a time: all kinds of the first seeds come first. */
export function batchesOf({ seeds, from }, isPlayed, atOnce = SEEDS_AT_ONCE) {
  const batches = [];
  for (let first = from; first < from + seeds; first += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, from + seeds - first) }, (_, at) => first + at);
    for (const day of DAYS) {
      const left = some.filter((seed) => !isPlayed(day, seed));
      if (left.length > 0) batches.push({ day, first: left[0], count: left.at(-1) - left[0] + 1 });
    }
  }
  return batches;
}

/** What a runner printed: which seeds it began, and what they counted. */
export function countsIn(output) {
  const counts = {};
  for (const [, listed] of output.matchAll(/^torture: seed \d+ counted: (.+)$/gm))
    for (const [, what, count] of listed.matchAll(/([a-z ]+?) (\d+)(?:, |$)/g)) counts[what] = (counts[what] ?? 0) + Number(count);
  return counts;
}

const sum = (all) => {
  const total = {};
  for (const counts of all) for (const [what, count] of Object.entries(counts)) total[what] = (total[what] ?? 0) + count;
  return total;
};

/** Of a tree with changes nothing is known from an earlier run. */
function noteFile(steps) {
  const git = (...args) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
  if (git('status', '--porcelain') !== '') return null;
  return join(ROOT, 'node_modules', '.cache', 'torture', `${git('rev-parse', 'HEAD')}-${steps}.jsonl`);
}

const readNotes = (file) =>
  file !== null && existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((row) => JSON.parse(row))
    : [];

function play({ day, first, count }, steps) {
  const env = { ...process.env, PITON_TORTURE_SEED: `${first}`, PITON_TORTURE_RUNS: `${count}`, PITON_TORTURE_STEPS: `${steps}` };
  return new Promise((resolve) => {
    const child = spawn('npx', ['vitest', 'run', day], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.on('close', (code) => resolve({ code, output }));
  });
}

async function main() {
  settleUsage(USAGE);
  const options = tortureOptions(process.argv.slice(2));
  if ('error' in options) {
    console.error(`${options.error}\n${USAGE}`);
    process.exitCode = 2;
    return;
  }
  const { seeds, steps, from, jobs, again } = options;
  const file = noteFile(steps);
  if (again && file !== null) rmSync(file, { force: true });
  const notes = readNotes(file);
  const isPlayed = (day, seed) => notes.some((one) => one.day === day && one.first <= seed && seed < one.first + one.count);
  const batches = batchesOf(options, isPlayed);
  const results = notes.filter(({ first, count }) => first < from + seeds && first + count > from);
  if (results.length > 0) console.log(`torture: ${results.length} batches were played before; --again plays them once more`);
  let next = 0;
  let isRed = false;
  const worker = async () => {
    while (next < batches.length) {
      const batch = batches[next++];
      const { code, output } = await play(batch, steps);
      const counts = countsIn(output);
      const name = batch.day.replace(/^.*\/|\.test\.ts$/g, '');
      console.log(
        `torture: ${name}, seeds ${batch.first} to ${batch.first + batch.count - 1}: ${code === 0 ? 'right' : 'WRONG'}${textOf(counts)}`,
      );
      if (code !== 0) console.log(output);
      isRed ||= code !== 0;
      results.push({ ...batch, counts });
      // What failed is played again.
      if (code === 0 && file !== null) {
        mkdirSync(dirname(file), { recursive: true });
        appendFileSync(file, `${JSON.stringify({ ...batch, counts })}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  for (const day of DAYS) {
    const played = results.filter((one) => one.day === day);
    const total = played.reduce((all, { count }) => all + count, 0);
    console.log(`torture: ${day}: ${total} seeds of ${steps} steps${textOf(sum(played.map(({ counts }) => counts)))}`);
  }
  process.exitCode = isRed ? 1 : 0;
}

const textOf = (counts) =>
  Object.keys(counts).length === 0
    ? ''
    : `: ${Object.entries(counts)
        .map(([what, count]) => `${what} ${count}`)
        .join(', ')}`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
