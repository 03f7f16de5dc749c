// The process in which `module` hooks run. On descriptor 3, a line each:
//   in   ID{ payload, module, env, stdoutCap, stderrCap }   a run, or -ID: it is cancelled
//   out  { id, begun: true }, then { id, stdout } or { id, error }
// It is plain JavaScript, so that it runs from a clone, a bundle and a package alike.
import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';

const parent = new Socket({ fd: 3, readable: true, writable: true });
const running = new Map();
/** How many run, and a place where nothing ever changes. */
const busy = new Int32Array(new SharedArrayBuffer(8));
const loaded = new Map();
let rest = '';

parent.setEncoding('utf8');
parent.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) receive(line);
});
// Whoever started us is gone.
for (const end of ['close', 'error']) parent.on(end, () => process.exit());
// The same where a module holds the loop for ever, and none of the above ever runs. Our parent passed us its pid: it
// may be gone before we can look. In a sandbox it has none that we could see, and dies with us.
// And V8 bounds its heap only: buffers and the like are looked at from here, often while a module runs.
// It sleeps on a number of ours: to wake it by a message would take as long as most modules do.
function watcher({ workerData: { busy, parent = process.ppid, most } }, { writeSync }) {
  for (;;) {
    Atomics.wait(busy, 0, 0, 1000);
    if (busy[0] > 0) Atomics.wait(busy, 1, 0, 50);
    const large = process.memoryUsage.rss() >= most;
    if (large) writeSync(2, 'it needs more memory than allowed');
    if (large || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }
}
/** What Node itself takes, with room for code and for what has yet to be collected. */
const BESIDE_THE_HEAP = 192 * 2 ** 20;
const watch = new Worker(`(${watcher})(require('node:worker_threads'), require('node:fs'))`, {
  eval: true,
  workerData: { busy, parent: Number(process.argv[2]) || undefined, most: getHeapStatistics().heap_size_limit + BESIDE_THE_HEAP },
});
watch.unref();
// A promise that a hook forgot belongs to no run: it must not end those of others.
process.on('unhandledRejection', (error) => console.error(error));

const send = (message) => parent.write(`${JSON.stringify(message)}\n`);

function receive(line) {
  const id = Number.parseInt(line, 10);
  if (id < 0) return running.get(-id)?.().abort();
  // Before all else: who reads this wakes up while we work.
  send({ id, begun: true });
  void run(id, JSON.parse(line.slice(line.indexOf('{'))));
}

async function run(id, { module, payload, env, stdoutCap, stderrCap }) {
  let control;
  // Most never look at the signal, and making one takes a while.
  const signal = () => (control ??= new AbortController());
  running.set(id, signal);
  busy[0] = running.size;
  Atomics.notify(busy, 0);
  try {
    const hook = await (loaded.get(module) ?? load(module));
    const answer = await hook(payload, {
      env,
      get signal() {
        return signal().signal;
      },
    });
    // One character too many shows that it was cut.
    send({ id, stdout: textOf(answer).slice(0, stdoutCap + 1) });
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    send({ id, error: words.slice(0, stderrCap + 1) });
  } finally {
    running.delete(id);
    busy[0] = running.size;
  }
}

/** As `answerText` of the library. */
function textOf(answer) {
  if (typeof answer === 'string') return answer;
  if (answer === null || ['undefined', 'boolean', 'number'].includes(typeof answer)) return '';
  const text = JSON.stringify(answer);
  if (text === undefined) throw new Error(`a ${typeof answer} is not an answer`);
  return text;
}

let stripper;

/** Node strips types since 22.18. For an older one, Piton installs something that does beside this file. */
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
    if (typeof fn !== 'function') throw new Error('its default export is not a function');
    return fn;
  });
  hook.catch(() => loaded.delete(path));
  loaded.set(path, hook);
  return hook;
}
