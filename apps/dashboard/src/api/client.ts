import type { PageProblem, PageRoutes, PageWholeText } from '@piton/contracts/page';
import { signal } from '@preact/signals';
import { type Access, dropToken, keptToken } from '../access/token.ts';

export type Answer<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: PageProblem };

export const access = signal<Access | 'entering'>('entering');

export const authorization = (): Record<string, string> => ({ authorization: `Bearer ${keptToken() ?? ''}` });

/** The server no longer takes our token. */
export function refuse(): void {
  dropToken();
  access.value = 'no-token';
}

const UNREACHABLE: PageProblem = {
  problem: 'failed',
  error: 'The page’s server does not answer.',
  fix: 'It ends when nobody looks for a while. Type: piton ui',
};

async function problemOf(response: Response): Promise<PageProblem> {
  try {
    return (await response.json()) as PageProblem;
  } catch {
    return { problem: 'failed', error: `The server answered ${response.status}.`, fix: null };
  }
}

export async function request<Value>(path: string, abort?: AbortSignal): Promise<Answer<Value>> {
  try {
    const response = await fetch(path, { headers: authorization(), signal: abort ?? null });
    if (response.ok) return { ok: true, value: (await response.json()) as Value };
    const problem = await problemOf(response);
    if (problem.problem === 'token') refuse();
    return { ok: false, problem };
  } catch (error) {
    if (abort?.aborted) throw error;
    return { ok: false, problem: UNREACHABLE };
  }
}

type Query<Route extends keyof PageRoutes> = PageRoutes[Route]['query'];

/** `/api/sessions/:id` with its ids in order, and what is asked of it. */
export function pathOf<Route extends keyof PageRoutes>(route: Route, ids: readonly string[], query: Query<Route>): string {
  let at = 0;
  const path = route.replaceAll(':id', () => encodeURIComponent(ids[at++] ?? ''));
  const entries = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const text = new URLSearchParams(entries).toString();
  return text ? `${path}?${text}` : path;
}

export const readWhole = (path: string): Promise<Answer<PageWholeText>> => request<PageWholeText>(path);

/** Saves what the API answers as a file. A plain link would carry no token. */
export async function download(path: string, name: string): Promise<PageProblem | null> {
  const response = await fetch(path, { headers: authorization() }).catch(() => null);
  if (!response) return UNREACHABLE;
  if (!response.ok) return problemOf(response);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return null;
}
