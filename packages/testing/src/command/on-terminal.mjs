// Runs the built command call after call on the terminal that it has itself, each behind a mark with its number: a Node for each
// would cost more than what it prints. What to run stands in the file that it is given.
import { readFileSync } from 'node:fs';
import { runEntry } from './entry.mjs';

const { cli, cwd, env, mark, calls } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { number, args } of calls) {
  process.stdout.write(`${mark}${number}\n`);
  await runEntry({ cli, args, cwd, env });
}
process.exit();
