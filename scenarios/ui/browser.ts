import type { ChildProcess } from 'node:child_process';
import { request } from 'node:http';
import type { PageFrame, PageReset, PageToken } from '@piton/contracts/page';
import type { Sandbox } from '../first-day/sandbox.ts';

/** A `piton ui` that serves, and what a browser would send it. */
export interface Page {
  readonly link: string;
  readonly port: number;
  readonly code: string;
  readonly process: ChildProcess;
  /** Any request, byte for byte as given: Node's fetch would set what an attacker would not. */
  send(path: string, given?: Sent): Promise<Received>;
  /** With the token, as the page sends it. */
  get<T>(path: string): Promise<T>;
  buy(code?: string): Promise<Received>;
  stop(): Promise<void>;
}
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** `start`: in place of the sandbox's own way to start the command. */
export interface OpenedHow {
  readonly cwd?: string;
  /** Where it is served, if its link leads elsewhere. */
  readonly port?: number;
  readonly start?: (args: readonly string[]) => ChildProcess;
}

export async function openPage(
  box: Sandbox,
  args: readonly string[] = [],
  { start, port: served, ...given }: OpenedHow = {},
): Promise<Page> {
  const process = (start ?? ((all: readonly string[]) => box.start(all, given)))(['ui', '--json', ...args]);
  const link = await linkFrom(process);
  const { port: named, hash } = new URL(link);
  const port = served ?? Number(named);
  const code = hash.replace('#code=', '');
  const send = (path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Received> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers: { host: `127.0.0.1:${port}`, ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString('utf8') }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const buy = (one = code): Promise<Received> =>
    send('/api/token', { method: 'POST', headers: { origin: `http://127.0.0.1:${port}` }, body: JSON.stringify({ code: one }) });
  let token: string | undefined;
  return {
    ...{ link, port, code, process, send, buy },
    async get<T>(path: string) {
      token ??= (JSON.parse((await buy()).body) as PageToken).token;
      const { status, body } = await send(path, { headers: { authorization: `Bearer ${token}` } });
      if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
      return JSON.parse(body) as T;
    },
    stop: () =>
      new Promise((resolve) => {
        if (process.exitCode !== null) return resolve();
        process.once('exit', () => resolve());
        process.kill('SIGTERM');
      }),
  };
}

function linkFrom(process: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = '';
    let err = '';
    process.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')));
    process.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8');
      try {
        resolve((JSON.parse(out) as { link: string }).link);
      } catch {
        // more comes
      }
    });
    process.once('exit', (code) => reject(new Error(`piton ui ended with ${code}\n${out}\n${err}`)));
  });
}

export interface LiveMessage {
  readonly event: string;
  readonly id: number;
  readonly data: PageFrame & PageReset;
}

/** Reads the stream until `enough`, then cuts it. */
export async function readLive(
  page: Page,
  token: string,
  query: string,
  enough: (messages: readonly LiveMessage[]) => boolean,
): Promise<readonly LiveMessage[]> {
  const cut = new AbortController();
  const response = await fetch(`http://127.0.0.1:${page.port}/api/live${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: cut.signal,
  });
  if (response.status !== 200 || response.body === null) throw new Error(`live: ${response.status}`);
  const messages: LiveMessage[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body) {
    const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks.filter((one) => !one.startsWith(':'))) {
      const field = (name: string): string =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2) ?? '';
      messages.push({ event: field('event'), id: Number(field('id')), data: JSON.parse(field('data')) as LiveMessage['data'] });
    }
    if (enough(messages)) break;
  }
  cut.abort();
  return messages;
}
