import { type Agent, type EventName, type NativeEvent, namesFor, TOOL_KINDS } from '@piton/contracts';
import { type HookDefinition, readTrust } from '@piton/hooks';
import type { Context } from '../context.ts';
import { type HookPlaces, hooksAt } from '../hooks/in-force.ts';
import { repositoryRoot } from '../repository.ts';
import type { InstallScope } from './config-place.ts';

/** A native event that is too costly to register by default, and the hook that needs it. */
export interface Need {
  readonly nativeEvent: string;
  readonly hook: string;
}

/** The native events that hooks need besides those registered by default. Pure. */
export function needsOf(agent: Agent, hooks: readonly Pick<HookDefinition, 'id' | 'event' | 'enabled'>[]): Need[] {
  const needs = new Map<string, string>();
  for (const hook of hooks) {
    if (!hook.enabled) continue;
    const sources = sourcesOf(agent, hook.event);
    // An event without a canonical name is registered only for such a hook. Otherwise one cheap source is enough.
    const cheap = hook.event !== 'other' && sources.some(({ costly }) => costly === undefined);
    if (!cheap) for (const { name } of sources) if (!needs.has(name)) needs.set(name, hook.id);
  }
  return [...needs].map(([nativeEvent, hook]) => ({ nativeEvent, hook }));
}

/** The native events by which an agent reports an event. */
export const sourcesOf = (agent: Agent, event: EventName): readonly NativeEvent[] => agent.events.filter((native) => fires(native, event));

const fires = (native: NativeEvent, event: EventName): boolean =>
  native.event === event || TOOL_KINDS.some((kind) => namesFor(native.event, kind).includes(event));

/**
 * The hooks that an installation at this level must serve. For a user: their own, and all hooks they trust, in any project. For a
 * repository: its own, trusted or not, so that its file is the same for everyone.
 */
function hooksServed(context: Context, places: HookPlaces, scope: InstallScope): HookDefinition[] {
  if (scope === 'project') {
    const root = repositoryRoot(context);
    return root === undefined ? [] : hooksAt(places, root).filter((hook) => hook.scope === 'project' && hook.status.kind !== 'broken');
  }
  const roots = ['/', ...Object.keys(readTrust(places.trust).index.roots)];
  const hooks = roots.flatMap((root) => hooksAt(places, root));
  const running = hooks.filter((hook) => hook.status.kind === 'ready' || hook.status.kind === 'changed');
  return [...new Map(running.map((hook) => [`${hook.root ?? ''}\0${hook.id}`, hook])).values()];
}

export type Needs = (agent: Agent, scope: InstallScope) => readonly Need[];

/** Reads the hooks once per level, for any number of agents. */
export function needsHere(context: Context, places: HookPlaces): Needs {
  const served = new Map<InstallScope, HookDefinition[]>();
  return (agent, scope) => {
    const hooks = served.get(scope) ?? hooksServed(context, places, scope);
    served.set(scope, hooks);
    return needsOf(agent, hooks);
  };
}

export const nativeNames = (needs: readonly Need[]): string[] => needs.map(({ nativeEvent }) => nativeEvent);
