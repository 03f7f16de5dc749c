import { findAgent } from '@piton/agents';
import type { Agent, DecisionName, NativeAnswer, Outcome } from '@piton/contracts';
import { createRegistry, type HookDefinition } from '@piton/hooks';
import { rehearse } from '@piton/lifecycle';
import { type HookPlaces, READING } from '../hooks/in-force.ts';
import { type FullEvent, isReadable, occasionOfEvent, type StoredSession } from './backtest/stored-events.ts';
import type { SafeRunner } from './safe-runner.ts';
import { failureOf } from './trial.ts';

/** One recorded event, and what would be decided now. */
export interface Replayed {
  readonly event: FullEvent;
  /** Null if nothing was decided then. */
  readonly was: DecisionName | null;
  readonly now: DecisionName;
  readonly outcome: Outcome;
  readonly answer: NativeAnswer;
  readonly differs: boolean;
  readonly failure: string | undefined;
}
export type ReplayStep = Replayed | { readonly event: FullEvent; readonly left: string };

export interface ReplayOptions {
  readonly stored: StoredSession;
  /** Undefined: the hooks active where the session was. */
  readonly hook?: HookDefinition;
  readonly as?: Agent;
}

/** Runs the current hooks on each event of a recorded session. */
export function createReplay(
  places: HookPlaces,
  { stored, hook, as }: ReplayOptions,
  runner: SafeRunner,
): (event: FullEvent) => Promise<ReplayStep> {
  const registry = createRegistry({ config: places.config, trustDir: places.trust, ...READING });
  const sessionRoot = stored.session.projectPath;
  return async (event) => {
    if (!isReadable(event)) return { event, left: 'its payload could not be decoded' };
    const recorded = occasionOfEvent(event);
    if (findAgent(recorded.agent) === undefined) return { event, left: `no agent is named ${recorded.agent}` };
    if (as !== undefined && !as.events.some((native) => native.event === event.event))
      return { event, left: `${as.title} does not send ${event.event}` };
    const hooks = hook === undefined ? registry.hooksFor({ cwd: event.projectPath, sessionRoot }, event.names) : [hook];
    const occasion = { ...recorded, ...(as && { as: as.id }) };
    const { outcome, answer } = await rehearse(occasion, hooks.map(runner.restrict), runner).perform();
    const before = event.outcome?.decision;
    return {
      event,
      was: before?.decision ?? null,
      now: outcome.decision.decision,
      outcome,
      answer,
      differs: differ(before, outcome.decision),
      failure: failureOf(outcome.trace),
    };
  };
}

/** Text with a placeholder instead of a secret cannot be compared. */
const REDACTED = /\[redacted:/;

function differ(then: Outcome['decision'] | undefined, now: Outcome['decision']): boolean {
  if ((then?.decision ?? 'observe') !== now.decision) return true;
  const [before, after] = [then?.reason ?? then?.continue ?? '', now.reason ?? now.continue ?? ''];
  return before !== after && !REDACTED.test(before);
}
