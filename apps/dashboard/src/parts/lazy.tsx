import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component whose code is loaded when it is first shown; until then `meanwhile`, with the same text where there is one. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>, meanwhile?: (props: P) => VNode) {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, again] = useState(0);
    const [failed, fail] = useState<string>();
    useEffect(() => {
      if (loaded) return;
      let shown = true;
      load().then(
        (component) => {
          loaded = component;
          if (shown) again((count) => count + 1);
        },
        (error: unknown) => shown && fail(String(error)),
      );
      return () => {
        shown = false;
      };
    }, []);
    if (loaded) {
      const Component = loaded;
      return <Component {...props} />;
    }
    if (failed) return <p class="note bad">A part of the page could not be loaded. Reload it; piton may have been updated. ({failed})</p>;
    return meanwhile ? meanwhile(props) : <div class="bones" aria-hidden="true" />;
  };
}
