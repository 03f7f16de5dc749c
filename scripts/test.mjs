// npm test: installs and builds what is missing, checks, tests, and ends with a summary line. `--node 22` does it with that Node.
import { runAgain, takeNode } from './node-runtimes.mjs';
import { setup } from './setup.mjs';
import { settleUsage } from './usage.mjs';

settleUsage(`usage: npm test -- [options] [test files or folders…]
       npm run test:big -- [options]

npm test installs and builds what is missing, checks, and tests all but what takes minutes each. With files it tests only these.
npm run test:big tests that: storms, the page in Chromium, PostgreSQL, torture, every command on every screen.
npm run test:agents drives the real agents.

  --node <major>   with that Node, such as 22
  --require-all    a skipped test counts as failed
  --repeat-failed  run a failed file once more, with nothing beside it
Other options go to vitest: -t <part of a test's name>.`);
const { runtime, error, rest: args } = takeNode(process.argv.slice(2));
if (error) {
  console.error(error);
  process.exit(2);
}
if (runtime && runtime.binary !== process.execPath) process.exit(runAgain(runtime, import.meta.filename, args));
setup();
const { bubblewrap } = await import('./bubblewrap.mjs');
const { runChecks } = await import('./checks.mjs');
const { step } = await import('./step.mjs');
const { BIG, closingLine, runTests, USUAL, WITHOUT_AGENTS } = await import('./tally.mjs');

/** For CI: a skipped test counts as failed, whatever the reason. */
const requireAll = args.includes('--require-all');
/** For CI: a test that failed beside others and passes alone is named as unstable and does not fail the run. */
const repeat = args.includes('--repeat-failed');
const isBig = args.includes('--big');
const chosen = args.filter((arg) => !['--require-all', '--repeat-failed', '--big'].includes(arg));
const broken = [];
if (!step('build', ['scripts/build.mjs'])) broken.push('build');
if (chosen.length === 0 && !isBig) broken.push(...runChecks());
bubblewrap(); // needed by the tests of the sandbox; without it they are skipped by name

function projects() {
  if (isBig) return BIG;
  if (chosen.every((arg) => arg.startsWith('-'))) return USUAL;
  return chosen.some((name) => name.includes('real-')) ? [] : WITHOUT_AGENTS;
}
const tally = runTests(isBig ? 'big tests' : 'tests', [...chosen, ...projects()], {}, { repeat });

for (const name of tally.skipped) console.log(`skipped: ${name}`);
if (projects() === USUAL) {
  console.log('skipped: storms, the page in Chromium, PostgreSQL, torture, every command on every screen: npm run test:big');
  console.log('skipped: the real agents, scenarios/real-*: npm run test:agents');
}
for (const name of tally.unstable) console.log(`unstable, passed alone: ${name}`);
for (const name of broken) console.log(`failed: ${name}`);
if (requireAll && tally.skipped.length > 0) console.log(`failed: ${tally.skipped.length} skipped, and --require-all was given`);
const total = { ...tally, failed: tally.failed + broken.length + (requireAll ? tally.skipped.length : 0) };
console.log(`\n${closingLine(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
