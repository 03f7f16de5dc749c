import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, linkSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { expect } from 'vitest';
import type { Scratch } from './scratch.ts';

/** More than a checkpoint takes here, and more than is left of a disk that is nearly full. */
export const LARGE = 'x'.repeat(512 * 1024);
const SECRET = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq\n-----END RSA PRIVATE KEY-----\n';
export const isRoot = process.getuid?.() === 0;

export interface Obstacle {
  /** What the agent puts in the place of the file. */
  readonly puts: (user: Scratch, name: string) => void;
  /** What a plan names, since nothing can bring it back: everywhere, or only where it cannot be moved to Piton's home. */
  readonly told?: 'always' | 'on another disk';
  readonly name?: string;
  /** Git does not list a pipe where it knows of no file; what it knows of is never too large, nor a secret. */
  readonly isTracked?: boolean;
  readonly needsRoot?: boolean;
}

export const run = (user: Scratch, ...[program, ...args]: [string, ...string[]]): void => {
  const { status, stderr } = spawnSync(program, args, { cwd: user.root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};

/** Left behind by one that listened and was killed: a server that ends takes its socket with it. */
function socket(user: Scratch, name: string): void {
  const line = "require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
  spawnSync(process.execPath, ['-e', line, name], { cwd: user.root });
  expect(lstatSync(user.path(name)).isSocket()).toBe(true);
}

export const OBSTACLES: Readonly<Record<string, Obstacle>> = {
  'a pipe': { puts: (user, name) => run(user, 'mkfifo', name), told: 'on another disk', isTracked: true },
  'a socket': { puts: socket, told: 'on another disk', isTracked: true },
  'a device': { puts: (user, name) => run(user, 'mknod', name, 'c', '1', '3'), told: 'on another disk', isTracked: true, needsRoot: true },
  'a link to a file': { puts: (user, name) => symlinkSync('other.txt', user.path(name)) },
  'a link to a folder': { puts: (user, name) => symlinkSync('src', user.path(name)) },
  'a link to nowhere': { puts: (user, name) => symlinkSync('nowhere', user.path(name)) },
  'an empty folder': { puts: (user, name) => mkdirSync(user.path(name)) },
  'a folder with files': { puts: (user, name) => user.write(`${name}/a/b.txt`, 'agent\n') },
  'a folder with a large file': { puts: (user, name) => user.write(`${name}/a/b.txt`, LARGE), told: 'always' },
  'a folder with a pipe': {
    puts: (user, name) => {
      mkdirSync(user.path(name));
      run(user, 'mkfifo', `${name}/pipe`);
    },
    told: 'always',
  },
  'a large file': { puts: (user, name) => user.write(name, LARGE) },
  'a file with a secret': { puts: (user, name) => user.write(name, SECRET) },
  'a large file that may be run': { puts: (user, name) => user.write(name, LARGE, 0o750) },
  'a large file without permissions': {
    puts: (user, name) => {
      user.write(name, LARGE);
      chmodSync(user.path(name), 0);
    },
    ...(!isRoot && { told: 'on another disk' as const }),
  },
  'a large file of another owner': {
    puts: (user, name) => {
      user.write(name, LARGE);
      chownSync(user.path(name), 4321, 4322);
      chmodSync(user.path(name), 0o4711);
    },
    needsRoot: true,
  },
  'a large file with line breaks in its name': { puts: (user, name) => user.write(name, LARGE), name: 'thi\nn\r\ng.txt' },
  'a second name of a large file': { puts: (user, name) => linkSync(user.path('large.log'), user.path(name)) },
};
