import { request } from 'node:http';
import type { Places } from '@piton/contracts/places';
import type {
  CanaryIssued,
  CanaryState,
  Flushed,
  HistoryReadReport,
  RelinkReport,
  RewindReport,
  ServerStatus,
} from '@piton/contracts/server-api';

export type Reply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: 'absent' | 'silent' | 'refused'; readonly error: string };

/** Nobody listens, or who did ended while we asked: a server that lives answers, or says nothing. */
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** Calls the server over `cli.sock`. That no server is listening is an ordinary reply, not an exception. */
function call<T>(places: Places, method: 'GET' | 'POST', path: string, limitMs: number, body?: object): Promise<Reply<T>> {
  return new Promise((resolve) => {
    const sent = request({ socketPath: places.cliSocket, method, path, timeout: limitMs }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', (error) => resolve({ ok: false, why: 'silent', error: error.message }));
      response.on('end', () => resolve(read<T>(response.statusCode ?? 0, Buffer.concat(chunks).toString('utf8'))));
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${limitMs} ms`)));
    sent.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ ok: false, why: GONE.has(error.code ?? '') ? 'absent' : 'silent', error: error.message });
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function read<T>(status: number, body: string): Reply<T> {
  if (status < 200 || status >= 300) return { ok: false, why: 'refused', error: `the server answered ${status}: ${body.slice(0, 300)}` };
  try {
    return { ok: true, value: (body === '' ? {} : JSON.parse(body)) as T };
  } catch {
    return { ok: false, why: 'refused', error: 'the server did not answer with JSON' };
  }
}

export const serverStatus = (places: Places): Promise<Reply<ServerStatus>> => call(places, 'GET', '/v1/status', 2000);
export const issueCanary = (places: Places): Promise<Reply<CanaryIssued>> => call(places, 'POST', '/v1/canary', 2000);
export const canaryState = (places: Places, token: string): Promise<Reply<CanaryState>> => call(places, 'GET', `/v1/canary/${token}`, 2000);
/** Resolves when everything journalled before is stored and searchable. */
export const flush = (places: Places, limitMs = 30_000): Promise<Reply<Flushed>> => call(places, 'POST', '/v1/flush', limitMs);
/** Resolves when all checkpoints that were asked for in a working tree are saved. */
export const settle = (places: Places, root: string): Promise<Reply<unknown>> => call(places, 'POST', '/v1/settle', 15_000, { root });
export const retire = (places: Places): Promise<Reply<unknown>> => call(places, 'POST', '/v1/retire', 5000);
export const reload = (places: Places): Promise<Reply<unknown>> => call(places, 'POST', '/v1/reload', 5000);
export const relinked = (places: Places, report: RelinkReport): Promise<Reply<unknown>> =>
  call(places, 'POST', '/v1/relinked', 5000, report);
export const historyRead = (places: Places, report: HistoryReadReport): Promise<Reply<unknown>> =>
  call(places, 'POST', '/v1/history-read', 2000, report);
export const rewound = (places: Places, report: RewindReport): Promise<Reply<unknown>> => call(places, 'POST', '/v1/rewound', 5000, report);
