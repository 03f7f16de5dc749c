import type { PageProblem } from '@piton/contracts/page';

/** What of a request decides whether it may come in at all, before anybody looks at its token. */
export interface RequestHead {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Refusal {
  readonly status: number;
  readonly body: PageProblem;
}

const MAX_URL = 8192;

const refuse = (status: number, error: string, problem: PageProblem['problem'] = 'refused'): Refusal => ({
  status,
  body: { problem, error, fix: null },
});

/**
 * A page of somebody else's that runs in the same browser can send requests here, and by a name of its own that leads to this machine
 * it can read the answers. So the Host has to be ours, and what the browser says about the origin has to be us.
 */
export function checkRequest({ method, url, headers }: RequestHead, origins: ReadonlySet<string>): Refusal | undefined {
  const host = one(headers.host);
  if (host === undefined || ![...origins].some((origin) => new URL(origin).host === host.toLowerCase()))
    return refuse(421, 'this server answers under its own address only');
  if (url.length > MAX_URL) return refuse(414, 'the address is too long', 'too-large');
  if (!url.startsWith('/')) return refuse(400, 'the address has to begin with a slash', 'bad-request');
  const isApi = url.startsWith('/api/');
  if (method !== 'GET' && !(method === 'HEAD' && !isApi) && !(method === 'POST' && url === '/api/token')) return refuse(405, 'not allowed');
  const origin = one(headers.origin);
  if (origin !== undefined && !origins.has(origin.toLowerCase())) return refuse(403, 'a request of another page');
  if (method === 'POST' && origin === undefined) return refuse(403, 'a request of no page');
  const site = one(headers['sec-fetch-site']);
  // A link from a terminal, a chat or a forwarded port opens the page itself. Nothing else is for others.
  const isOpened = !isApi && one(headers['sec-fetch-mode']) === 'navigate' && one(headers['sec-fetch-dest']) === 'document';
  if (site !== undefined && site !== 'same-origin' && !isOpened && !(site === 'none' && !isApi))
    return refuse(403, 'a request of another page');
  return undefined;
}

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.join(', ') : value);

/** The token of `Authorization: Bearer …`. */
export const bearerOf = (headers: RequestHead['headers']): string =>
  /^Bearer ([\w-]{1,200})$/.exec(one(headers.authorization) ?? '')?.[1] ?? '';
