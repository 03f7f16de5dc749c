import { gunzipSync } from 'node:zlib';

/** Something in a source of hooks: a file with its bytes, or what is not copied and why. */
export interface SourceEntry {
  /** As it stands there, unchecked. */
  readonly path: string;
  readonly executable: boolean;
  readonly bytes: Buffer;
  /** Not a file: a link, a pipe, … */
  readonly not?: string;
}

const BLOCK = 512;
const MOST_ENTRIES = 20_000;

const KINDS: Readonly<Record<string, string>> = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a pipe',
};

/** The entries of a tarball as npm makes and takes them, read in memory: nothing is unpacked. Throws where it is no such archive. */
export function readTarball(tarball: Buffer, mostBytes: number): SourceEntry[] {
  return readTar(unzipped(tarball, mostBytes));
}

function unzipped(tarball: Buffer, mostBytes: number): Buffer {
  try {
    return gunzipSync(tarball, { maxOutputLength: mostBytes });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new Error(isLarge ? `it is larger than ${Math.round(mostBytes / 1024 / 1024)} MB unpacked` : 'it is no gzip archive');
  }
}

function readTar(tar: Buffer): SourceEntry[] {
  const entries: SourceEntry[] = [];
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const head = tar.subarray(at, at + BLOCK);
    if (head.every((byte) => byte === 0)) break;
    if (!hasChecksum(head)) throw new Error('it is no tar archive, or a broken one');
    const size = numberIn(head, 124, 12);
    const content = tar.subarray(at + BLOCK, at + BLOCK + size);
    if (content.length < size) throw new Error('the archive ends in the middle of a file');
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(head[156] ?? 0);
    // The name of the next entry: GNU's and POSIX' ways to write a long one.
    if (type === 'L') longName = textIn(content);
    else if (type === 'x') longName = paxPath(content) ?? longName;
    else if (type !== 'g' && type !== 'K') {
      const path = longName ?? nameIn(head);
      longName = undefined;
      const isFile = type === '0' || type === '\0' || type === '7';
      if (type === '5' || (isFile && path.endsWith('/'))) continue;
      entries.push({
        path,
        executable: (numberIn(head, 100, 8) & 0o111) !== 0,
        bytes: isFile ? Buffer.from(content) : Buffer.alloc(0),
        ...(!isFile && { not: KINDS[type] ?? 'not a file' }),
      });
      if (entries.length > MOST_ENTRIES) throw new Error(`it holds more than ${MOST_ENTRIES} files`);
    }
  }
  if (entries.length === 0) throw new Error('the archive is empty');
  return entries;
}

/** Counted with spaces where the sum itself stands. */
function hasChecksum(head: Buffer): boolean {
  let sum = 0;
  for (const [at, byte] of head.entries()) sum += at >= 148 && at < 156 ? 0x20 : byte;
  return sum === numberIn(head, 148, 8);
}

/** Octal, or from 8 GB on binary: that is never a hook. */
function numberIn(head: Buffer, at: number, length: number): number {
  if (((head[at] ?? 0) & 0x80) !== 0) throw new Error('it holds a file that is too large');
  const text = head
    .subarray(at, at + length)
    .toString('latin1')
    .replace(/\0.*$/s, '')
    .trim();
  if (!/^[0-7]*$/.test(text)) throw new Error('it is no tar archive, or a broken one');
  return text === '' ? 0 : Number.parseInt(text, 8);
}

function nameIn(head: Buffer): string {
  const prefix = head.subarray(257, 262).toString('latin1') === 'ustar' ? textIn(head.subarray(345, 500)) : '';
  const name = textIn(head.subarray(0, 100));
  return prefix === '' ? name : `${prefix}/${name}`;
}

const textIn = (bytes: Buffer): string => bytes.toString('utf8').replace(/\0.*$/s, '');

/** Records of `length key=value\n`. */
function paxPath(content: Buffer): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = Number(content.subarray(at, space).toString('latin1'));
    if (space < 0 || !Number.isInteger(length) || length <= space - at) throw new Error('it is no tar archive, or a broken one');
    const record = content.subarray(space + 1, at + length - 1).toString('utf8');
    if (record.startsWith('path=')) found = record.slice('path='.length);
    at += length;
  }
  return found;
}
