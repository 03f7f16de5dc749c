import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import type { Said, Sandbox } from './sandbox.ts';
import { CLI } from './sandbox.ts';

const NAMESPACE = ['--user', '--map-root-user', '--mount'];

/** Some machines forbid mounts even in a namespace of one's own. */
export const canMount = spawnSync('unshare', [...NAMESPACE, 'true']).status === 0;

/** Runs the command where its HOME is mounted read-only: root may write to a directory of any mode, not to that. */
export function readOnly(box: Sandbox, args: readonly string[], env: Record<string, string> = {}): Promise<Said> {
  const { status, stdout, stderr } = spawnSync('unshare', argumentsFor(args), { encoding: 'utf8', env: { ...box.env, ...env }, cwd: '/' });
  return Promise.resolve({ code: status, stdout, stderr });
}

/** The same for a command that goes on. */
export const startReadOnly = (box: Sandbox, args: readonly string[]): ChildProcess =>
  spawn('unshare', [...argumentsFor(args)], { env: box.env, cwd: '/' });

const MOUNT = 'mount --bind "$HOME" "$HOME" && mount -o remount,bind,ro "$HOME" && exec "$@"';
const argumentsFor = (args: readonly string[]): readonly string[] => [
  ...NAMESPACE,
  ...['sh', '-c', MOUNT, 'sh', process.execPath, CLI],
  ...args,
];
