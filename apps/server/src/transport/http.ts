import { createServer, type IncomingMessage, type Server } from 'node:http';
import type {
  AttachWanted,
  CanaryIssued,
  Flushed,
  HistoryReadReport,
  RelinkReport,
  RewindReport,
  ServerStatus,
} from '@piton/contracts/server-api';
import type { Canaries } from '../canaries.ts';
import { readHistoryRead, readRelinked, readRewound, settledRoot } from '../subscriptions/command-routes.ts';

const BODY_LIMIT = 64 * 1024 * 1024;

export interface HttpPorts {
  readonly status: () => ServerStatus;
  readonly canaries: Canaries;
  readonly flush: () => Promise<number>;
  readonly settle: (root: string) => Promise<void>;
  readonly reload: () => void;
  readonly retire: () => void;
  readonly rewound: (rewound: RewindReport) => void;
  readonly relinked: (relinked: RelinkReport) => void;
  readonly historyRead: (read: HistoryReadReport) => void;
  readonly envelope: (body: unknown) => Promise<EnvelopeAnswer>;
}

export type EnvelopeAnswer =
  | { readonly status: 200; readonly body: object }
  | { readonly status: 202; readonly body: AttachWanted }
  | { readonly status: 400 | 422; readonly body: { readonly decision: 'observe'; readonly error: string } };

type Reply = (status: number, body: object) => void;

/** The socket of the `piton` command. Only the user can access its directory, so every request is from the user. */
export function createHttp(ports: HttpPorts): Server {
  const server = createServer((request, response) => {
    const reply: Reply = (status, body) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    route(ports, request, reply).catch((error: Error) => reply(500, { error: error.message }));
  });
  server.keepAliveTimeout = 1000;
  return server;
}

async function route(ports: HttpPorts, request: IncomingMessage, reply: Reply): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const canary = /^\/v1\/canary\/([0-9a-f]+)$/.exec(path);
  const call = `${request.method} ${canary ? '/v1/canary/*' : path}`;
  switch (call) {
    case 'GET /v1/status':
      return reply(200, ports.status());
    case 'POST /v1/canary':
      return reply(200, { token: ports.canaries.issue() } satisfies CanaryIssued);
    case 'GET /v1/canary/*':
      return reply(200, ports.canaries.state(canary?.[1] ?? ''));
    case 'POST /v1/flush':
      return reply(200, { stored: await ports.flush() } satisfies Flushed);
    case 'POST /v1/settle': {
      const root = settledRoot(await readJson(request));
      if (root === null) return reply(400, { error: 'not a working tree' });
      await ports.settle(root);
      return reply(200, { settled: true });
    }
    case 'POST /v1/reload':
      ports.reload();
      return reply(200, { reloaded: true });
    case 'POST /v1/retire':
      reply(202, { retiring: true });
      return ports.retire();
    case 'POST /v1/rewound': {
      const rewound = readRewound(await readJson(request));
      if (rewound === null) return reply(400, { error: 'not a message of piton rewind' });
      ports.rewound(rewound);
      return reply(200, { told: true });
    }
    case 'POST /v1/relinked': {
      const relinked = readRelinked(await readJson(request));
      if (relinked === null) return reply(400, { error: 'not a message of piton checkpoints repair' });
      ports.relinked(relinked);
      return reply(200, { told: true });
    }
    case 'POST /v1/history-read': {
      const read = readHistoryRead(await readJson(request));
      if (read === null) return reply(400, { error: 'not a message of piton mcp' });
      ports.historyRead(read);
      return reply(200, { told: true });
    }
    case 'POST /v1/envelopes': {
      const { status, body } = await ports.envelope(await readJson(request));
      return reply(status, body);
    }
    default:
      return reply(404, { error: `no such call: ${call}` });
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > BODY_LIMIT) return undefined;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return undefined;
  }
}
