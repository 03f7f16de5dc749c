import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface Key {
  readonly key: string;
  readonly does: string;
  readonly run: () => void;
}

/** What each part of the page listens to, newest last: it wins. */
const active = signal<readonly (readonly Key[])[]>([]);

export const activeKeys = (): readonly Key[] => active.value.flat();

/** While `keys` are shown, they are listened to and listed in the help. */
export function useKeys(keys: readonly Key[]): void {
  useEffect(() => {
    active.value = [...active.peek(), keys];
    return () => {
      active.value = active.peek().filter((each) => each !== keys);
    };
  }, [keys]);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target)) {
      if (event.key === 'Escape') (event.target as HTMLElement).blur();
      return;
    }
    const found = activeKeys().findLast(({ key }) => key === event.key);
    if (!found) return;
    event.preventDefault();
    found.run();
  });
}
