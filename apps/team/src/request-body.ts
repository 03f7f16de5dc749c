import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { MAX_TEAM_BATCH_BYTES } from '@piton/contracts/team';

/** As it comes, and unpacked: a small text can unpack to any size. */
const MOST_PACKED = 4 * 1024 * 1024;
const MOST_PLAIN = MAX_TEAM_BATCH_BYTES + 2 * 1024 * 1024;

export type Body =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: 'bad-request' | 'too-large'; readonly error: string };

const unpack = promisify(gunzip);
const tooLarge = (most: number): Body => ({ ok: false, problem: 'too-large', error: `more than ${most} bytes` });

/** The JSON of a request. What is too large is not read to its end. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_PACKED) return tooLarge(MOST_PACKED);
    parts.push(part);
  }
  const packed = Buffer.concat(parts);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'gzip' && encoding !== 'identity') return { ok: false, problem: 'bad-request', error: 'only gzip is unpacked' };
  try {
    const bytes = encoding === 'gzip' ? await unpack(packed, { maxOutputLength: MOST_PLAIN }) : packed;
    return { ok: true, value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(MOST_PLAIN);
    return { ok: false, problem: 'bad-request', error: 'not JSON, or not packed as it says' };
  }
}
