import { existsSync, readFileSync, realpathSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Magic numbers of statfs(2). WAL needs shared memory between all processes that open the file, which these file systems lack. */
const NETWORK: Readonly<Record<number, string>> = {
  26985: 'NFS', // 0x6969
  20859: 'SMB', // 0x517B
  4283649346: 'CIFS', // 0xFF534D42
  4266872130: 'SMB2', // 0xFE534D42
  1397113167: 'AFS', // 0x5346414F
  12805120: 'Ceph', // 0x00C36400
};
const FUSE = 0x65735546;
const NETWORK_FUSE = /^fuse\.(?:sshfs|s3fs|gcsfuse|rclone|davfs2?|glusterfs|ceph-fuse|nfs.*|smb.*)$/;

export interface Mount {
  /** `f_type` of statfs. */
  readonly type: number;
  /** The file system's name in the mount table, if it could be read. */
  readonly name: string | null;
}

/** The name of the network file system, or undefined if it is local. */
export function networkName({ type, name }: Mount): string | undefined {
  const unsigned = type < 0 ? type + 2 ** 32 : type;
  if (unsigned === FUSE) return name !== null && NETWORK_FUSE.test(name) ? name : undefined;
  return NETWORK[unsigned];
}

/** Linux only: elsewhere the number in statfs means something else. A path that does not exist yet is on the mount of its parent. */
export function mountOf(directory: string): Mount | undefined {
  if (process.platform !== 'linux') return undefined;
  if (!existsSync(directory)) return dirname(directory) === directory ? undefined : mountOf(dirname(directory));
  try {
    const real = realpathSync(directory);
    const { type } = statfsSync(real);
    return { type, name: type === FUSE ? nameIn(readFileSync('/proc/self/mountinfo', 'utf8'), real) : null };
  } catch {
    return undefined;
  }
}

/** The mount with the longest path above the directory. Of equal ones the last is on top. */
export function nameIn(mountinfo: string, directory: string): string | null {
  let best = { length: -1, name: null as string | null };
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const point = before.split(' ')[4]?.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
    if (point === undefined || !`${directory}/`.startsWith(point === '/' ? '/' : `${point}/`)) continue;
    if (point.length >= best.length) best = { length: point.length, name: after.split(' ')[0] ?? null };
  }
  return best.name;
}
