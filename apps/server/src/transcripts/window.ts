import { createHash } from 'node:crypto';
import type { TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { type OpenFile, readBytes } from './file.ts';
import type { Limits } from './limits.ts';

const LINE_END = 0x0a;
const TAIL = 256;

export interface Window {
  readonly entries: readonly TranscriptEntry[];
  /** Where to continue. */
  readonly next: number;
  /** All complete entries have been read. */
  readonly over: boolean;
  readonly note?: string;
  /** What the next piece must know of this one and those before it. */
  readonly memory: string;
}

export interface Place {
  readonly from: number;
  readonly memory: string;
}

/** The next complete entries after `from`. The window grows until it holds at least one. */
export function readWindow({ fd, size }: OpenFile, format: TranscriptFormat, { from, memory }: Place, limits: Limits): Window {
  for (let length = limits.windowBytes; ; length *= 4) {
    const bytes = readBytes(fd, from, Math.min(length, limits.lineBytes, Math.max(0, size - from)));
    const atEnd = from + bytes.length >= size;
    const text = bytes.toString('utf8');
    const read = bytes.length === 0 ? { entries: [], consumed: 0 } : format.read(text, memory);
    const { entries, consumed } = read;
    if (consumed > 0) {
      const next = from + consumedBytes(bytes, text, consumed);
      return { entries, next, over: atEnd, memory: read.memory ?? '' };
    }
    // One whole value, or a last line that is still being written.
    if (atEnd) return { entries, next: from, over: true, memory };
    if (length >= limits.lineBytes) return { ...skipLine({ fd, size }, from + bytes.length, limits), memory };
  }
}

/** `consumed` counts characters, the file counts bytes, and invalid UTF-8 changes its length as text. */
function consumedBytes(bytes: Buffer, text: string, consumed: number): number {
  return consumed === text.lastIndexOf('\n') + 1 ? bytes.lastIndexOf(LINE_END) + 1 : Buffer.byteLength(text.slice(0, consumed));
}

function skipLine({ fd, size }: Pick<OpenFile, 'fd' | 'size'>, from: number, { lineBytes, windowBytes }: Limits): Omit<Window, 'memory'> {
  const note = `a line of more than ${lineBytes} bytes was dropped`;
  for (let at = from; at < size; at += windowBytes) {
    const found = readBytes(fd, at, Math.min(windowBytes, size - at)).indexOf(LINE_END);
    if (found >= 0) return { entries: [], next: at + found + 1, over: at + found + 1 >= size, note };
  }
  return { entries: [], next: size, over: true, note };
}

/** Detects a file that was rewritten in place instead of appended to. */
export function tailOf(fd: number, consumed: number): string {
  const from = Math.max(0, consumed - TAIL);
  return consumed === 0
    ? ''
    : createHash('sha256')
        .update(readBytes(fd, from, consumed - from))
        .digest('hex')
        .slice(0, 16);
}
