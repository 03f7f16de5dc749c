// The built command, many times in one process, each time as if it were the first: the entry is loaded anew, its chunks are not.
// A Node that starts and reads them costs more than most commands do.
import { pathToFileURL } from 'node:url';

const EVENTS = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP', 'beforeExit', 'warning', 'uncaughtException', 'unhandledRejection'];
const listenersOf = (emitter, names) => names.flatMap((name) => emitter.listeners(name).map((listener) => [emitter, name, listener]));
const allListeners = () => [
  ...listenersOf(process, EVENTS),
  ...[process.stdout, process.stderr].flatMap((one) => listenersOf(one, ['error'])),
];

let runs = 0;

/** The real one, key by key: what asks the C library for HOME or TZ must see it too. */
function setEnvironment(env) {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
}

/** Runs it, and what it left to be done at the exit; what it listened to is forgotten. Resolves to its exit code. */
export async function runEntry({ cli, args, cwd, env }) {
  setEnvironment(env);
  process.chdir(cwd);
  process.argv = [process.execPath, cli, ...args];
  process.exitCode = undefined;
  const before = new Set(allListeners().map(([, , listener]) => listener));
  try {
    await import(`${pathToFileURL(cli).href}?run=${++runs}`);
  } catch (error) {
    process.stderr.write(`${error?.stack ?? error}\n`);
    process.exitCode = 1;
  }
  const added = allListeners().filter(([, , listener]) => !before.has(listener));
  for (const [emitter, name, listener] of added) {
    if (emitter === process && name === 'exit') listener(process.exitCode ?? 0);
    emitter.removeListener(name, listener);
  }
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  process.chdir('/');
  return code;
}
