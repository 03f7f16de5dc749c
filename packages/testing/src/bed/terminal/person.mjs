// Runs in a bed: a person at a terminal, in which an agent draws and reads keys. Does each step once the screen shows what it
// waits for, ends the agent, and prints the last screen that there was: person.mjs <socket> <steps as JSON> <command of the agent…>
import { execFileSync, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const [socket, planned, ...command] = process.argv.slice(2);
const PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 200;
const RETYPE_AFTER_MS = 10_000;
const TRIES = 6;
const session = ['-t', 'agent'];
const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
const tmux = (...args) => execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

let last = '';

/** Null once the agent has ended, and its terminal with it. */
function screen() {
  const { status, stdout } = spawnSync('tmux', ['-S', socket, 'capture-pane', '-p', ...session], { encoding: 'utf8' });
  if (status !== 0) return null;
  last = stdout.trimEnd();
  return last;
}

/** It may have ended meanwhile, and its terminal with it. */
const press = (key) => spawnSync('tmux', ['-S', socket, 'send-keys', ...session, key]);

async function waitFor(what, isThere) {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_EVERY_MS) {
    if (isThere(screen())) return;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`the terminal does not show ${what}:\n${last}`);
}

/** An agent that is still starting draws its input before it reads keys, and these are lost. */
async function typeUntilShown(text) {
  const isShown = (shown) => shown?.includes(text) ?? false;
  for (let tries = 0; tries < TRIES; tries += 1) {
    // Of what was typed too early the end may have been read.
    if (tries > 0) press('C-u');
    tmux('send-keys', ...session, '-l', text);
    for (let waited = 0; waited < RETYPE_AFTER_MS; waited += LOOK_EVERY_MS) {
      if (isShown(screen())) return;
      await sleep(LOOK_EVERY_MS);
    }
  }
  throw new Error(`the terminal does not show what was typed, ${text}:\n${last}`);
}

const start = ['-f', '/dev/null', 'new-session', '-d', '-s', 'agent', '-x', '120', '-y', '50', `exec ${quoted}`];
try {
  execFileSync('tmux', ['-S', socket, ...start], { env: { ...process.env, TERM: 'screen-256color' } });
  tmux('set-option', '-s', 'escape-time', '0');
  for (const { until, type, keys = [] } of JSON.parse(planned)) {
    const pattern = new RegExp(until);
    await waitFor(until, (text) => text !== null && pattern.test(text));
    if (type !== undefined) await typeUntilShown(type);
    for (const key of keys) {
      press(key);
      await sleep(LOOK_EVERY_MS);
    }
  }
  // Between its own steps alone an agent hears that it shall end, and may want to hear it twice.
  await waitFor('the end of the agent', (text) => {
    if (text !== null) press('C-c');
    return text === null;
  });
  process.stdout.write(last);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  spawnSync('tmux', ['-S', socket, 'kill-server']);
  process.exitCode = 1;
}
