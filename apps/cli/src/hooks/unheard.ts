import { AGENTS } from '@piton/agents';
import { type Agent, type EventName, parseEventName } from '@piton/contracts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { installedAt } from '../install/agent-plan.ts';
import type { InstallScope } from '../install/config-place.ts';
import { installTarget } from '../install/edit.ts';
import { initFor, levelOf } from '../install/levels.ts';
import { nativeNames, needsOf, sourcesOf } from '../install/needed-events.ts';
import { futureForwarder, userHome } from '../locations.ts';
import type { ListedHook } from './hook-state.ts';

/** Where a hook waits for an event that Piton is not registered for. */
export interface Unheard {
  /** No agent in which Piton is registered reports it. */
  readonly everywhere: boolean;
  readonly why: string;
}
export type UnheardBy = (hook: ListedHook) => Unheard | undefined;

interface Registered {
  readonly agent: Agent;
  readonly scope: InstallScope;
  readonly events: ReadonlySet<string>;
}

/** Some native events are registered only for a hook that needs them. The registrations are read once, and only for such a hook. */
export function unheardHere(context: Context): UnheardBy {
  let registered: readonly Registered[] | undefined;
  return ({ id, event: name, enabled, targets }) => {
    const event = parseEventName(name);
    // Hooks on `other` want every event that has no name: some of them are heard.
    if (event === undefined || event === 'other' || !enabled) return undefined;
    const hook = { id, event, enabled };
    if (AGENTS.every((agent) => needsOf(agent, [hook]).length === 0)) return undefined;
    registered ??= registeredHere(context);
    return unheardIn(
      registered.filter(({ agent }) => targets === undefined || targets.includes(agent.id)),
      hook,
    );
  };
}

function unheardIn(registered: readonly Registered[], hook: { id: string; event: EventName; enabled: boolean }): Unheard | undefined {
  const waiting = registered.flatMap(({ agent, scope, events }) => {
    const missing = nativeNames(needsOf(agent, [hook])).filter((name) => !events.has(name));
    return missing.length === 0 ? [] : [`${missing.join(', ')} is not registered in ${agent.title}: ${initFor(agent, scope)}`];
  });
  if (waiting.length === 0) return undefined;
  const heard = registered.some(({ agent, events }) => sourcesOf(agent, hook.event).some(({ name }) => events.has(name)));
  return { everywhere: !heard, why: waiting.join('; ') };
}

function registeredHere(context: Context): Registered[] {
  const home = userHome(context);
  return AGENTS.flatMap((agent) =>
    (['user', 'project'] as const).flatMap((scope): Registered[] => {
      const installed = installedIn(context, agent, scope, home);
      return installed.length === 0 ? [] : [{ agent, scope, events: new Set(installed) }];
    }),
  );
}

/** A file that cannot be read has nothing of ours that works: `doctor` says what is wrong with it. */
function installedIn(context: Context, agent: Agent, scope: InstallScope, home: string): string[] {
  try {
    const places = levelOf(context, agent, scope, home);
    if (places === undefined) return [];
    return installedAt(places, installTarget(futureForwarder(context), scope, home)).map(({ registration }) => registration.nativeEvent);
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
