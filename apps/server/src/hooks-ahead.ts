import type { EventName } from '@piton/contracts';
import type { HookDefinition, Registry } from '@piton/hooks';
import type { Moments } from './moment.ts';

/** Before and after a tool: an agent fires these in turn. */
const LIKELY = 2;

export interface HooksAhead {
  hooksFor(cwd: string, sessionRoot: string | null, names: readonly EventName[]): readonly HookDefinition[];
  /** Finds what the latest kinds of event asked for, so that the next one of them finds it found. */
  lookAhead(): void;
}

/** The hooks in force, found once in a moment. A forwarder that has connected and not yet sent its frame is the time to find them. */
export function hooksAhead(registry: Pick<Registry, 'hooksFor'>, moment: Moments): HooksAhead {
  const latest = new Map<string, Parameters<HooksAhead['hooksFor']>>();
  const find = moment.once((key) => {
    const [cwd, sessionRoot, names] = latest.get(key) as Parameters<HooksAhead['hooksFor']>;
    return registry.hooksFor({ cwd, sessionRoot }, names);
  });
  return {
    hooksFor(...asked) {
      const key = `${asked[0]}\0${asked[1]}\0${asked[2].join()}`;
      latest.delete(key); // the latest stands last
      latest.set(key, asked);
      const [oldest] = latest.keys();
      if (latest.size > LIKELY && oldest !== undefined) latest.delete(oldest);
      return find(key);
    },
    lookAhead() {
      moment.lookAhead();
      for (const key of latest.keys()) find(key);
    },
  };
}
