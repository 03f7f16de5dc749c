import { EVENT_FACTS, type EventName, type Loss, type NativeEvent, type PortableHook, type ToolKind } from '@piton/contracts';
import type { MaterializeFacts } from './facts.ts';

export interface NativeTargets {
  readonly ok: true;
  readonly generic: EventName;
  readonly events: readonly NativeEvent[];
  readonly kinds: readonly ToolKind[] | null;
  readonly losses: readonly Loss[];
}

/** The native events to which the hook has to be added. */
export function nativeTargets(hook: PortableHook, facts: MaterializeFacts): NativeTargets | { readonly ok: false; readonly why: string } {
  const { title, failures, notes } = facts;
  // An event of a kind of tool is the event of every tool, with a matcher.
  const { of: every, kind: ofKind, family, only } = EVENT_FACTS[hook.event];
  const generic = every ?? hook.event;
  if (generic === 'other') return { ok: false, why: 'an event without a canonical name cannot be translated' };
  const kinds = ofKind === undefined ? hook.kinds : [ofKind].filter((kind) => hook.kinds === null || hook.kinds.includes(kind));
  if (kinds?.length === 0) return { ok: false, why: `"when.kind" leaves nothing of ${hook.event}` };
  // After either end: two native events where success and failure are apart.
  const isEither = family === 'after-tool' && only === undefined;
  const names: readonly EventName[] = isEither ? ['post_tool_use', 'post_tool_use_failure'] : [generic];
  const named = facts.events.filter(({ event }) => names.includes(event));
  // One native event may report both ends.
  const events = named.filter(({ name }, at) => named.findIndex((other) => other.name === name) === at);
  if (events.length === 0) {
    const same = generic === 'post_tool_use_failure' && failures === 'same';
    return {
      ok: false,
      why: same ? `${title} has one event after every tool, whether it failed or not` : `${title} has no event for ${hook.event}`,
    };
  }
  const losses: Loss[] = [];
  const lose = (what: string | undefined): void => void (what !== undefined && losses.push({ field: 'event', what }));
  if (isEither && failures === 'none') lose(`${title} tells of no tool that failed: it runs after success only`);
  if (generic === 'post_tool_use' && !isEither && failures === 'same')
    lose(`${title} has one event after every tool: it also runs after a failure`);
  lose(notes?.[hook.event]);
  return { ok: true, generic, events, kinds, losses };
}
