import { EVENTS, type EventName, namesFor, TOOL_KINDS } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import { type HookState, mayDecide } from './hook-state.ts';

export interface HookWithState {
  readonly hook: HookDefinition;
  readonly state: HookState;
}

/** Notes on hooks that run on the same event: in which order, what counts if several of them decide, and equal names. */
export function orderNotes(all: readonly HookWithState[]): string[] {
  const deciding = all.filter(({ hook, state }) => mayDecide(hook, state)).map(({ hook }) => hook);
  const groups = EVENTS.map((event) => ({ event, ids: deciding.filter((hook) => hook.event === event).map(({ id }) => id) }));
  const shared = groups.filter(({ ids }) => ids.length > 1);
  const pairs = kindPairs(new Set(deciding.map(({ event }) => event)));
  const rule = 'If several hooks decide: deny overrides ask, ask overrides allow, allow overrides observe. Order does not matter.';
  return [
    ...shared.map(({ event, ids }) => `${event}: ${ids.length} hooks run, in this order: ${firstFew(ids)}.`),
    ...pairs.map(([generic, kinds]) => `Hooks of ${generic} run before those of ${kinds.join(', ')}, on the same call.`),
    ...(shared.length + pairs.length > 0 ? [rule] : []),
    ...sameNames(all.map(({ hook }) => hook)),
  ];
}

/** The table above lists all of them, in the same order. */
const MAX_NAMED = 12;
const firstFew = (ids: readonly string[]): string =>
  ids.length <= MAX_NAMED ? ids.join(', ') : `${ids.slice(0, MAX_NAMED).join(', ')}, and so on as listed`;

/** Generic events with the specific ones that have hooks too: one call fires both. */
function kindPairs(events: ReadonlySet<EventName>): [EventName, EventName[]][] {
  return (['pre_tool_use', 'post_tool_use'] as const).flatMap((generic): [EventName, EventName[]][] => {
    const kinds = TOOL_KINDS.flatMap((kind) => namesFor(generic, kind).slice(1)).filter((kind) => events.has(kind));
    return events.has(generic) && kinds.length > 0 ? [[generic, kinds]] : [];
  });
}

function sameNames(hooks: readonly HookDefinition[]): string[] {
  const names = [...new Set(hooks.map(({ name }) => name))];
  return names.flatMap((name) => {
    const ids = [...new Set(hooks.filter((hook) => hook.name === name).map(({ id }) => id))];
    return ids.length > 1 ? [`${ids.length} hooks are named ${name}, and all of them run: ${ids.join(', ')}.`] : [];
  });
}
