import { signal } from '@preact/signals';
import { formatAgo, formatFullTime, formatSeconds, formatTime } from './format.ts';

/** Ticks while somebody looks: once a second is enough for "since". */
export const clock = signal(Date.now());
setInterval(() => {
  if (!document.hidden) clock.value = Date.now();
}, 1_000);

export function Time({ at }: { readonly at: number }) {
  return (
    <time class="numbers" dateTime={new Date(at).toISOString()} title={formatFullTime(at)}>
      {formatTime(at)}
    </time>
  );
}

export function Ago({ at }: { readonly at: number }) {
  return (
    <time class="numbers" dateTime={new Date(at).toISOString()} title={formatFullTime(at)}>
      {formatAgo(at, clock.value)}
    </time>
  );
}

/** How long it has been, while it goes on. */
export function Since({ at }: { readonly at: number }) {
  return (
    <time class="numbers" dateTime={new Date(at).toISOString()} title={formatFullTime(at)}>
      {formatSeconds(Math.max(0, clock.value - at))}
    </time>
  );
}
