import type { PageFrame } from '@piton/contracts/page';
import { useEffect } from 'preact/hooks';
import { onFrame } from './live.ts';

/** Reads again soon after something changed, and at most so often, however much changes. */
export function useRefresh(reload: () => void, concerns: (frame: PageFrame) => boolean, everyMs = 1_200): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = 0;
    const stop = onFrame((frame) => {
      if (timer !== undefined || !concerns(frame)) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          last = Date.now();
          reload();
        },
        Math.max(150, last + everyMs - Date.now()),
      );
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [reload, concerns, everyMs]);
}
