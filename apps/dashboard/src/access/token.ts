import type { PageToken } from '@piton/contracts/page';

const KEY = 'piton-token';

/** Of this tab only. It is no cookie: those ignore ports, so every server on this host would receive it. */
export const keptToken = (): string | null => sessionStorage.getItem(KEY);
export const keepToken = (token: string): void => sessionStorage.setItem(KEY, token);
export const dropToken = (): void => sessionStorage.removeItem(KEY);

/** The one-time code in the link. It leaves the address at once: it must not stay in the history. */
export function takeCode(): string | null {
  const code = /^#code=([^&]+)/.exec(location.hash)?.[1];
  if (!code) return null;
  history.replaceState(null, '', `${location.pathname}#/now`);
  dispatchEvent(new HashChangeEvent('hashchange'));
  return decodeURIComponent(code);
}

async function buyToken(code: string): Promise<string | null> {
  const response = await fetch('/api/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  return response.ok ? ((await response.json()) as PageToken).token : null;
}

export type Access = 'open' | 'no-token' | 'used-code' | 'unreachable';

/** Buys a token with the code of the link; else takes the one of this tab, or of another tab of this page. */
export async function enter(code: string | null, fromOthers: () => Promise<string | null>): Promise<Access> {
  try {
    const bought = code ? await buyToken(code) : null;
    if (bought) keepToken(bought);
    else if (!keptToken()) {
      const shared = await fromOthers();
      if (shared) keepToken(shared);
    }
    return keptToken() ? 'open' : code ? 'used-code' : 'no-token';
  } catch {
    return 'unreachable';
  }
}
