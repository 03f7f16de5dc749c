import type { Readable } from 'node:stream';

export interface Capture {
  /** The stream ended, or broke: there is nothing more to wait for. */
  readonly ended: Promise<void>;
  /** Lets go of the stream and hands over what it gave, up to the cap. */
  take(): { readonly bytes: Buffer; readonly cut: boolean };
}

/** Keeps the first `cap` bytes; what comes after is read and dropped, so that the writer never blocks on us. */
export function capture(stream: Readable, cap: number): Capture {
  const chunks: Buffer[] = [];
  let held = 0;
  let cut = false;
  stream.on('data', (chunk: Buffer) => {
    const room = cap - held;
    if (chunk.length > room) cut = true;
    if (room <= 0) return;
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    chunks.push(part);
    held += part.length;
  });
  const ended = new Promise<void>((resolve) => {
    stream.once('close', () => resolve());
    stream.once('end', () => resolve());
    stream.on('error', () => resolve());
  });
  return {
    ended,
    take() {
      stream.destroy();
      return { bytes: Buffer.concat(chunks), cut };
    },
  };
}
