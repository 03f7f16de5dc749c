import type { Reduced, TraceEntry } from '@piton/contracts';
import { decide, observe } from '../decide.ts';
import { withDecision } from '../event-change.ts';
import { plan } from '../plan.ts';
import { canonicalEvent, type Happening } from './canonical-event.ts';
import type { Env, Event, Hook } from './hook.ts';
import { prepare } from './preparation.ts';

export interface FireOptions extends Happening {
  /** Variables for commands, beside those that every hook gets. */
  readonly env?: Env;
  /** Stops the hook that runs, and skips those that have not begun. */
  readonly signal?: AbortSignal;
  /** Milliseconds that all hooks share. Left out: each has its own timeout only. */
  readonly budget?: number;
  /** Variables of this process that commands must not see; a trailing `*` is a prefix. */
  readonly unset?: readonly string[];
}

/** What the hooks came to, and how. */
export interface Fired {
  readonly decision: Reduced;
  /** Each hook of the event: that it was skipped and why, or how it ran and what it returned. */
  readonly trace: readonly TraceEntry[];
  /** Of the hooks that only watch. They run after the decision; nobody needs to wait for them. */
  readonly afterwards: Promise<readonly TraceEntry[]>;
}

/** Runs the hooks of an event and puts what they say together: deny before ask before allow, changes in order. */
export async function fire(hooks: readonly Hook[], event: Event, options: FireOptions = {}): Promise<Fired> {
  const happened = canonicalEvent(event, options);
  const { definitions, common } = prepare(hooks, event, happened, options);
  const { deciding, observing, skipped } = plan(happened, definitions);
  const { reduced, trace } = await decide({ ...common, hooks: deciding });
  const final = withDecision(happened, reduced);
  const afterwards = observing.length === 0 ? Promise.resolve([]) : observe({ ...common, event: final, hooks: observing, deniable: false });
  return { decision: reduced, trace: [...skipped, ...trace], afterwards };
}
