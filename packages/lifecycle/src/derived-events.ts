import type { CanonicalEvent, Delivery, EventName, Frame, Reduced } from '@piton/contracts';
import { type HookDefinition, plan } from '@piton/hooks';
import type { LifecyclePorts } from './ports.ts';

/** What follows from a deny of this event. No agent reports it reliably: most report nothing of a call that we denied. */
export function followsFromDeny(event: CanonicalEvent): readonly EventName[] {
  if (event.event === 'pre_tool_use') return ['permission_denied', 'post_tool_use_failure'];
  return event.event === 'permission_request' ? ['permission_denied'] : [];
}

/** The events that are derived from what the agent was given: none unless the call was stopped. */
export function derivedBy(event: CanonicalEvent, delivered: readonly Delivery[]): readonly EventName[] {
  const stopped = delivered.some(
    ({ decision, how }) => (decision === 'deny' && how === 'now') || (decision === 'ask' && how === 'degraded'),
  );
  return stopped ? followsFromDeny(event) : [];
}

/** A derived event and the hooks that observe it. */
export interface DerivedRun {
  readonly event: CanonicalEvent;
  readonly hooks: readonly HookDefinition[];
}

/** The hooks on derived events. They run after the answer and change nothing: what they are about has been decided. */
export function derivedRuns(
  { hooksFor }: Pick<LifecyclePorts, 'hooksFor'>,
  frame: Frame,
  cause: CanonicalEvent,
  names: readonly EventName[],
  { reason = '' }: Pick<Reduced, 'reason'>,
): DerivedRun[] {
  return names.flatMap((name) => {
    const event = derivedEvent(cause, name, reason);
    const { deciding, observing } = plan(event, hooksFor(event, frame));
    const hooks = [...deciding, ...observing].filter(({ builtIn }) => builtIn === undefined);
    return hooks.length === 0 ? [] : [{ event, hooks }];
  });
}

/** In the fields of Claude Code, whose hooks on these events read `reason` and `error`. */
function derivedEvent(cause: CanonicalEvent, name: EventName, reason: string): CanonicalEvent {
  const said = name === 'permission_denied' ? { reason } : { error: reason, is_interrupt: false };
  return { ...cause, event: name, names: [name], derived: true, portable: { ...cause.portable, ...said }, text: reason };
}
