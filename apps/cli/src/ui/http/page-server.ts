import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { PageProblem, PageToken } from '@piton/contracts/page';
import { type Answer, jsonAnswer } from '../answer.ts';
import type { AnswerThread } from '../answer-thread.ts';
import type { Access } from './access.ts';
import { SECURITY_HEADERS } from './headers.ts';
import { streamChanges } from './live-stream.ts';
import { userOfPeer } from './peer.ts';
import { bearerOf, checkRequest } from './request-check.ts';
import type { StaticFiles } from './static-files.ts';

export interface PageServerPorts {
  readonly access: Access;
  readonly answers: AnswerThread;
  readonly files: StaticFiles;
  /** Under which the page may be opened; grows when the port is known. */
  readonly origins: ReadonlySet<string>;
  /** Called at each request, and with how many streams are open. */
  readonly onUse: (streams: number) => void;
}

const MAX_HEADERS = 16_384;
const MAX_BODY = 1024;
const MAX_STREAMS = 16;
const REQUEST_MS = 15_000;

/** Serves the page on loopback. It decides nothing, and changes nothing. */
export function createPageServer(ports: PageServerPorts): Server {
  let streams = 0;
  const server = createServer(
    { maxHeaderSize: MAX_HEADERS, requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
    (request, response) => {
      ports.onUse(streams);
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
      handle(request, response).catch((error: Error) => {
        if (!response.headersSent)
          send(response, jsonAnswer({ problem: 'failed', error: error.message, fix: null } satisfies PageProblem, 500));
        else response.destroy();
      });
    },
  );
  server.maxHeadersCount = 100;
  server.on('upgrade', (_, socket) => socket.destroy());
  return server;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const refusal = checkRequest({ method, url, headers }, ports.origins);
    if (refusal) return send(response, jsonAnswer(refusal.body, refusal.status));
    const { pathname, search, searchParams } = new URL(`http://page${url.startsWith('//') ? `/${url.replace(/^\/+/, '')}` : url}`);
    if (!pathname.startsWith('/api/')) return sendFile(request, response, pathname);
    if (pathname === '/api/token') return sendToken(request, response);
    if (!ports.access.holds(bearerOf(headers))) return send(response, jsonAnswer(NO_TOKEN, 401));
    if (pathname === '/api/live') return sendChanges(response, searchParams);
    send(response, await ports.answers.ask({ path: pathname, query: search }));
  }

  function sendFile(request: IncomingMessage, response: ServerResponse, path: string): void {
    const file = ports.files.find(path, /\bbr\b/.test(request.headers['accept-encoding'] ?? ''));
    if (file === undefined)
      return send(response, jsonAnswer({ problem: 'not-found', error: 'no such file', fix: null } satisfies PageProblem, 404));
    response.writeHead(200, { ...file.headers, 'content-type': file.type, 'content-length': file.bytes.length });
    response.end(request.method === 'HEAD' ? undefined : file.bytes);
  }

  async function sendToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = ports.access.redeem(codeOf(await readBody(request)), () => userOfPeer(request.socket) === process.geteuid?.());
    if (token === undefined) return send(response, jsonAnswer(BAD_CODE, 403));
    send(response, jsonAnswer({ token } satisfies PageToken));
  }

  async function sendChanges(response: ServerResponse, query: URLSearchParams): Promise<void> {
    if (streams >= MAX_STREAMS)
      return send(
        response,
        jsonAnswer({ problem: 'busy', error: 'too many pages are open', fix: 'close some' } satisfies PageProblem, 503),
      );
    const given = query.get('after');
    const after = given !== null && /^\d{1,15}$/.test(given) ? Number(given) : null;
    streams += 1;
    ports.onUse(streams);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    response.flushHeaders();
    try {
      await streamChanges(response, ports.answers, { after, store: query.get('store') });
    } finally {
      streams -= 1;
      ports.onUse(streams);
      response.end();
    }
  }
}

const NO_TOKEN: PageProblem = {
  problem: 'token',
  error: 'this page has no access, or lost it',
  fix: 'open the link that `piton ui` prints',
};
const BAD_CODE: PageProblem = {
  problem: 'code',
  error: 'this link was used before, or is older than a minute',
  fix: 'run `piton ui` again for a new one',
};

function send(response: ServerResponse, { status, type, body, name }: Answer): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    ...{ 'content-type': type, 'content-length': bytes.length, 'cache-control': 'no-store' },
    ...(name !== undefined && { 'content-disposition': `attachment; filename="${name}"` }),
  });
  response.end(bytes);
}

/** A body that is longer than any code is no code. */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function codeOf(body: string): string {
  try {
    const { code } = JSON.parse(body) as { code?: unknown };
    return typeof code === 'string' ? code : '';
  } catch {
    return '';
  }
}
