// Runs the built command many times in one process, each time as if it were the first: the entry is loaded anew, its chunks are not.
// A Node that starts and reads them costs more than most commands do. The parent sends what a process would be given, and finds
// what it would have left in the file that it names.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const EVENTS = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'beforeExit', 'warning', 'uncaughtException', 'unhandledRejection'];
const listenersOf = (emitter, names) => names.flatMap((name) => emitter.listeners(name).map((listener) => [emitter, name, listener]));
const allListeners = () => [
  ...listenersOf(process, EVENTS),
  ...[process.stdout, process.stderr].flatMap((one) => listenersOf(one, ['error'])),
];

/** Where answers are put. Each run has arguments of its own. */
const answers = process.argv[2];
let runs = 0;

/** The real one, key by key: what asks the C library for HOME or TZ must see it too. */
function setEnvironment(env) {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
}

async function run({ cli, args, cwd, env }) {
  setEnvironment(env);
  process.chdir(cwd);
  process.argv = [process.execPath, cli, ...args];
  process.exitCode = undefined;
  const before = new Set(allListeners().map(([, , listener]) => listener));
  const said = { stdout: [], stderr: [] };
  const write = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ['stdout', 'stderr'])
    process[name].write = (text, encoding, done) => {
      said[name].push(typeof text === 'string' ? Buffer.from(text, typeof encoding === 'string' ? encoding : 'utf8') : Buffer.from(text));
      const then = typeof encoding === 'function' ? encoding : done;
      if (then) process.nextTick(then);
      return true;
    };
  let code = 1;
  try {
    await import(`${pathToFileURL(cli).href}?run=${++runs}`);
    code = 0;
  } catch (error) {
    said.stderr.push(Buffer.from(`${error?.stack ?? error}\n`));
    process.exitCode = 1;
  } finally {
    const added = allListeners().filter(([, , listener]) => !before.has(listener));
    for (const [emitter, name, listener] of added) {
      if (emitter === process && name === 'exit') listener(process.exitCode ?? 0);
      emitter.removeListener(name, listener);
    }
    Object.assign(process.stdout, { write: write.stdout });
    Object.assign(process.stderr, { write: write.stderr });
    code = Number(process.exitCode ?? code);
    process.exitCode = undefined;
    process.chdir('/');
  }
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
