import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isUlid, ulidTime } from '@piton/contracts';
import { fromRoot, inInnerRepository, type RawPath } from '../raw-path.ts';
import type { Held } from '../snapshot/observe.ts';
import type { Sighting } from '../snapshot/working-file.ts';
import { readKept } from './keep-call.ts';
import { type KeptCall, type KeptFile, keptFolder } from './kept-call.ts';

export interface KeptPlace {
  /** The folder of the call. */
  readonly place: string;
  readonly kept: KeptCall;
}

/** What stand-ins have kept of a working tree, the oldest first. */
export const keptIn = (home: string, root: string): KeptPlace[] => allKept(home).filter(({ kept }) => kept.root === root);

/** Of one call, in whichever working trees. */
export const keptOf = (home: string, stamp: string): KeptPlace[] => allKept(home).filter(({ kept }) => kept.stamp === stamp);

function allKept(home: string): KeptPlace[] {
  const names = namesIn(keptFolder(home)).filter((name) => !name.startsWith('.'));
  return names.sort().flatMap((name) => {
    const place = join(keptFolder(home), name);
    const kept = readKept(place);
    return kept === undefined ? [] : [{ place, kept }];
  });
}

/** The files that a call named, as they were before it. Fails where a copy cannot be read. */
export function filesOf({ place, kept }: KeptPlace): Map<RawPath, Held> {
  const held = new Map<RawPath, Held>();
  for (const file of kept.files) {
    const path = fromRoot(kept.root, file.path);
    if (path !== null && !inInnerRepository(kept.root, path)) held.set(path, heldOf(place, file));
  }
  return held;
}

/** Each file as it was at the first of these events, and when that was. What cannot be read is reported by whoever takes it up. */
export function keptFilesIn(home: string, root: string): Map<RawPath, { readonly held: Held; readonly readMs: number }> {
  const held = new Map<RawPath, { readonly held: Held; readonly readMs: number }>();
  for (const one of keptIn(home, root)) {
    try {
      for (const [path, file] of filesOf(one)) if (!held.has(path)) held.set(path, { held: file, readMs: stampMs(one.kept.stamp) });
    } catch {
      // it is being taken up, or broken
    }
  }
  return held;
}

/** What an older version kept may have another name. */
const stampMs = (stamp: string): number => (isUlid(stamp) ? ulidTime(stamp) : 0);

function heldOf(place: string, file: KeptFile): Held {
  if (file.kind === 'absent') return { look: { kind: 'absent' }, bytes: null };
  const bytes = file.kind === 'symlink' ? Buffer.from(file.target, 'base64') : readFileSync(join(place, basename(file.content)));
  // It is held, so nobody compares this with what lies there now.
  const sighting: Sighting = [`${bytes.length}`, '0', '0', '0', 0];
  return { look: { kind: file.kind, executable: file.kind === 'file' && file.executable, bytes: bytes.length, sighting }, bytes };
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
