import { spawnSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';

/** Runs inside: loopback, and private directories for Piton's sockets, so that nothing is left on the machine. */
const SETUP = [
  // What is mounted below must never be mounted on the machine itself.
  '[ "$(readlink /proc/self/ns/mnt)" != "$1" ] || exit 98',
  'shift',
  'ip link set lo up || exit 99',
  'uid=$(id -u)',
  'if [ -d /run/user ]; then mount -t tmpfs -o mode=755 tmpfs /run/user && mkdir -m 700 "/run/user/$uid"',
  'else mkdir -p -m 700 "/tmp/piton-$uid" && mount -t tmpfs -o mode=700 tmpfs "/tmp/piton-$uid"; fi',
  // Not `exec`: the shell stays as process 1 and reaps what daemons leave behind.
  '"$@"',
  'exit $?',
].join('\n');

/** A network with only loopback, and a separate process namespace: all processes end with the run. */
export function isolated(argv: readonly string[]): [string, ...string[]] {
  const asUser = process.getuid?.() === 0 ? [] : ['-r'];
  return [
    'unshare',
    ...asUser,
    '-m',
    '-n',
    '-p',
    '-f',
    '--mount-proc',
    '--kill-child',
    'sh',
    '-c',
    SETUP,
    'bed',
    mountNamespace(),
    ...argv,
  ];
}

function mountNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/mnt');
  } catch {
    return ''; // not Linux: there is no unshare either
  }
}

let answer: string | null | undefined;

/** Why this machine cannot isolate a run, or null if it can. */
export function whyNotIsolated(): string | null {
  if (answer === undefined) answer = tryIsolation();
  return answer;
}

function tryIsolation(): string | null {
  const [command, ...args] = isolated(['true']);
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 10_000 });
  if (status === 0) return null;
  return `no namespaces here (${error?.message ?? (stderr.trim().split('\n')[0] || `unshare ended with ${status}`)})`;
}
