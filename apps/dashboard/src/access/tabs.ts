import { keptToken } from './token.ts';

/** How tabs of this page find each other: the same origin, port included. */
type Asked = { readonly ask: 'token' } | { readonly token: string };

const NAME = 'piton-access';
const PATIENCE_MS = 250;

export function lendToken(): void {
  const channel = new BroadcastChannel(NAME);
  channel.addEventListener('message', ({ data }: MessageEvent<Asked>) => {
    const token = keptToken();
    if ('ask' in data && token) channel.postMessage({ token } satisfies Asked);
  });
}

/** A tab that was opened from another one has no sessionStorage of its own yet. */
export function borrowToken(): Promise<string | null> {
  const channel = new BroadcastChannel(NAME);
  return new Promise((resolve) => {
    const end = (token: string | null) => {
      clearTimeout(timer);
      channel.close();
      resolve(token);
    };
    const timer = setTimeout(end, PATIENCE_MS, null);
    channel.addEventListener('message', ({ data }: MessageEvent<Asked>) => 'token' in data && end(data.token));
    channel.postMessage({ ask: 'token' } satisfies Asked);
  });
}
