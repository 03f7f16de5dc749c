import { fstatSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { PAYLOAD_LIMIT } from '@piton/contracts';
import { leftMs } from './call.ts';

const SILENCE_MS = 200;

export interface Payload {
  readonly bytes: Buffer;
  /** As sent, before any cut. */
  readonly size: number;
  /** The deadline came before the end. */
  readonly late: boolean;
}

/** Reads stdin to its end, or to silence after a complete value, since some agents never close the pipe. */
export function readPayload(deadline: number): Promise<Payload> | Payload {
  const stat = fstatSync(0);
  return stat.isFIFO() || stat.isSocket() ? readStream(deadline) : readFile(deadline);
}

function readFile(deadline: number): Payload {
  const kept = keeper();
  const chunk = Buffer.allocUnsafe(65536);
  for (;;) {
    if (leftMs(deadline) === 0) return kept.end(true);
    try {
      const got = readSync(0, chunk);
      if (got === 0) return kept.end(false);
      kept.add(Buffer.from(chunk.subarray(0, got)));
    } catch {
      return kept.end(false);
    }
  }
}

function readStream(deadline: number): Promise<Payload> {
  return new Promise((resolve) => {
    const kept = keeper();
    const stream = new Socket({ fd: 0, readable: true, writable: false });
    const finish = (late: boolean): void => {
      clearTimeout(silence);
      clearTimeout(limit);
      stream
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy();
      resolve(kept.end(late));
    };
    const silence = setTimeout(() => (kept.isComplete() ? finish(false) : silence.refresh()), SILENCE_MS);
    const limit = setTimeout(finish, leftMs(deadline), true);
    stream.on('data', (chunk: Buffer) => {
      kept.add(chunk);
      silence.refresh();
    });
    stream.on('end', () => finish(false));
    stream.on('error', () => finish(false));
  });
}

/** Keeps up to the limit, and counts brackets and quotes only when asked: nearly everybody closes the pipe. */
function keeper() {
  const chunks: Buffer[] = [];
  const waiting: Buffer[] = [];
  let held = 0;
  let size = 0;
  const count = valueCount();
  return {
    add(chunk: Buffer): void {
      size += chunk.length;
      waiting.push(chunk);
      const room = PAYLOAD_LIMIT - held;
      if (room <= 0) {
        for (const part of waiting.splice(0)) count.add(part); // what is dropped is counted at once
        return;
      }
      const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
      chunks.push(part);
      held += part.length;
    },
    isComplete(): boolean {
      for (const part of waiting.splice(0)) count.add(part);
      return count.isComplete();
    },
    end: (late: boolean): Payload => ({ bytes: Buffer.concat(chunks), size, late }),
  };
}

/** Of JSON it knows brackets and quotes, no more. */
export function valueCount() {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let begun = false;
  return {
    add(bytes: Uint8Array): void {
      for (const byte of bytes) {
        if (inString) {
          if (escaped) escaped = false;
          else if (byte === 0x5c) escaped = true;
          else if (byte === 0x22) inString = false;
          continue;
        }
        if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue;
        begun = true;
        if (byte === 0x22) inString = true;
        else if (byte === 0x7b || byte === 0x5b) depth++;
        else if ((byte === 0x7d || byte === 0x5d) && depth > 0) depth--;
      }
    },
    isComplete: (): boolean => begun && !inString && depth === 0,
  };
}
