// The process in which `module` hooks run. One JSON object a line on descriptor 3, both ways:
//   in   { id, module, payload, env, stdoutCap, stderrCap }   a run, or { id, cancel: true }
//   out  { id, begun: true }, then { id, stdout } or { id, error }
// It is plain JavaScript, so that it runs from a clone, a bundle and a package alike.
import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';

const parent = new Socket({ fd: 3, readable: true, writable: true });
const running = new Map();
const loaded = new Map();
let rest = '';

parent.setEncoding('utf8');
parent.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) hear(JSON.parse(line));
});
// Whoever started us is gone.
parent.on('close', () => process.exit());
parent.on('error', () => process.exit());
// The same where a module holds the loop for ever, and nothing of the above is ever heard. Our parent told us its pid: it
// may be gone before we can look. In a sandbox it has none that we could see, and dies with us.
// And V8 bounds its heap only: buffers and the like are looked at from here, often while a module runs.
function watcher({ parentPort, workerData }, { writeSync }) {
  const parent = workerData.parent || process.ppid;
  const end = () => process.kill(process.pid, 'SIGKILL');
  const look = () => {
    if (process.memoryUsage.rss() < workerData.most) return;
    writeSync(2, 'it needs more memory than it may have');
    end();
  };
  setInterval(() => (process.ppid === parent ? look() : end()), 1000);
  let often;
  parentPort.on('message', (runs) => {
    clearInterval(often);
    if (runs > 0) often = setInterval(look, 50);
  });
}
/** What Node itself takes, with room for code and for what has yet to be collected. */
const BESIDE_THE_HEAP = 192 * 2 ** 20;
const watch = new Worker(`(${watcher})(require('node:worker_threads'), require('node:fs'))`, {
  eval: true,
  workerData: { parent: Number(process.argv[2]), most: getHeapStatistics().heap_size_limit + BESIDE_THE_HEAP },
});
watch.unref();
// A promise that a hook forgot belongs to no run: it must not end those of others.
process.on('unhandledRejection', (error) => console.error(error));

const say = (message) => parent.write(`${JSON.stringify(message)}\n`);

function hear(message) {
  if (message.cancel) running.get(message.id)?.abort();
  else void run(message);
}

async function run({ id, module, payload, env, stdoutCap = 2 ** 20, stderrCap = 2 ** 16 }) {
  const control = new AbortController();
  running.set(id, control);
  watch.postMessage(running.size);
  say({ id, begun: true });
  try {
    const hook = await (loaded.get(module) ?? load(module));
    const answer = await hook(JSON.parse(payload), { signal: control.signal, env });
    // One character too many shows that it was cut.
    say({ id, stdout: textOf(answer).slice(0, stdoutCap + 1) });
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    say({ id, error: words.slice(0, stderrCap + 1) });
  } finally {
    running.delete(id);
    watch.postMessage(running.size);
  }
}

/** As `answerText` of the library. */
function textOf(answer) {
  if (typeof answer === 'string') return answer;
  if (answer === null || ['undefined', 'boolean', 'number'].includes(typeof answer)) return '';
  const text = JSON.stringify(answer);
  if (text === undefined) throw new Error(`a ${typeof answer} is no answer`);
  return text;
}

let stripper;

/** Node strips types since 22.18. For an older one, Piton lays something that does beside this file. */
async function strippable(path) {
  if (!/\.[cm]?ts$/.test(path) || process.features.typescript) return;
  stripper ??= import(new URL('./type-stripper.mjs', import.meta.url).href).catch(() => {
    throw new Error(`TypeScript needs Node 22.18 or newer, and this is ${process.versions.node}: compile it to .mjs`);
  });
  await stripper;
}

function load(path) {
  const imported = strippable(path).then(() => import(pathToFileURL(path).href));
  const hook = imported.then(({ default: found }) => {
    // In a CommonJS module, and in what TypeScript makes of one, the function may lie one level deeper.
    const fn = typeof found === 'function' ? found : found?.default;
    if (typeof fn !== 'function') throw new Error('its default export is no function');
    return fn;
  });
  hook.catch(() => loaded.delete(path));
  loaded.set(path, hook);
  return hook;
}
