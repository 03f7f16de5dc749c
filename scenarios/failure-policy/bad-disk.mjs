// Runs in a mount namespace of its own: a home on a small file system that is filled, or made read-only, once the server runs.
// Prints what the agent got before, meanwhile, and with no server at all, as one JSON object. Plain JavaScript: it is started by `unshare`.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, openSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

const [, , from, trouble] = process.argv;
const root = `${from}-${trouble}`;
mkdirSync(root, { mode: 0o700 });
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=700', 'tmpfs', root], { encoding: 'utf8' });
if (mounted.status !== 0) throw new Error(mounted.stderr);
cpSync(from, root, { recursive: true, filter: (path) => !path.endsWith('current') && !path.endsWith('node_modules') });
symlinkSync('test', join(root, 'state/runtime/current'));
symlinkSync(join(import.meta.dirname, '../../node_modules'), join(root, 'state/runtime/test/node_modules'));
writeFileSync(join(root, 'state/place.json'), JSON.stringify({ config: join(root, 'config') }));
mkdirSync(join(root, 'config/hooks/pre-tool-use'), { recursive: true });
writeFileSync(join(root, 'config/hooks/pre-tool-use/10-no-rm'), '#!/bin/sh\ngrep -q "rm -rf" && { echo no >&2; exit 2; }\nexit 0\n', {
  mode: 0o755,
});

const forwarder = join(root, 'state/runtime/current/piton-forward');
const fire = (command) =>
  new Promise((resolve) => {
    const child = spawn(forwarder, ['claude', 'PreToolUse', 'user', '20000', '-'], { cwd: root });
    const out = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].on('data', (data) => (out[name] += data));
    child.stdin.end(
      JSON.stringify({
        session_id: 's',
        hook_event_name: 'PreToolUse',
        cwd: root,
        tool_name: 'Bash',
        tool_input: { command },
        tool_use_id: command,
      }),
    );
    child.on('close', (code) => resolve({ code, ...out }));
  });
const verdict = ({ stdout }) => JSON.parse(stdout || '{}').hookSpecificOutput?.permissionDecision ?? 'none';

function fill() {
  const fd = openSync(join(root, 'filler'), 'w');
  const block = Buffer.alloc(64 * 1024);
  for (const size of [block.length, 4096, 1]) {
    try {
      for (;;) writeSync(fd, block, 0, size);
    } catch {
      // full for pieces of this size
    }
  }
}

/** What is open for writing keeps a file system writable: the server must be gone first. */
async function makeReadOnly() {
  for (let left = 100; left > 0; left--) {
    if (spawnSync('mount', ['-o', 'remount,ro', root]).status === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the file system stays writable');
}

const [, , sockets] = spawnSync(forwarder, ['--where'], { encoding: 'utf8' }).stdout.trim().split('\n');
const status = () =>
  new Promise((resolve, reject) => {
    const call = request({ socketPath: join(sockets, 'cli.sock'), path: '/v1/status' }, (response) => {
      let text = '';
      response.on('data', (data) => (text += data));
      response.on('end', () => resolve(JSON.parse(text)));
    });
    call.on('error', reject);
    call.end();
  });
const end = async () => {
  const server = await status().catch(() => undefined);
  if (server) process.kill(server.pid, 'SIGKILL');
};

const found = { before: verdict(await fire('rm -rf one')) };
if (trouble === 'full') {
  fill();
  found.during = verdict(await fire('rm -rf two'));
  found.plain = await fire(`ls ${'x'.repeat(100_000)}`); // larger than what is left of the segment's last page
  found.troubles = JSON.stringify((await status()).troubles);
  await end();
} else {
  await end();
  await makeReadOnly();
}
found.cold = await fire('ls');
await end(); // one may have come up even so
const doctor = spawnSync(process.execPath, [join(import.meta.dirname, '../../dist/cli.mjs'), 'doctor'], {
  encoding: 'utf8',
  env: { PATH: process.env.PATH, HOME: root, PITON_HOME: root },
});
found.doctor = doctor.stdout + doctor.stderr;
await end();
console.log(JSON.stringify(found));
