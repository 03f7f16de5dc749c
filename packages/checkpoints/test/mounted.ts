import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeWhere } from '@piton/testing';
import { onTestFinished } from 'vitest';
import { directory } from './scratch.ts';

/** `$1`: a file for the image, `$2`: where it is mounted. */
const FILE_SYSTEMS = {
  /** Inodes of 128 bytes have no room for fractions of a second. */
  'whole seconds (ext2, inodes of 128 bytes)': 'truncate --size=24M "$1" && mke2fs -q -F -t ext2 -I 128 "$1" && mount -o loop "$1" "$2"',
  'copies that share their blocks (btrfs)': 'truncate --size=120M "$1" && mkfs.btrfs -q "$1" && mount -o loop "$1" "$2"',
  'copies that share their blocks (xfs)': 'truncate --size=320M "$1" && mkfs.xfs -q -m reflink=1 "$1" && mount -o loop "$1" "$2"',
  'room for 4 MB': 'mount -t tmpfs -o size=4m none "$2"',
} as const;

export type FileSystem = keyof typeof FILE_SYSTEMS;

/** Null where it can be mounted here; otherwise why not. */
function mountObstacle(kind: FileSystem): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return `needs root on Linux, to mount a file system with ${kind}`;
  const trial = `place=$(mktemp -d) && mkdir "$place/m" && set -- "$place/i" "$place/m" && ${FILE_SYSTEMS[kind]} && umount "$2"; code=$?; rm -rf "$place"; exit $code`;
  return spawnSync('sh', ['-c', trial], { stdio: 'ignore' }).status === 0 ? null : `cannot mount a file system with ${kind} here`;
}

/**
 * A suite on such a file system. Where it cannot be mounted the suite is skipped by name. Where the program that makes it is not installed,
 * which few machines have, that is said, and nothing is skipped.
 */
export function describeOn(kind: FileSystem, title: string, suite: () => void): void {
  const [program] = /\bmkfs\.\w+/.exec(FILE_SYSTEMS[kind]) ?? [];
  const isMissing = program !== undefined && spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status !== 0;
  if (isMissing) console.warn(`NOT PLAYED ${title}: ${program} is not installed`);
  else describeWhere(mountObstacle(kind), title, suite);
}

export function mounted(kind: FileSystem): string {
  const place = directory();
  const mount = join(place, 'mounted');
  mkdirSync(mount);
  const made = spawnSync('sh', ['-c', FILE_SYSTEMS[kind], 'sh', join(place, 'image'), mount], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
  onTestFinished(() => void spawnSync('sh', ['-c', 'umount "$1"', 'sh', mount]));
  return mount;
}
