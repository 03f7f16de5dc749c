import { spawnSync } from 'node:child_process';
import type { Said, Sandbox } from './sandbox.ts';
import { CLI } from './sandbox.ts';

const NAMESPACE = ['--user', '--map-root-user', '--mount'];

/** Some machines forbid mounts even in a namespace of one's own. */
export const canMount = spawnSync('unshare', [...NAMESPACE, 'true']).status === 0;

/** Runs the command where its HOME is mounted read-only: root may write to a directory of any mode, not to that. */
export function readOnly(box: Sandbox, args: readonly string[], env: Record<string, string> = {}): Promise<Said> {
  const script = 'mount --bind "$HOME" "$HOME" && mount -o remount,bind,ro "$HOME" && exec "$@"';
  const { status, stdout, stderr } = spawnSync('unshare', [...NAMESPACE, 'sh', '-c', script, 'sh', process.execPath, CLI, ...args], {
    encoding: 'utf8',
    env: { ...box.env, ...env },
    cwd: '/',
  });
  return Promise.resolve({ code: status, stdout, stderr });
}
