// npm start: installs and builds what is missing, then runs the demo.
import { setup } from './setup.mjs';

setup();
const { step } = await import('./step.mjs');

if (!step('build', ['scripts/build.mjs'])) process.exitCode = 1;
else if (!step('piton demo', ['dist/cli.mjs', 'demo', ...process.argv.slice(2)])) process.exitCode = 1;
