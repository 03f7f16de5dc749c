import { type BigIntStats, statSync } from 'node:fs';
import { grainMs } from './working-file.ts';

/** How a file is now, by its time stamps; `none` where there is none. Null where it could change and look the same. */
export function fileSignature(file: string): string | null {
  const now = Date.now();
  let found: BigIntStats | undefined;
  try {
    found = statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    found = undefined;
  }
  if (!found) return 'none';
  // Such a file is replaced by another, with another inode: only where times are whole seconds may that inode be the first one again.
  const isCoarse = grainMs(found.ctimeNs) > 1000;
  if (isCoarse && Number(found.ctimeNs / 1_000_000n) + grainMs(found.ctimeNs) >= now) return null;
  return [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}
