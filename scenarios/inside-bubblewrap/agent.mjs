// The agent: runs inside bubblewrap, where only the project can be written. It takes orders as lines of JSON, one answer each.
// Plain JavaScript: it is started by `bwrap`. What it plants writes to a place that is read-only here, so only what runs outside can.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { WAYS } from './ways.mjs';

const { project, payload, canary, forwarder, hookSocket, cliSocket } = JSON.parse(process.argv[2]);
const context = { project, payload, canary, program: (name) => `${payload}/${name}` };
const undo = new Map();

/** Sends bytes to the server outside, hears what it says for a while, and hangs up. */
const sendBytes = (bytes) =>
  new Promise((resolve) => {
    const socket = connect(hookSocket);
    let heard = 0;
    const end = () => {
      clearTimeout(limit);
      socket.destroy();
      resolve(heard);
    };
    const limit = setTimeout(end, 3000);
    socket.on('error', end);
    socket.on('close', end);
    socket.on('data', (some) => {
      heard += some.length;
      if (some[0] === 0x44 || some[0] === 0x58) end();
    });
    socket.write(bytes);
  });

const post = ([path, body]) =>
  new Promise((resolve) => {
    const call = request({ socketPath: cliSocket, method: 'POST', path, timeout: 5000 }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    call.on('error', () => resolve(0));
    call.on('timeout', () => call.destroy());
    call.end(JSON.stringify(body));
  });

/** One event, as an agent in here fires it. */
const fire = ([event, body]) =>
  new Promise((resolve) => {
    const child = spawn(forwarder, ['claude', event, 'user', '20000', '-'], { cwd: project, stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', () => resolve(-1));
    child.on('close', resolve);
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(body));
  });

/** A way that cannot be gone from here tells nothing. */
function plant(name) {
  const way = WAYS.find((each) => each.name === name);
  try {
    undo.set(name, way.plant(context) ?? (() => {}));
    return true;
  } catch (error) {
    return `${name}: ${error.message}`;
  }
}

const ORDERS = {
  plant: (names) => names.map(plant),
  undo: (names) => names.map((name) => undo.get(name)?.()).length,
  /** While the turn outside goes on. Gives back how much the server outside said. */
  async attack({ send, post: calls, fire: events }) {
    const heard = await Promise.all(send.map((file) => sendBytes(readFileSync(file))));
    await Promise.all(calls.map(post));
    for (const event of events) await fire(event);
    return heard;
  },
  /** It must not be able to do itself what the canaries do. */
  canWrite: (path) => {
    try {
      writeFileSync(path, 'x');
      return true;
    } catch {
      return false;
    }
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [order, what] = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await ORDERS[order](what))}\n`);
}
