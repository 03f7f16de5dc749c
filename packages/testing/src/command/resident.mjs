// Takes call after call of the command. The parent sends what a process would be given, and finds what it would have left in the
// file that it names.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { runEntry } from './entry.mjs';

/** Where answers are put. Each run has arguments of its own. */
const answers = process.argv[2];

async function run(call) {
  const said = { stdout: [], stderr: [] };
  const write = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ['stdout', 'stderr'])
    process[name].write = (text, encoding, done) => {
      said[name].push(typeof text === 'string' ? Buffer.from(text, typeof encoding === 'string' ? encoding : 'utf8') : Buffer.from(text));
      const then = typeof encoding === 'function' ? encoding : done;
      if (then) process.nextTick(then);
      return true;
    };
  const code = await runEntry(call);
  Object.assign(process.stdout, { write: write.stdout });
  Object.assign(process.stderr, { write: write.stderr });
  return { code, stdout: Buffer.concat(said.stdout).toString('base64'), stderr: Buffer.concat(said.stderr).toString('base64') };
}

process.on('message', async (request) => {
  const answer = JSON.stringify(await run(request));
  writeFileSync(`${request.to}.new`, answer);
  renameSync(`${request.to}.new`, request.to);
  process.send(request.to);
});
// A runner ends its workers by a signal: they cannot tidy up.
process.on('disconnect', () => {
  rmSync(answers, { recursive: true, force: true });
  process.exit();
});
