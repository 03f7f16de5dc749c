// Runs a short day with the built programs in a home of its own, and takes over the compiled code that they keep: what tests and
// `piton init` copy from dist/ starts fast at once. Without it everything works, and is slower.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = `${process.version}-${process.arch}`;
/** Threads that start with the server, with a turn in a repository, and with a subscription. */
const RESIDENT = ['server', 'recorder', 'checkpointer', 'subscriber'];
const PATIENCE_MS = 60_000;

/** Whether the compiled code of this Node is there. */
export const hasCode = (dist) => isWhole(join(dist, 'code', FOLDER)) && existsSync(join(dist, 'code', FOLDER, 'cli'));
const isWhole = (folder) => RESIDENT.every((name) => existsSync(join(folder, `${name}.code`)));

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns whether all of it is there now. */
export async function keepCode(dist) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-code-')));
  const env = { PATH: process.env.PATH, HOME: root, PITON_HOME: root };
  try {
    const work = join(root, 'work');
    mkdirSync(work);
    execFileSync('git', ['init', '-q', work], { env });
    mkdirSync(join(root, '.claude'));
    const piton = (...args) => execFileSync(process.execPath, [join(dist, 'cli.mjs'), ...args], { cwd: work, env, stdio: 'ignore' });
    piton('init', '--yes', '--agent', 'claude');
    const script = join(root, 'config', 'hooks', 'checkpoint-created', '10-quiet');
    mkdirSync(join(script, '..'), { recursive: true });
    writeFileSync(script, '#!/bin/sh\nexit 0\n');
    chmodSync(script, 0o755);
    const runtime = realpathSync(join(root, 'state', 'runtime', 'current'));
    playTurn(join(runtime, 'piton-forward'), work, env);
    const code = join(runtime, 'code', FOLDER);
    for (const until = Date.now() + PATIENCE_MS; !isWhole(code) && Date.now() < until; ) await wait(50);
    piton('server', 'stop');
    moveCode(code, join(dist, 'code', FOLDER)); // of the command as well: `init` had found none, and made it
    return hasCode(dist);
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  }
}

function playTurn(forwarder, work, env) {
  const session = { session_id: 'code', transcript_path: join(work, 'none.jsonl'), cwd: work };
  const fire = (event, fields) =>
    spawnSync(forwarder, ['claude', event, 'user', '60000', '-'], {
      cwd: work,
      env,
      input: JSON.stringify({ ...session, hook_event_name: event, ...fields }),
    });
  fire('SessionStart', { source: 'startup' });
  fire('UserPromptSubmit', { prompt: 'write a file' });
  const call = { tool_name: 'Bash', tool_input: { command: 'echo one > one.txt' }, tool_use_id: 'one' };
  fire('PreToolUse', call);
  writeFileSync(join(work, 'one.txt'), 'one\n');
  fire('PostToolUse', { ...call, tool_response: { stdout: '' } });
  fire('Stop', { stop_hook_active: false });
}

/** A server that starts from it meanwhile finds the old folder or the new one. */
function moveCode(from, to) {
  mkdirSync(join(to, '..'), { recursive: true });
  const temporary = `${to}.new`;
  rmSync(temporary, { recursive: true, force: true });
  cpSync(from, temporary, { recursive: true });
  rmSync(to, { recursive: true, force: true });
  renameSync(temporary, to);
}
