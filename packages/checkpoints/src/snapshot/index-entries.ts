import type { RawPath } from '../raw-path.ts';
import type { Entry } from './tree.ts';

/** A file that an index lists. */
export interface IndexEntry {
  readonly path: RawPath;
  readonly entry: Entry;
}

export interface IndexChanges {
  /** Those that are new, or have another blob, another mode or other time stamps. */
  readonly changed: readonly IndexEntry[];
  readonly gone: readonly RawPath[];
}

const HEADER_BYTES = 12;
/** Before the name of the blob: times, device, inode, mode, owner, size. */
const STAT_BYTES = 40;
const MODE_AT = 24;
const LONG_NAME = 0xfff;
const EXTENDED = 0x4000;
const STAGES = 0x3000;
/** With these, what the index lists is not all there is, or not all files. */
const OTHER_FORMS = new Set(['link', 'sdir']);

interface Span {
  readonly nameAt: number;
  readonly nameEnd: number;
  readonly next: number;
}

/** Git's own documentation, `gitformat-index`: version 2 or 3. */
function spanAt(bytes: Buffer, at: number, hashBytes: number): Span | null {
  const flagsAt = at + STAT_BYTES + hashBytes;
  if (flagsAt + 2 > bytes.length) return null;
  const flags = bytes.readUInt16BE(flagsAt);
  if ((flags & STAGES) !== 0) return null;
  const nameAt = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4);
  const length = flags & LONG_NAME;
  const nameEnd = length < LONG_NAME ? nameAt + length : bytes.indexOf(0, nameAt);
  if (nameEnd < nameAt || nameEnd >= bytes.length) return null;
  return { nameAt, nameEnd, next: at + ((nameEnd - at + 8) & ~7) };
}

/** The part of an index that lists files. Null where it is not in a form that is read here. */
export function listedPart(index: Buffer, hashBytes: number): Buffer | null {
  if (index.length < HEADER_BYTES || index.toString('latin1', 0, 4) !== 'DIRC' || ![2, 3].includes(index.readUInt32BE(4))) return null;
  let at = HEADER_BYTES;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const span = spanAt(index, at, hashBytes);
    if (span === null || span.next > index.length) return null;
    at = span.next;
  }
  const end = at;
  while (at + 8 <= index.length - hashBytes) {
    if (OTHER_FORMS.has(index.toString('latin1', at, at + 4))) return null;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return index.subarray(0, end);
}

/** Both list their files in the order of their names. What is the same byte for byte is not looked into. */
export function changedEntries(before: Buffer, after: Buffer, hashBytes: number): IndexChanges {
  const changed: IndexEntry[] = [];
  const gone: RawPath[] = [];
  let [old, now] = [HEADER_BYTES, HEADER_BYTES];
  while (old < before.length || now < after.length) {
    const [was, is] = [spanAt(before, old, hashBytes), spanAt(after, now, hashBytes)];
    if (was && is && before.compare(after, now, is.next, old, was.next) === 0) {
      [old, now] = [was.next, is.next];
      continue;
    }
    const order = !was ? 1 : !is ? -1 : before.compare(after, is.nameAt, is.nameEnd, was.nameAt, was.nameEnd);
    if (was && order < 0) gone.push(before.toString('latin1', was.nameAt, was.nameEnd));
    if (is && order >= 0) changed.push(entryAt(after, now, is, hashBytes));
    if (was && order <= 0) old = was.next;
    if (is && order >= 0) now = is.next;
    if (!was && !is) break;
  }
  return { changed, gone };
}

function entryAt(bytes: Buffer, at: number, { nameAt, nameEnd }: Span, hashBytes: number): IndexEntry {
  const mode = bytes.readUInt32BE(at + MODE_AT).toString(8);
  const oid = bytes.toString('hex', at + STAT_BYTES, at + STAT_BYTES + hashBytes);
  return { path: bytes.toString('latin1', nameAt, nameEnd), entry: { mode, oid } };
}

/** All of them, as if there had been none. */
export const allEntries = (listed: Buffer, hashBytes: number): readonly IndexEntry[] =>
  changedEntries(listed.subarray(0, HEADER_BYTES), listed, hashBytes).changed;
