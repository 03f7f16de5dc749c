#!/usr/bin/env node
// The command of the npm package. In words that any Node reads, so that an old one can say which is needed; and without loading the
// rest where only the version is asked for.
const version = process.versions.node;
const numbers = version.split('.').map(Number);
const args = process.argv.slice(2);

if (numbers[0] < 20 || (numbers[0] === 20 && numbers[1] < 19)) {
  console.error(['piton needs Node 20.19 or newer; this is ', version, '.'].join(''));
  process.exitCode = 1;
} else if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
  console.log(require('./package.json').version);
} else {
  require('./load.cjs');
}
