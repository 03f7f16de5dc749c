import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.ts';
import { augment } from './augment.ts';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import { fieldsOf } from './json.ts';
import type { Ask, Protocol, StreamItem } from './protocol.ts';
import { responses } from './responses.ts';
import { sampleOf } from './schema-sample.ts';
import { filled, LAST_WORD, type ModelScript, type ModelTurn, unfolded } from './script.ts';

const PROTOCOLS: readonly Protocol[] = [anthropic, responses, chat, gemini, augment];

/** A request as received, and its answer. */
export interface ModelRequest {
  readonly n: number;
  readonly method: string;
  readonly path: string;
  /** Null if no protocol serves the path. */
  readonly protocol: string | null;
  /** Null if the request used no turn. */
  readonly conversation: string | null;
  /** A request without tools: for a title, a summary or routing. */
  readonly side: boolean;
  readonly ask: Ask | null;
  readonly turn: ModelTurn | null;
  readonly body: unknown;
}

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

export interface ModelOptions {
  readonly port?: number;
  /** Awaited after a request was recorded and before it is answered. */
  readonly onRequest?: (request: ModelRequest) => void | Promise<void>;
}

/** A scripted model that speaks five protocols. It listens on loopback. */
export async function startModel(script: ModelScript, options: ModelOptions = {}): Promise<ModelServer> {
  const conversations = script.map((one) => ({
    ...one,
    turns: unfolded(one.turns),
    pattern: one.match === undefined ? undefined : new RegExp(one.match),
    next: 0,
  }));
  const requests: ModelRequest[] = [];

  const nextTurn = (ask: Ask): { name: string; turn: ModelTurn } => {
    const found =
      conversations.find(({ pattern }) => pattern && ask.userTexts.some((text) => pattern.test(text))) ??
      conversations.find(({ pattern }) => pattern === undefined);
    const turn = found?.turns[found.next++] ?? LAST_WORD;
    return {
      name: found?.name ?? 'none',
      turn: filled(turn, [...ask.userTexts, ...ask.toolResults.map((result) => result.text)]),
    };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await readAll(request);
    const body = parse(raw);
    const path = request.url ?? '';
    const method = request.method ?? '';
    const protocol = method === 'POST' ? PROTOCOLS.find((one) => one.serves(path)) : undefined;
    const ask = protocol?.read(fieldsOf(body), path) ?? null;
    const side = ask !== null && ask.tools.length === 0;
    const reply = ask === null ? null : side ? { name: null, turn: sideAnswer(ask) } : nextTurn(ask);
    const kept: ModelRequest = {
      n: requests.length,
      method,
      path,
      protocol: protocol?.name ?? null,
      conversation: reply?.name ?? null,
      side,
      ask,
      turn: reply?.turn ?? null,
      body,
    };
    requests.push(kept);
    await options.onRequest?.(kept);
    if (!protocol || !ask || !reply) return sendOther(response, path);
    if (reply.turn.fail) return sendJson(response, reply.turn.fail.status, failure(reply.turn.fail.message));
    const id = `m${kept.n}`;
    if (!ask.stream) return sendJson(response, 200, protocol.whole(reply.turn, id, ask.model));
    response.writeHead(200, { 'content-type': protocol.lines ? 'application/json' : 'text/event-stream', 'cache-control': 'no-cache' });
    for (const item of protocol.stream(reply.turn, id, ask.model)) response.write(protocol.lines ? `${dataOf(item)}\n` : eventText(item));
    response.end();
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // Without the cause, a broken script looks like a broken agent.
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, failure(`scripted model: ${String(error)}`));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const dataOf = ({ data }: StreamItem): string => (typeof data === 'string' ? data : JSON.stringify(data));
const eventText = (item: StreamItem): string => `${item.event ? `event: ${item.event}\n` : ''}data: ${dataOf(item)}\n\n`;

const sideAnswer = (ask: Ask): ModelTurn => ({ text: ask.schema === undefined ? 'ok' : JSON.stringify(sampleOf(ask.schema)) });

function sendOther(response: ServerResponse, path: string): void {
  for (const protocol of PROTOCOLS) {
    const value = protocol.otherAnswer(path);
    if (value) return sendJson(response, 200, value);
  }
  sendJson(response, 404, failure('not scripted'));
}

/** A body that the clients of all protocols read as an error. */
const failure = (message: string): unknown => ({ type: 'error', error: { type: 'invalid_request_error', message } });

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}
