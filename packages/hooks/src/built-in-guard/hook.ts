import type { EventName } from '@piton/contracts';
import { builtInHook } from '../built-in-hook.ts';
import type { HookDefinition } from '../definition.ts';
import { type BuiltInGuard, decisionOn, type GuardMode } from './guard.ts';

export const BUILT_IN_GUARD_ID = 'piton:own-files';

/** At the call itself; and where the agent asks about it, so that no hook answers for the person. */
export const BUILT_IN_EVENTS: readonly EventName[] = ['pre_tool_use', 'permission_request'];

export type BuiltIns = (mode: GuardMode, names: readonly EventName[]) => readonly HookDefinition[];

/** The guard as a hook of the engine: the same object while its mode is the same. */
export function createBuiltIns(guard: BuiltInGuard | undefined, settingsFile: string): BuiltIns {
  if (guard === undefined) return () => [];
  const made = new Map<string, readonly HookDefinition[]>();
  return (mode, names) => {
    const event = BUILT_IN_EVENTS.find((each) => names.includes(each));
    if (event === undefined) return [];
    const key = `${mode} ${event}`;
    const known = made.get(key) ?? [definitionOf(guard, mode, event, settingsFile)];
    made.set(key, known);
    return known;
  };
}

function definitionOf(guard: BuiltInGuard, mode: GuardMode, event: EventName, settingsFile: string): HookDefinition {
  return builtInHook({
    id: BUILT_IN_GUARD_ID,
    name: 'own-files',
    description: "Built in: prevents agents from changing Piton's files and the settings that run its hooks.",
    event,
    source: settingsFile,
    enabled: mode !== 'off',
    answer(heard) {
      const found = mode === 'off' ? undefined : guard(heard);
      return found === undefined || mode === 'off' ? undefined : decisionOn(found, mode);
    },
  });
}
