import { statfsSync } from 'node:fs';

/** File systems that change the time of a directory whenever a name in it comes or goes. On others the cache would miss files. */
const TRUSTED = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0xf2f52010], // ext2 to ext4, XFS, Btrfs, F2FS
  ...[0x2fc12fc1, 0xca451a4e, 0x01021994, 0x794c7630], // ZFS, bcachefs, tmpfs, overlayfs
]);

/**
 * Options that have git remember, in the index, which folders hold which untracked files, and read only those again whose time has
 * changed. It does so for `--untracked-files=all` only where that is also what it is set to. A user's own setting is about their index.
 */
export function untrackedCache(root: string): readonly string[] {
  const cache = isTrusted(root) ? 'true' : 'false';
  return ['-c', `core.untrackedCache=${cache}`, '-c', 'status.showUntrackedFiles=all'];
}

function isTrusted(root: string): boolean {
  try {
    return TRUSTED.has(statfsSync(root).type);
  } catch {
    return false;
  }
}
