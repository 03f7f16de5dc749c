// npm test: installs and builds what is missing, checks, tests, and ends with one line that counts.
import { setup } from './setup.mjs';

setup();
const { bubblewrap } = await import('./bubblewrap.mjs');
const { runChecks } = await import('./checks.mjs');
const { step } = await import('./step.mjs');
const { closingLine, runTests } = await import('./tally.mjs');

const chosen = process.argv.slice(2);
const broken = [];
if (!step('build', ['scripts/build.mjs'])) broken.push('build');
if (chosen.length === 0) broken.push(...runChecks());
bubblewrap(); // what the tests of the sandbox need; without it they say so by name
// In a job that ends with `npm run test:agents`, what drives them is left to that: nothing is played twice, and nothing skipped.
const later = process.env.PITON_AGENTS_LATER ? ['--exclude', 'scenarios/real-*/**'] : [];
if (later.length > 0) console.log('the real agents are played by npm run test:agents');
const tally = runTests('tests', [...chosen, ...later]);

for (const name of tally.skipped) console.log(`skipped: ${name}`);
for (const name of broken) console.log(`failed: ${name}`);
const total = { ...tally, failed: tally.failed + broken.length };
console.log(`\n${closingLine(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
