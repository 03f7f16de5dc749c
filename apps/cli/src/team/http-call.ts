import * as http from 'node:http';
import * as https from 'node:https';
import { reasonOf } from '../failure.ts';

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly limitMs: number;
  /** An answer that is longer is none. */
  readonly mostBytes: number;
  readonly signal?: AbortSignal;
}
export interface HttpAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Undefined if it is too long. */
  readonly text: string | undefined;
}

/**
 * One call, which ends: in its answer, in an error, or at its limit. Not `fetch`: under storms that killed the server, one of Node 20 was
 * seen never to settle, its limit included (as if both had been collected as garbage; the cause was not shown). Redirects are not followed.
 */
export function callHttp({ method, url, headers, body, limitMs, mostBytes, signal }: HttpCall): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    const { request } = target.protocol === 'https:' ? https : http;
    // A connection for each: nothing of one call is left for the next, and a batch is worth a handshake.
    const asked = request(target, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      const answer = (text: string | undefined): void =>
        end(() => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('data', (part: Buffer) => {
        size += part.length;
        if (size > mostBytes) return answer(undefined);
        parts.push(part);
      });
      response.on('end', () => (response.complete ? answer(Buffer.concat(parts).toString('utf8')) : fail(BROKEN_OFF)));
      response.on('error', fail);
      response.on('close', () => fail(BROKEN_OFF));
    });
    let isOver = false;
    function end(settle: () => void): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(limit);
      signal?.removeEventListener('abort', stop);
      settle();
      asked.destroy();
    }
    function fail(error: unknown): void {
      end(() => reject(new Error(reasonOf(error) || (error as NodeJS.ErrnoException).code || 'no answer')));
    }
    const stop = (): void => fail(new Error('it was ended'));
    const limit = setTimeout(() => fail(new Error(`no answer within ${limitMs / 1000} s`)), limitMs);
    asked.on('error', fail);
    asked.on('close', () => fail(BROKEN_OFF));
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop);
    asked.end(body);
  });
}

const BROKEN_OFF = new Error('the connection broke off');
