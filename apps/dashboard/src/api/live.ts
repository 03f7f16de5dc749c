import type { PageFrame, PageReset } from '@piton/contracts/page';
import { signal } from '@preact/signals';
import { authorization, refuse } from './client.ts';
import { takeMessages } from './sse.ts';

export type LiveState = 'connecting' | 'live' | 'lost' | 'asleep' | 'off';
export const liveState = signal<LiveState>('connecting');

const HIDDEN_MS = 20_000;
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [500, 10_000];

interface Position {
  store: string;
  seq: number;
}
/** What tabs tell each other: `after` is where the frame begins, so that one who missed something knows it. */
type Shared = { readonly after: number; readonly frame: PageFrame } | { readonly reset: PageReset } | { readonly state: LiveState };

let position: Position | undefined;
const frameListeners = new Set<(frame: PageFrame) => void>();
const resetListeners = new Set<() => void>();

function listen<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
export const onFrame = (listener: (frame: PageFrame) => void): (() => void) => listen(frameListeners, listener);
/** Everything has to be read again. */
export const onReset = (listener: () => void): (() => void) => listen(resetListeners, listener);

function reset({ store, seq }: PageReset): void {
  position = { store, seq };
  for (const listener of resetListeners) listener();
}

/** Each change is taken once, whichever way it came. */
function take({ after, frame }: { readonly after: number; readonly frame: PageFrame }): void {
  if (!position) return;
  if (after > position.seq) return reset({ store: position.store, seq: frame.seq });
  const changes = frame.changes.filter(({ seq }) => position !== undefined && seq > position.seq);
  position.seq = Math.max(position.seq, frame.seq);
  if (changes.length === 0 && frame.waiting === null) return;
  for (const listener of frameListeners) listener({ ...frame, changes });
}

/** Reads one connection to its end. False: the server wants no more of us. */
async function readStream(share: (shared: Shared) => void, abort: AbortSignal): Promise<boolean> {
  const at = position as Position;
  // In an empty home there is no store yet, and no position in it.
  const query = new URLSearchParams(at.store === '' ? {} : { after: String(at.seq), store: at.store });
  const response = await fetch(`/api/live?${query}`, { headers: authorization(), signal: abort });
  if (response.status === 401) {
    refuse();
    return false;
  }
  if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
  share({ state: 'live' });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let buffer = ''; ; ) {
    const { done, value } = await reader.read();
    if (done) return true;
    const { messages, rest } = takeMessages(buffer + value);
    buffer = rest;
    for (const { event, data } of messages) {
      const body: unknown = JSON.parse(data);
      const shared: Shared = event === 'reset' ? { reset: body as PageReset } : { after: position?.seq ?? 0, frame: body as PageFrame };
      share(shared);
    }
  }
}

function apply(shared: Shared): void {
  if ('state' in shared) liveState.value = shared.state;
  else if ('reset' in shared) reset(shared.reset);
  else take(shared);
}

const pause = (ms: number, abort: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    abort.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

async function follow(share: (shared: Shared) => void, abort: AbortSignal): Promise<void> {
  for (let wait = FIRST_RETRY_MS; !abort.aborted; ) {
    const from = position?.seq;
    try {
      if (!(await readStream(share, abort))) return;
    } catch {
      // Cut, or no server: both are tried again, from where we are.
    }
    if (abort.aborted) return;
    share({ state: 'lost' });
    wait = position?.seq === from ? Math.min(2 * wait, LAST_RETRY_MS) : FIRST_RETRY_MS;
    await pause(wait, abort);
  }
}

/**
 * One stream for all tabs, since a browser has six connections to an origin: who holds the lock reads and tells the others. A tab
 * that nobody looks at lets go, and goes on from where it was.
 */
export function startLive(from: Position): void {
  position = from;
  const channel = new BroadcastChannel('piton-live');
  let running: AbortController | undefined;
  channel.addEventListener('message', ({ data }: MessageEvent<Shared>) => running && apply(data));
  const share = (shared: Shared) => {
    apply(shared);
    channel.postMessage(shared);
  };
  const run = () => {
    running?.abort();
    const abort = new AbortController();
    running = abort;
    // Locks are there on this machine and over https only. Without them every tab has its own stream.
    const work = () => follow(share, abort.signal);
    if (!navigator.locks) void work();
    else {
      // Another tab may hold it: what it has not told us yet, we ask for once it lets go.
      liveState.value = 'live';
      navigator.locks.request('piton-live', { signal: abort.signal }, work).catch(() => {});
    }
  };
  let hidden: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hidden);
    if (document.hidden) {
      hidden = setTimeout(() => {
        running?.abort();
        running = undefined;
        liveState.value = 'asleep';
      }, HIDDEN_MS);
    } else if (!running) {
      run();
      for (const listener of resetListeners) listener();
    }
  });
  run();
}
