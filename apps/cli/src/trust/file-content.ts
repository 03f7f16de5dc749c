import { createHash } from 'node:crypto';
import type { TreeFile } from '@piton/hooks';
import { visibleBytes } from '../output/visible-text.ts';

/** What of a file a reviewer is shown. */
export type FileContent =
  | { readonly kind: 'text'; readonly lines: readonly string[]; readonly note?: string }
  | { readonly kind: 'binary'; readonly format: string };

const MAGIC: readonly (readonly [string, string])[] = [
  ['\x7fELF', 'ELF program'],
  ['\xcf\xfa\xed\xfe', 'Mach-O program'],
  ['\xca\xfe\xba\xbe', 'Mach-O program or Java class'],
  ['MZ', 'Windows program'],
  ['\0asm', 'WebAssembly'],
  ['PK\x03\x04', 'ZIP archive'],
  ['\x1f\x8b', 'gzip data'],
  ['\x89PNG', 'PNG image'],
  ['\xff\xd8\xff', 'JPEG image'],
  ['%PDF', 'PDF'],
  ['SQLite format 3', 'SQLite database'],
];
/** Of the bytes of a text, at most this share are control characters. */
const MAX_CONTROLS = 0.05;

/**
 * A script with a NUL byte in it still runs, so a NUL does not make a file binary: only its first bytes do, or so many control
 * characters that nobody could read it.
 */
export function contentOf({ path, bytes }: Pick<TreeFile, 'path' | 'bytes'>): FileContent {
  const format = formatOf(path, bytes);
  if (format !== undefined) return { kind: 'binary', format };
  const raw = linesOf(bytes);
  const isCrlf = raw.length > 0 && raw.every((line) => line.at(-1) === 0x0d);
  const lines = raw.map((line) => visibleBytes(isCrlf ? line.subarray(0, -1) : line));
  return { kind: 'text', lines, ...(isCrlf && { note: 'lines end with CR LF' }) };
}

function formatOf(path: string, bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 16).toString('latin1');
  const known = MAGIC.find(([magic]) => head.startsWith(magic));
  // `MZ` may begin a text, and nothing keeps a shell from reading one that does.
  if (known !== undefined && (known[0] !== 'MZ' || bytes.includes(0))) return known[1];
  if (head.startsWith('#!') || /\.(?:[cm]?[jt]s|sh|bash|zsh|fish|py|rb|pl|php|lua|md|json)$/i.test(path)) return undefined;
  let controls = 0;
  for (const byte of bytes) if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) controls++;
  return controls > bytes.length * MAX_CONTROLS ? 'binary' : undefined;
}

/** Without the line break at the end of each. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    lines.push(bytes.subarray(at, end === -1 ? bytes.length : end));
    at = end === -1 ? bytes.length : end + 1;
  }
  return lines;
}

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
